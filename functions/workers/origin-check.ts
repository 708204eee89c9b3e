import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerResult } from 'aws-lambda';
import { holdSecret } from '../../lib/secrets/held-secret.ts';

const readOriginSecret = holdSecret('ORIGIN_SECRET');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a call came through CloudFront, which alone knows the secret (infra/edge.ts). */
export async function handler({
  headers = {},
}: Pick<APIGatewayRequestAuthorizerEventV2, 'headers'>): Promise<APIGatewaySimpleAuthorizerResult> {
  const secret = await readOriginSecret();
  return { isAuthorized: timingSafeEqual(digest(headers['x-origin-secret'] ?? ''), digest(secret)) };
}
