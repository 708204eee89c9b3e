import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { handler } from '../../functions/workers/origin-check.ts';
import { startSecrets } from '../../infra/local/secrets.ts';

const SECRET = 's'.repeat(48);
let secrets: Awaited<ReturnType<typeof startSecrets>>;
beforeAll(async () => {
  secrets = await startSecrets({ origin: SECRET });
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.endpoint);
  vi.stubEnv('ORIGIN_SECRET', 'origin');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await secrets.stop();
});

test.each([
  ['with the secret of CloudFront', { 'x-origin-secret': SECRET }, true],
  ['with another', { 'x-origin-secret': 't'.repeat(48) }, false],
  ['with the beginning of it', { 'x-origin-secret': 's'.repeat(47) }, false],
  ['with an empty one', { 'x-origin-secret': '' }, false],
  ['without one', {}, false],
  ['without headers', undefined, false],
])('a call %s is let in, or not', async (_, headers, isAuthorized) => {
  expect(await handler({ ...(headers && { headers }) } as Parameters<typeof handler>[0])).toEqual({
    isAuthorized,
    context: { isFromEdge: isAuthorized },
  });
});

test('while the old address is kept, a call without the secret is let in too, and marked', async () => {
  vi.stubEnv('OPEN_TO_ALL', '1');
  expect(await handler({})).toEqual({ isAuthorized: true, context: { isFromEdge: false } });
  expect(await handler({ headers: { 'x-origin-secret': SECRET } })).toMatchObject({ context: { isFromEdge: true } });
});
