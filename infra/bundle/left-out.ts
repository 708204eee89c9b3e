import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Modules that a library loads and nothing here uses, and their stand-ins. */
const standIns: readonly { readonly module: RegExp; readonly importer: RegExp; readonly standIn: string }[] = [
  { module: /^@aws-sdk\/credential-provider-node$/, importer: /@aws-sdk/, standIn: 'credentials.ts' },
  { module: /^@aws-sdk\/endpoint-cache$/, importer: /@aws-sdk/, standIn: 'endpoint-cache.ts' },
  { module: /^\.\/(parser-async|packer-async|packer-sync)$/, importer: /\/pngjs\//, standIn: 'unused.ts' },
  { module: /^xmlchars\/xml\/1\.1\/ed2$/, importer: /\/saxes\//, standIn: 'unused.ts' },
  { module: /^@smithy\/core\/event-streams$/, importer: /@aws-sdk|@smithy/, standIn: 'event-streams.ts' },
  {
    module: /\/(Sha256Js|AdaptiveRetryStrategy|getInstanceMetadataRegion)$/,
    importer: /\/(Sha256Node|middleware-retry\/configurations|resolveDefaultsModeConfig|regionConfig\/config)\.js$/,
    standIn: 'client-parts.ts',
  },
  { module: /\/Crc32Node(\.js)?$/, importer: /@aws-sdk|@smithy/, standIn: 'crc32.ts' },
  { module: /\/createChecksumStream\.browser$/, importer: /\/createChecksumStream\.js$/, standIn: 'client-parts.ts' },
  { module: /\/validation\/ajv-provider\.js$/, importer: /@modelcontextprotocol/, standIn: 'ajv-provider.ts' },
  { module: /^\.\/types\/urlencoded\.js$/, importer: /\/busboy\//, standIn: 'unused.ts' },
  {
    module: /\/(to-json-schema|json-schema-processors)\.js$/,
    importer: /\/zod\/v4\/classic\/schemas\.js$/,
    standIn: 'json-schema.ts',
  },
];

/** An esbuild plugin that inserts the stand-ins. A name that a library imports and a stand-in lacks fails the build. */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup(build) {
    for (const { module, importer, standIn } of standIns) {
      const path = join(import.meta.dirname, 'runtime', standIn);
      build.onResolve({ filter: module }, (reference) => (importer.test(reference.importer) ? { path } : undefined));
    }
    // Who imports a package.json, our own or that of a client of AWS, reads its version; the whole has 2.4 KB.
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
