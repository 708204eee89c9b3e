import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import { servePage } from '../../functions/pages/serve.ts';
import type { Proposal } from '../../lib/resources/proposals.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testTable } from '../support/stack/stack.ts';

let company: Bookable;
let proposal: Proposal;

beforeAll(async () => {
  company = await bookable();
  const input = { ContactId: company.contact, ServiceName: 'Lawn care', Title: 'Front beds', Status: 'Open' };
  proposal = (await company.call('proposal/create', input)).body as unknown as Proposal;
});

test.each([
  ['a link that is not ours', () => `proposal/${company.accountId}-1-0-fff-${'x'.repeat(22)}`],
  ['an altered link', () => proposal.ClientUrl.replace(/^.*\/c\//, '').replace(/.$/, '_')],
  ['the webhook of a company without payments', () => `stripe/${company.accountId}`],
])('nothing that was sent to %s is read', async (_, address) => {
  const [page, handle] = address().split('/');
  const event = { headers: {}, pathParameters: { page, handle } } as unknown as APIGatewayProxyEventV2;
  const readSent = () => expect.fail('read');
  const call = { event, table: testTable(), now: new Date(), requestId: 'test', sourceIp: '127.0.0.1', readSent };
  expect((await servePage(call)).status).toBe(404);
});
