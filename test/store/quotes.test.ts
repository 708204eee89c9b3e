import { expect, test } from 'vitest';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { quoteWork } from '../../lib/workflows/booking/quote.ts';
import { testAccount, testTable } from '../support/stack/stack.ts';
import { SUMMER, pricedProposal, subscription } from '../support/subscriptions.ts';
import { accountStore } from '../../lib/store/store.ts';
import { callerContext } from '../../lib/workflows/context.ts';

test.each([
  ['2026-03-01T12:00:00Z', 600],
  // 107 days of 214 are left.
  ['2026-07-17T12:00:00Z', 300],
  // Still July 17 in New York, where the organization is.
  ['2026-07-18T03:59:59Z', 300],
  // 106 of 214.
  ['2026-07-18T04:00:00Z', 297.2],
])('an appointment of a prorated subscription costs at %s what a proposal of that day does: %d', async (now, total) => {
  const { accountId, organizationId } = await testAccount();
  const of = subscription({ ...SUMMER, SubscriptionProRate: true });
  const contact = { CustomFields: [], NamedTaxRateId: null, OrganizationId: organizationId };
  const request = { service: of, contact, quantity: 1, discount: null, lines: [], formerLines: [], properties: {} };
  const organization = await getOrganization(accountStore(testTable(), accountId), organizationId);
  const lists = { organization, customFields: [], taxRates: [] };
  const context = callerContext(testTable(), { account: accountId, organizationId }, new Date(now));
  const quoted = await quoteWork(context, lists, request);
  expect(quoted.kind === 'quoted' && quoted.quote.total).toBe(total);
  const date = now === '2026-07-18T03:59:59Z' ? '2026-07-17' : now.slice(0, 10);
  expect(pricedProposal({ of, Date: date }).Subtotal).toBe(total);
});
