import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { getRoute } from '../../lib/api/http/key-routes.ts';
import type { Group } from '../../lib/api/group.ts';
import { respond } from '../../lib/api/respond.ts';
import { mayReadFiles } from '../../lib/api/callers/keys.ts';
import { type LoadedFile, loadSignedFile } from '../../lib/workflows/uploads/load-file.ts';
import { findSignedPath } from '../../lib/workflows/uploads/signed-path.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/**
 * GET /files/{id}: with the header X-Api-Key, a redirect to an address that works for anyone for 15 minutes; there the
 * file is served as a download that no browser shows as a page or takes for another type.
 */
export const handler = getRoute('files/get', async ({ event, table, now, requestId, caller }) => {
  const id = toId(event.pathParameters?.['id']);
  const { account = '', expires = '', signature = '' } = event.queryStringParameters ?? {};
  if (signature)
    return send(await loadSignedFile(table, id, { account, expires: toId(expires), signature }, now), requestId);
  const path = await findSignedPath(id, callerContext(table, await caller(), now), mayReadFiles);
  return redirect(requestId, `${process.env['BASE_URL'] ?? ''}${path}`);
});

export const files: Group = {
  name: 'files',
  description: 'Serves uploaded files.',
  operations: [],
  paths: ['/files/{id}'],
  needs: ['table:read', 'uploads:read'],
  handler,
};

/** 0 for anything that is not an id. */
const toId = (text = ''): number => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0);

const redirect = (requestId: string, address: string): APIGatewayProxyStructuredResultV2 =>
  respond(requestId, 303, JSON.stringify({ Url: address, ResultCode: 0, Message: '' }), { Location: address });

function send(file: LoadedFile, requestId: string): APIGatewayProxyStructuredResultV2 {
  if (file.kind === 'address') return redirect(requestId, file.address);
  const response = respond(requestId, 200, Buffer.from(file.content).toString('base64'), {
    'Content-Type': file.contentType,
    'Content-Disposition': file.disposition,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Referrer-Policy': 'no-referrer',
  });
  return { ...response, isBase64Encoded: true };
}
