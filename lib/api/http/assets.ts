import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** The server in generated documents and texts; the deployment's address replaces it. */
export const SERVER_PLACEHOLDER = 'https://deployment.invalid';

export interface Asset {
  /** Compressed with gzip. */
  readonly compressed: Buffer;
  /** Uncompressed; absent for the page's scripts, which are megabytes and are never unpacked. */
  readonly text?: string;
  /** The hash of the content. */
  readonly hash: string;
}

const loaded = new Map<string, Promise<Asset | undefined>>();

/** A built file, read once per container; `undefined` if the build made none of that name. */
export function loadAsset(name: string): Promise<Asset | undefined> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = readAsset(name);
  loaded.set(name, loading);
  // Only existing files are cached: names that callers invent take no memory, and a failed read is retried.
  loading.then((asset) => asset ?? loaded.delete(name)).catch(() => loaded.delete(name));
  return loading;
}

/** Files are next to the bundle; the local stack has them in its data folder. */
const folder = () => process.env['DOCS_FOLDER'] ?? join(process.env['LAMBDA_TASK_ROOT'] ?? '', 'assets');

async function readAsset(name: string): Promise<Asset | undefined> {
  const built = await readFile(join(folder(), `${name}.gz`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!built) return undefined;
  if (name.endsWith('.js')) return { compressed: built, hash: hashOf(built) };
  const unpacked = (await promisify(gunzip)(built)).toString('utf8');
  const text = unpacked.replaceAll(SERVER_PLACEHOLDER, process.env['BASE_URL'] ?? '');
  // The document has 640 KB: this takes 20 ms, once per container.
  return { compressed: await promisify(gzip)(text), text, hash: hashOf(text) };
}

const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27);
