import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Contact } from '../../../lib/entities/contacts.ts';
import { expect, test } from 'vitest';
import type { SubscriptionDate } from '../../../lib/resources/subscriptions.ts';
import { add } from '../../../lib/shared/money.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { putSettings } from '../../support/settings.ts';
import { pngUri } from '../../support/signatures.ts';
import { drainEvents, testAccount } from '../../support/stack/stack.ts';

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

test.each(['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'])(
  'a season has the same dates in %s as where it was written: shown, quoted and booked',
  async (Timezone) => {
    const account = await testAccount();
    const call = async (operation: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await account.call(operation, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const { book } = await writeBook(account.accountId, {
      services: [
        {
          Name: 'Mowing',
          BasePrice: 214,
          BaseDuration: 30,
          IsSubscription: true,
          SubscriptionProRate: true,
          VisitCount: 6,
          SchedulingMode: 1,
          SeasonStart: '2027-04-01',
          SeasonExpiration: '2027-10-31',
        },
      ],
    });
    await call('organizations/update', {
      OrganizationId: 1,
      Timezone,
      ServiceAgents: [{ Name: 'Ben Ortiz', Email: 'ben@example.com', TimeSlots: [{ StartMinute: 0, Minutes: 1440 }] }],
    });
    const ServiceId = findId(book, 'services', 'Mowing');
    const { Matches } = await call('services/details', { Id: ServiceId });
    expect((Matches as object[])[0]).toMatchObject({
      SeasonStart: '2027-04-01T00:00:00Z',
      SeasonExpiration: '2027-10-31T00:00:00Z',
    });
    const found = await call('contacts/addupdate', { Name: 'Ana Diaz', Email: 'ana@example.com' });
    const ContactId = (found['Matches'] as Contact[])[0]?.Id ?? 0;

    const quoted = await call('proposal/quote', { ContactId, ServiceId, ReturnDates: true });
    expect((quoted['ScheduleDates'] as SubscriptionDate[])[0]?.DateIso).toBe('2027-04-01');
    const late = await call('proposal/quote', { ContactId, ServiceId, Proposal: { Date: '2027-04-02' } });
    expect(late['Message']).toBe('Prorated: 213 of 214 days of the season are left.');

    const statuses = await Promise.all(
      ['2027-03-31T23:30', '2027-04-01T00:00', '2027-10-31T22:30', '2027-11-01T00:00'].map(async (DateTime) => {
        const Slots = [{ DateTime, ServiceAgentId: 1 }];
        return (await account.call('appointments/book', { ContactId, ServiceId, Slots })).status;
      }),
    );
    expect(statuses).toEqual([409, 200, 200, 409]);
  },
);
