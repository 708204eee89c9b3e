import { type Postal, parsePostalData } from './places.ts';

let loading: Promise<Postal> | undefined;

/**
 * The postal codes shipped with the project, unpacked on first use and kept. The data is a JSON module (base64 of brotli), so that the sources and any
 * bundler find it by themselves; infra/side-files.ts puts it beside the bundles that ask, where it costs a cold start nothing.
 */
export function loadPostalData(): Promise<Postal> {
  loading ??= import('./postal-data.json', { with: { type: 'json' } }).then(({ default: data }) =>
    parsePostalData(process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from(data.brotli, 'base64'))),
  );
  return loading;
}
