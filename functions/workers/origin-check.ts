import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerResult } from 'aws-lambda';
import { holdSecret } from '../../lib/secrets/held-secret.ts';

const readOriginSecret = holdSecret('ORIGIN_SECRET');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Checks whether a call came through CloudFront, which alone knows the secret (infra/edge.ts). With OPEN_TO_ALL, calls
 * to the old address pass as well, and are marked.
 */
export async function handler({
  headers = {},
}: Pick<APIGatewayRequestAuthorizerEventV2, 'headers'>): Promise<
  APIGatewaySimpleAuthorizerResult & { readonly context: { readonly isFromEdge: boolean } }
> {
  const secret = await readOriginSecret();
  const isFromEdge = timingSafeEqual(digest(headers['x-origin-secret'] ?? ''), digest(secret));
  return { isAuthorized: isFromEdge || Boolean(process.env['OPEN_TO_ALL']), context: { isFromEdge } };
}
