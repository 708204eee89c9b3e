import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/fallback/index.ts';
import { groupNames } from '../../functions/names.ts';

interface Failed {
  readonly ResultCode: number;
  readonly Message: string;
}

async function notFoundAt(rawPath: string): Promise<Failed> {
  const event = {
    rawPath,
    requestContext: { requestId: 'r', http: { sourceIp: '203.0.113.7' } },
  } as APIGatewayProxyEventV2;
  const { statusCode, body = '' } = await handler(event);
  const answer = JSON.parse(body) as Failed;
  expect([statusCode, answer.ResultCode]).toEqual([404, 404]);
  return answer;
}

beforeAll(() => {
  process.env['LOG_LEVEL'] = 'silent';
});

describe('a path outside the groups is 404', () => {
  test.each([
    ['/api/contact/locate', '/api/contacts/locate'],
    ['/api/Contacts/Locate', '/api/contacts/locate'],
    ['/API/contacts/locate', '/api/contacts/locate'],
    ['/api/contacts/locate/', '/api/contacts/locate'],
    ['/api/contacts', '/api/contacts/…'],
    ['/api/contacts/', '/api/contacts/…'],
    ['/api//contacts/locate', '/api/contacts/locate'],
    ['/api/api/contacts/locate', '/api/contacts/locate'],
    ['/contacts/locate', '/api/contacts/locate'],
    ['/api/v1/customers/locate', '/api/contacts/locate'],
  ])('%s suggests %s', async (path, meant) => {
    expect((await notFoundAt(path)).Message).toBe(`Path ${path} not found. Did you mean ${meant}?`);
  });

  test.each(['/', '/api', '/api/../x', '/api/__proto__/x'])('%s lists the groups', async (path) => {
    expect((await notFoundAt(path)).Message).toContain(`the groups are ${groupNames.join(', ')}.`);
  });

  test('a long path has a short answer', async () => {
    for (const path of [`/${'a'.repeat(9_000)}`, `/api/contacts/${'a'.repeat(9_000)}/`, `/api/${'a'.repeat(9_000)}`])
      expect((await notFoundAt(path)).Message.length).toBeLessThan(600);
  });
});
