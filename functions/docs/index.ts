import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Group } from '../../lib/api/group.ts';
import { publicRoute } from '../../lib/api/http/public-route.ts';
import { acceptsGzip } from '../../lib/api/http/read-request.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { type Asset, loadAsset } from '../../lib/api/http/assets.ts';

/** The answer to a path. */
interface Page {
  readonly asset: string;
  readonly type: string;
  readonly caching: string;
}

/** Browsers revalidate it by its ETag. */
const REVALIDATED = 'no-cache';
/** For files whose names contain the hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const pages: Readonly<Record<string, Page>> = {
  '/openapi.json': { asset: 'openapi.json', type: 'application/json; charset=utf-8', caching: REVALIDATED },
  '/llms.txt': { asset: 'llms.txt', type: 'text/plain; charset=utf-8', caching: REVALIDATED },
  '/llms-full.txt': { asset: 'llms-full.txt', type: 'text/plain; charset=utf-8', caching: REVALIDATED },
  '/docs': { asset: 'index.html', type: 'text/html; charset=utf-8', caching: REVALIDATED },
};
const SCRIPT = /^\/docs\/([a-z]+\.[0-9a-f]{16}\.js)$/;

/**
 * Allows scripts from our own files and calls to our own origin only, so that an entered key cannot go elsewhere.
 * Scalar creates its style sheets in the page.
 */
const security = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * GET /docs, its scripts, GET /openapi.json and the texts for language models: built before deployment, served without
 * a key, and compressed for those who accept gzip.
 */
export const handler = publicRoute('docs/get', async ({ rawPath, headers }, requestId) => {
  const page = findPage(rawPath);
  const asset = page && (await loadAsset(page.asset));
  if (!page || !asset)
    throw new Failure('unknown_path', `Path ${rawPath.slice(0, 100)} not found. The documentation page is at /docs.`);
  const isGzip = acceptsGzip(headers['accept-encoding']);
  if (!isGzip && asset.text === undefined) throw compressedOnly();
  // Each encoding is a representation of its own.
  const etag = `"${asset.hash}${isGzip ? '-gzip' : ''}"`;
  const response = {
    'Content-Type': page.type,
    'Cache-Control': page.caching,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'X-Request-Id': requestId,
    ...security,
  };
  if (isCurrent(headers['if-none-match'], etag)) return { statusCode: 304, headers: response, body: '' };
  return isGzip ? sendGzip(asset, response) : { statusCode: 200, headers: response, body: asset.text };
});

export const docs: Group = {
  name: 'docs',
  description: 'The documentation page, the OpenAPI document and the guides.',
  operations: [],
  paths: ['/openapi.json', '/llms.txt', '/llms-full.txt', '/docs', '/docs/{file}'],
  needs: [],
  isPublic: true,
  handler,
};

function findPage(path: string): Page | undefined {
  const [, asset] = SCRIPT.exec(path) ?? [];
  return asset ? { asset, type: 'text/javascript; charset=utf-8', caching: IMMUTABLE } : pages[path];
}

const isCurrent = (known = '', etag: string): boolean =>
  known
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === etag || one === '*');

/** Uncompressed, a script has 4.4 MB, and anyone may request it. */
const compressedOnly = (): Failure =>
  new Failure('compressed_only', 'This script is sent compressed only. Accept gzip: curl --compressed.', {
    headers: { Vary: 'Accept-Encoding' },
  });

const sendGzip = (
  { compressed }: Asset,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 200,
  headers: { ...headers, 'Content-Encoding': 'gzip' },
  body: compressed.toString('base64'),
  isBase64Encoded: true,
});
