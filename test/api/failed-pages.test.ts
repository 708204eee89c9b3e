import type { Context } from 'aws-lambda';
import { beforeAll, expect, test, vi } from 'vitest';
import { failedPage } from '../../functions/pages/serve.ts';
import { clientRoute } from '../../lib/api/http/client-route.ts';
import type { Event } from '../../lib/api/respond.ts';
import { StoreUnavailable } from '../../lib/store/dynamodb/errors.ts';

beforeAll(() => vi.stubEnv('LOG_LEVEL', 'silent'));

const form = 'action=another-time&token=abc&message=At+%3Cnoon%3E';

/** The answer of a page that fails. */
function fail(error: Error, { method = 'GET', body = form, site = 'same-origin' } = {}) {
  const serve = () => {
    throw error;
  };
  const handler = clientRoute('pages', serve, failedPage);
  const event = {
    headers: { 'sec-fetch-site': site },
    rawQueryString: '',
    pathParameters: { page: 'visit', handle: 'x' },
    body,
    requestContext: { requestId: 'test', http: { method, sourceIp: '203.0.113.9' } },
  } as unknown as Event;
  return handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
}

const outages: [string, Error, number][] = [
  ['the table is away', new StoreUnavailable('away'), 503],
  ['something unexpected happens', new TypeError('x is not a function'), 500],
];

test.each(outages)('where %s, a page says to try again, and not that its link is over', async (_, error, status) => {
  const answer = await fail(error);
  expect(answer.statusCode).toBe(status);
  expect(Number(answer.headers?.['Retry-After'])).toBeGreaterThan(0);
  expect(answer.body).toContain('Something went wrong');
  expect(answer.body).not.toContain('no longer valid');
  expect(answer.body).not.toContain('x is not');
});

test.each(outages)('where %s, a form keeps what was typed and can be sent again', async (_, error, status) => {
  const answer = await fail(error, { method: 'POST' });
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toContain('name="message" value="At &lt;noon&gt;"');
  expect(answer.body).toContain('name="token" value="abc"');
});

test.each([
  ['another site', { site: 'cross-site' }],
  ['a form that is too large', { body: 'a&'.repeat(1000) }],
])('what was sent by %s is not repeated', async (_, sent) => {
  const answer = await fail(new StoreUnavailable('away'), { method: 'POST', ...sent });
  expect(answer.statusCode).toBe(503);
  expect(answer.body).not.toContain('type="hidden"');
});
