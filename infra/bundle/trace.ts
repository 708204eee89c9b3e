import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type SourceMapPayload, SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { type BundleName, bundleFile, entries, sourceMapFile } from './bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/** A line and column of index.js, or of a file that it loads, as a stack frame has it. */
const FRAME = /[^\s("]*?\b((?:index|common|[\w-]+-[A-Z0-9]{8})\.js):(\d+):(\d+)/g;
/** The build, as a log line has it behind its frames. */
const DIGEST = /"Bundle":\s*"([0-9a-f]{64})"/g;

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The bundles under `folder`, by the SHA-256 that a log line names. */
function bundlesByDigest(folder: string): Map<string, BundleName> {
  const built = Object.keys(entries).filter((name) => existsSync(bundleFile(folder, name)));
  return new Map(built.map((name) => [sha256(bundleFile(folder, name)), name]));
}

function readSourceMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
}

/** `lib/store/contacts/contacts.ts:120:5` of a line of a bundle; `undefined` where the map has none. */
function findSource(folder: string, name: BundleName, map: SourceMap, line: number, column: number) {
  const origin = map.findOrigin(line, column);
  if (!('fileName' in origin)) return undefined;
  const source = resolve(dirname(bundleFile(folder, name)), origin.fileName);
  return `${relative(root, source)}:${origin.lineNumber}:${origin.columnNumber}`;
}

export interface Trace {
  readonly text: string;
  /** Frames that became lines of sources. */
  readonly traced: number;
  /** Builds that no bundle under the folder is. */
  readonly unknown: readonly string[];
}

/**
 * Replaces the lines of bundles by lines of sources, in log lines or stack traces. The bundle of a frame is `bundle`,
 * or else the build that the first `"Bundle"` behind it names.
 */
export function traceSources(text: string, { folder, bundle }: { folder: string; bundle?: BundleName }): Trace {
  const byDigest = bundle ? new Map<string, BundleName>() : bundlesByDigest(folder);
  const digests = [...text.matchAll(DIGEST)].map(({ index, 1: digest = '' }) => ({ index, digest }));
  const maps = new Map<string, SourceMap | undefined>();
  const unknown = new Set<string>();
  let traced = 0;
  const replaced = text.replaceAll(FRAME, (frame, file: string, line: string, column: string, offset: number) => {
    const digest = (digests.find(({ index }) => index > offset) ?? digests.at(-1))?.digest;
    const name = bundle ?? (digest === undefined ? undefined : byDigest.get(digest));
    if (name === undefined) {
      if (digest) unknown.add(digest);
      return frame;
    }
    const path = sourceMapFile(folder, name, file);
    const map = maps.get(path) ?? readSourceMap(path);
    maps.set(path, map);
    const source = map && findSource(folder, name, map, Number(line), Number(column));
    if (source) traced++;
    return source ?? frame;
  });
  return { text: replaced, traced, unknown: [...unknown] };
}
