import { beforeAll, expect, test } from 'vitest';
import type { Proposal } from '../../lib/resources/proposals.ts';
import { findProposal, proposalChanges } from '../../lib/store/sales/proposals.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable();
});

const create = async (more: object = {}): Promise<Proposal> => {
  const input = { ContactId: company.contact, ServiceName: 'Lawn care', Title: 'Front beds', Status: 'Open', ...more };
  return (await company.call('proposal/create', input)).body as unknown as Proposal;
};

const linkOf = ({ ClientUrl }: Proposal): string => ClientUrl.replace(/^.*(?=\/c\/)/, testStack().BaseUrl);

const statusOf = async (Id: number): Promise<string> =>
  (await company.call('proposal/details', { Id })).body['Status'] as string;

test('a proposal that expired says so, and is not signed by a form that was open before', async () => {
  const proposal = await create();
  const open = await openPage(linkOf(proposal));
  expect(open.text).toContain('value="accept"');
  const scope = { accountId: company.accountId, organizationId: null };
  const before = await findProposal(testTable(), scope, proposal.Id);
  if (!before) throw new Error('no proposal');
  const after = { ...before, ExpiresAt: Date.now() - 1000 };
  await testTable().commit([proposalChanges(company.accountId, { before, after, now: new Date() }).change]);
  const sent = await sendForm(linkOf(proposal), open, 'accept', { name: 'Ana' });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('can no longer be signed');
  const page = await openPage(linkOf(proposal));
  expect(page.text).toContain('Expired');
  expect(page.text).not.toContain('value="accept"');
  expect(await statusOf(proposal.Id)).not.toBe('Accepted');
});

test('a declined proposal is not signed by a form that was open before', async () => {
  const proposal = await create();
  const open = await openPage(linkOf(proposal));
  expect((await sendForm(linkOf(proposal), open, 'decline', { reason: 'No' })).status).toBe(303);
  const sent = await sendForm(linkOf(proposal), open, 'accept', { name: 'Ana' });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('This proposal was declined');
  expect(await statusOf(proposal.Id)).toBe('Declined');
});

test('a change order is signed on a page of its own, and the page of its proposal lists it', async () => {
  const proposal = await create();
  await sendForm(linkOf(proposal), await openPage(linkOf(proposal)), 'accept', { name: 'Ana' });
  const order = await create({
    Title: 'Mulch',
    ChangeOrderForProposalId: proposal.Id,
    ProposalLines: [{ LineDescription: 'More mulch', Quantity: 1, UnitPrice: 30 }],
  });
  const page = await openPage(linkOf(order));
  expect(page.text).toContain('Change order: Mulch');
  expect(page.text).toContain('More mulch');
  expect((await sendForm(linkOf(order), page, 'accept', { name: 'Ana' })).status).toBe(303);
  expect(await statusOf(order.Id)).toBe('Accepted');
  expect((await openPage(linkOf(proposal))).text).toMatch(/<li>[^<]*\(Accepted\)<\/li>/);
});

test('a bundled proposal is listed on the page of the one it belongs to', async () => {
  const proposal = await create();
  await create({ Title: 'Back beds', BundleWithProposalId: proposal.Id });
  expect((await openPage(linkOf(proposal))).text).toMatch(/<li>Lawn care \(Open\)<\/li>/);
});
