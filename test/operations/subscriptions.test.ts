import { expect, test } from 'vitest';
import type { AppointmentSlot } from '../../lib/resources/appointments.ts';
import type { Contact } from '../../lib/resources/contacts.ts';
import type { Proposal } from '../../lib/resources/proposals.ts';
import type { SubscriptionDate } from '../../lib/resources/subscriptions.ts';
import { add } from '../../lib/shared/money.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { putSettings } from '../support/settings.ts';
import { pngUri } from '../support/signatures.ts';
import { drainEvents, testAccount } from '../support/stack.ts';

test('a prorated subscription costs the same when quoted, created, dated, accepted and queued, to the cent', async () => {
  const account = await testAccount();
  const call = async (operation: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await account.call(operation, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const [tax = 0] = await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'County', TaxRate: 8.875 }]);
  const { book } = await writeBook(account.accountId, {
    services: [
      {
        Name: 'Pool care',
        BasePrice: 1234.56,
        Taxable: true,
        BaseDuration: 30,
        IsSubscription: true,
        IntervalDays: 1,
        VisitCount: 300,
        SubscriptionProRate: true,
        SeasonStart: '2026-04-01',
        SeasonExpiration: '2026-10-31',
      },
    ],
    parts: [{ Name: 'Chlorine', UnitPrice: 7.77, Taxable: true, SubscriptionDistributionSteps: '1,50,90' }],
  });
  const { Matches } = await call('contacts/addupdate', { Name: 'Ana Diaz', Email: 'ana@example.com' });
  const ContactId = (Matches as Contact[])[0]?.Id ?? 0;
  const proposal = {
    Date: '2026-07-17',
    DistributeParts: true,
    NamedTaxRate: { Id: tax },
    ProposalLines: [{ Part: { Id: findId(book, 'parts', 'Chlorine') }, Quantity: 5 }],
  };
  const ServiceId = findId(book, 'services', 'Pool care');
  const flags = { ReturnDates: true, ReturnProposal: true };
  const quoted = await call('proposal/quote', { ContactId, ServiceId, ...flags, Proposal: proposal });
  const made = await call('proposal/create', { ContactId, ServiceId, Status: 'Open', ...proposal });

  // 107 of 214 days: 617.28 and 38.85 / 2 = 19.425 → 19.43. Tax 54.7836 → 54.78 and 1.724 → 1.72.
  const { Subtotal, Tax } = quoted['Proposal'] as Proposal;
  expect([Subtotal, Tax]).toEqual([636.71, 56.5]);
  expect([made['Subtotal'], made['Tax']]).toEqual([Subtotal, Tax]);
  const dates = quoted['ScheduleDates'] as SubscriptionDate[];
  expect(dates.length).toBe(107);
  expect(add(...dates.map((date) => date.Subtotal))).toBe(Subtotal);

  await call('proposal/accept', { ProposalId: made['Id'], Name: 'Ana Diaz', SignatureData: pngUri });
  await drainEvents();
  const { Appointments } = await call('appointments/query', { ContactId, Take: 500 });
  const visits = Appointments as AppointmentSlot[];
  expect(visits.length).toBe(107);
  expect(add(...visits.map(({ Total }) => Total ?? 0))).toBe(add(Subtotal, Tax));
  const states = new Set(visits.map(({ Status, ProposalId }) => `${Status} of ${ProposalId}`));
  expect([...states]).toEqual([`0 of ${String(made['Id'])}`]);
  expect(visits.flatMap(({ AddOnParts }, index) => (AddOnParts.length ? index + 1 : []))).toEqual([1, 50, 90]);
});
