import { AppointmentSlot } from '../../lib/entities/appointments.ts';
import { ProposalLine } from '../../lib/entities/proposal-parts.ts';
import { proposalInputFields } from '../../lib/entities/proposals.ts';
import { Contact } from '../../lib/entities/contacts.ts';
import { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { appointmentFields } from '../../lib/resources/appointments.ts';
import { OrganizationForm } from '../../lib/resources/organizations.ts';
import { accountingClassFields } from '../../lib/resources/settings.ts';
import { taskFields } from '../../lib/entities/tasks.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { putSettings } from '../support/settings.ts';
import type { TestAnswer } from '../support/stack/stack.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An update, and what null does in each field that it takes. */
interface Update {
  readonly fields: () => object;
  readonly send: (fields: Fields) => Promise<TestAnswer>;
  readonly read: (answer: TestAnswer) => Fields;
  /** What null empties, with another value. */
  readonly cleared: () => Fields;
  /** What always has a value, or a list to which an update adds: null is as if it were absent. */
  readonly kept: () => Fields;
  /** What is 400. */
  readonly refused?: readonly string[];
  /** What the answer names otherwise. */
  readonly names?: Readonly<Record<string, string>>;
  /** What finds the record or says how to update it, and what the operation ignores. */
  readonly others: readonly string[];
}

let company: Bookable;
let ids: Record<
  | 'tax'
  | 'part'
  | 'owner'
  | 'friend'
  | 'task'
  | 'proposal'
  | 'bundle'
  | 'line'
  | 'invoice'
  | 'class'
  | 'rework'
  | 'visit'
  | 'found',
  number
>;

const matchesIn = ({ body }: TestAnswer) => body['Matches'] as { Id: number }[];

beforeAll(async () => {
  company = await bookable({
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Mulch', BasePrice: 70, BaseDuration: 60 },
    ],
    customFields: [
      { Name: 'Gate', Type: 0 },
      { Name: 'Crew', Type: 0, TableType: 2 },
    ],
  });
  const { accountId, contact: ContactId, services } = company;
  const [tax = 0] = await putSettings(accountId, 'NamedTaxRate', [{ Name: 'State', TaxRate: 8 }]);
  await putSettings(accountId, 'Channel', [{ Name: 'Web', Campaigns: [{ Name: 'Spring' }] }]);
  const { book } = await writeBook(accountId, { parts: [{ Name: 'Rope' }] });
  const part = findId(book, 'parts', 'Rope');
  const user = { Name: 'Olga', Email: 'olga@example.com', Role: 'Owner' };
  const proposal = (more: object = {}) =>
    company.call('proposal/create', { ContactId, ServiceId: services['Lawn care'], ...more });
  const lines = { ProposalLines: [{ Part: { Id: part }, Quantity: 1 }] };
  const imported = { ContactId, Number: 'A1', Lines: [{ Description: 'Rope', Rate: 5, Qty: 1 }] };
  const { body: sold } = await proposal(lines);
  ids = {
    tax,
    part,
    owner: (await company.call('user/create', user)).body['UserId'] as number,
    friend: matchesIn(await company.call('contacts/addupdate', { Name: 'Zed', Email: 'zed@example.com' }))[0]?.Id ?? 0,
    task: (await company.call('task/create', { ContactId, Description: 'Call' })).body['TaskId'] as number,
    proposal: sold['Id'] as number,
    line: (sold['ProposalLines'] as { Id: number }[])[0]?.Id ?? 0,
    bundle: (await proposal()).body['Id'] as number,
    invoice: (await company.call('invoice/import', { Invoice: imported })).body['InvoiceId'] as number,
    class: matchesIn(await company.call('accountingclasses/create', { Name: 'North' }))[0]?.Id ?? 0,
    rework: slotIn(await company.book('Ben', '2027-03-12T09:00')).AppointmentId,
    visit: slotIn(await company.book('Ann', '2027-03-12T09:00')).AppointmentId,
    found: slotIn(await company.book('Ann', '2027-03-12T13:00')).AppointmentId,
  };
});

const URLS = {
  NotificationUri: 'https://example.com/changes',
  EnRouteUri: 'https://example.com/started',
  ThirdPartyUrl: 'https://example.com/all',
};

const updates: Readonly<Record<string, Update>> = {
  'task/update': {
    fields: taskFields,
    send: (fields) => company.call('task/update', { TaskId: ids.task, ...fields }),
    read: ({ body }) => body['Task'] as Fields,
    names: { DurationMinutes: 'Duration', Category: 'TaskCategory' },
    cleared: () => ({
      ContactId: company.contact,
      TaskType: 2,
      DurationMinutes: 5,
      Due: '2027-03-03',
      Category: 'Tools',
    }),
    kept: () => ({ Description: 'Call back.' }),
    others: [],
  },
  'contacts/addupdate': {
    fields: Contact.shape,
    send: (fields) => company.call('contacts/addupdate', { Id: company.contact, ReturnPmtOnFile: true, ...fields }),
    read: (answer) => matchesIn(answer)[0] as unknown as Fields,
    cleared: () => ({
      Nickname: 'Pepe',
      Company: 'García',
      Address1: '1 Main St',
      Address2: 'Rear',
      City: 'Springfield',
      State: 'IL',
      Zip: '62701',
      Country: 'US',
      Phone: '(217) 555-0110',
      AltPhone: '(217) 555-0111',
      PhoneLabel: 'Home',
      AltPhoneLabel: 'Work',
      Email: 'jose@example.com',
      TerritoryID: 'N',
      LeadSource: 'Web',
      Channel: 'Web',
      Campaign: 'Spring',
      Category: 'Friend',
      UtmMedium: 'm',
      UtmSource: 's',
      UtmCampaign: 'c',
      IsCustomer: true,
      DigitalTrackingId: 'T',
      ReferredByContactId: ids.friend,
      OwnerUserId: ids.owner,
      AutoOfferCode: 'A',
      ManagedByContactId: ids.friend,
      FlashMessage: 'Dog',
      Unsubscribed: true,
      NamedTaxRate: { Id: ids.tax },
      PmtOnFileKind: 'Visa',
      PmtOnFileLast4: '1234',
      PmtOnFileExpDate: '2030-01',
      DoNotText: true,
      DoNotEmail: true,
      EmailProblem: 'ann@example.com bounced',
      Language: 'es',
    }),
    kept: () => ({
      Notes: [{ Title: 'Gate', Body: '4711' }],
      CustomFields: [{ Name: 'Gate', Value: '4711' }],
      Tags: ['VIP'],
    }),
    // A channel and a campaign are given by name or id.
    others: ['Id', 'OrganizationId', 'Hash', 'Name', 'ChannelId', 'CampaignId', 'ReferredByHash', ...Contact.computed],
  },
  'organizations/update': {
    fields: OrganizationForm.shape,
    send: (fields) => company.call('organizations/update', { OrganizationId: 1, ...fields }),
    read: ({ body }) => body,
    cleared: () => ({
      LocationId: 'L1',
      InternalName: 'West',
      LegalEntityName: 'Green LLC',
      TaxpayerID: '12',
      OpenSince: '2020-01-01',
      PrimaryPhone: '(217) 555-0110',
      Email: 'a@example.com',
      Website: 'https://example.com',
      Radius: 30,
      SlotSearchWindowDays: 7,
      BillingAddress: { City: 'Springfield' },
      OpenTimeGranularity: 15,
      PostalCodes: '62701',
    }),
    kept: () => ({
      ServiceAgents: [{ Name: 'Ann' }],
      Users: [{ Name: 'Olga', Email: 'olga@example.com' }],
      Services: [],
      Name: 'Springfield',
    }),
    others: ['OrganizationId', 'StartAddress', 'Timezone', 'CustomFields'],
  },
  'proposal/update': {
    fields: proposalInputFields,
    send: (fields) => company.call('proposal/update', { Id: ids.proposal, ...fields }),
    read: ({ body }) => body,
    cleared: () => ({
      Description: 'Front',
      NamedTaxRate: { Id: ids.tax },
      Taxable: true,
      Title: 'Yard',
      CustomerNotes: 'Soon',
      DeliveryUri: 'https://example.com',
      OwnerUserId: ids.owner,
      ServiceAgentId: company.agents['Ann'],
      DepositRate: 10,
      DepositRequired: true,
      BundleWithProposalId: ids.bundle,
      IncludePaymentPlans: true,
      PaymentPlanRequired: true,
      DistributeParts: true,
    }),
    kept: () => ({
      Date: '2027-01-01',
      ServiceId: company.services['Mulch'],
      ServiceName: 'Mulch',
      Status: 'Internal',
      CustomFields: [{ Name: 'Crew', Value: 'A' }],
      ProposalNotes: [{ Note: 'Call first.' }],
      ProposalLines: [],
    }),
    // Quantity becomes that of the service; SelectedSolution needs options; a change order stays one.
    others: ['Id', 'ContactId', 'Quantity', 'SelectedSolution', 'ChangeOrderForProposalId'],
  },
  'a line in proposal/update': {
    fields: ProposalLine.shape,
    send: (fields) =>
      company.call('proposal/update', { Id: ids.proposal, ProposalLines: [{ Id: ids.line, ...fields }] }),
    read: ({ body }) => (body['ProposalLines'] as Fields[])[0] ?? {},
    cleared: () => ({
      UnitCost: 1,
      MaxDiscount: 2,
      Taxable: true,
      IsInternal: true,
      Discount: 1,
      LineDescription: 'Old rope',
      Notes: 'In the shed',
      ProposalOption: { Name: 'Good' },
    }),
    kept: () => ({ SortIndex: 3, CustomFields: [] }),
    // Quantity becomes that of the part.
    others: ['Id', 'Quantity', 'Part', 'UnitPrice', 'RatePercent', 'AssemblyLineId', ...ProposalLine.computed],
  },
  'invoice/import': {
    fields: Invoice.shape,
    send: (fields) =>
      company.call('invoice/import', { InvoiceId: ids.invoice, Invoice: { ContactId: company.contact, ...fields } }),
    read: ({ body }) => body['Invoice'] as Fields,
    cleared: () => ({
      ProposalId: ids.proposal,
      AppointmentId: ids.rework,
      IncludedInEop: true,
      TaxRate: 5,
      RateName: 'State',
      Terms: 'Net 30',
      CustomerNotes: 'Thank you',
    }),
    kept: () => ({
      Number: 'A1',
      Date: '2027-01-01',
      Status: 'Open',
      InvoiceType: 'Standard',
      Subtotal: 5,
      Tax: 0,
      Total: 5,
      Lines: [{ Description: 'Rope', Rate: 5, Qty: 1 }],
    }),
    refused: ['CanAcceptClientPayment'],
    others: ['Id', 'ContactId', 'AssociatedAppointmentIds', ...Invoice.computed],
  },
  'accountingclasses/update': {
    fields: accountingClassFields,
    send: (fields) => company.call('accountingclasses/update', { AccountingClassId: ids.class, ...fields }),
    read: (answer) => matchesIn(answer)[0] as unknown as Fields,
    cleared: () => ({ TerritoryID: 'N', PostalCodes: ['62702'] }),
    kept: () => ({}),
    refused: ['Name'],
    others: ['NameSearch', 'OrganizationId', 'AccountingClassId'],
  },
  'appointments/update': {
    fields: appointmentFields,
    send: (fields) => company.call('appointments/update', { AppointmentId: ids.visit, UpdateLines: true, ...fields }),
    read: ({ body }) => ({ ...(body['Slots'] as Fields[])[0], ...body }),
    cleared: () => ({
      InvoiceId: ids.invoice,
      RootProposalId: ids.bundle,
      Discount: 3,
      Notes: 'Gate',
      NotificationOptions: ['sms'],
      AddOnParts: [{ PartId: ids.part, Quantity: 1 }],
      ...URLS,
    }),
    kept: () => ({ Quantity: 2, ServiceId: company.services['Mulch'], ServiceName: 'Mulch' }),
    others: [
      'AppointmentId',
      'ContactId',
      'IncludeCompleted',
      'IncludeContact',
      'SearchDate',
      'TargetDate',
      'Timeframe',
      'SlotWindowDays',
      'SkipConflictChecks',
      'CallCenterTransactionId',
      'Slots',
      'UpdateLines',
      'UpdateActuals',
      'ActualStart',
      'ActualFinish',
      'CancelReasonId',
      'UpdateNote',
      'Duration',
    ],
  },
  'a slot in appointments/update': {
    fields: AppointmentSlot.shape,
    send: (fields) =>
      company.call('appointments/update', { AppointmentId: ids.found, SkipConflictChecks: true, Slots: [fields] }),
    read: ({ body }) => (body['Slots'] as Fields[])[0] ?? {},
    cleared: () => ({
      Discount: 2,
      NotificationUri: URLS.NotificationUri,
      ThirdPartyUrl: URLS.ThirdPartyUrl,
      ProposalId: ids.bundle,
      ReworkForAppointmentId: ids.rework,
      CustomProperties: { gates: 1 },
      AdditionalServiceAgents: [{ ServiceAgent: { Name: 'Ben' } }],
      ArrivalFrom: '2027-03-12T12:00',
      ArrivalThrough: '2027-03-12T14:00',
    }),
    // Null in each slot of slotsearch: Status, Shadow and RootProposalId.
    kept: () => ({
      DateTime: '2027-03-12T13:00',
      ServiceAgentId: company.agents['Ann'],
      Quantity: 2,
      Duration: 75,
      Status: 1,
      RootProposalId: ids.bundle,
      Shadow: false,
    }),
    others: ['ContactId', 'ServiceId', 'AddOnParts', ...AppointmentSlot.computed],
  },
};

describe.each(Object.entries(updates))('%s', (_, update) => {
  const nameOf = (field: string) => update.names?.[field] ?? field;
  const nulls = (of: Fields) => Object.fromEntries(Object.keys(of).map((field) => [field, null]));
  const done = async (fields: Fields): Promise<Fields> => {
    const answer = await update.send(fields);
    expect(answer.status, answer.text).toBe(200);
    return update.read(answer);
  };
  const blanks: readonly unknown[] = [null, '', 0, false, [], {}];
  const isBlank = (value: unknown) => blanks.some((blank) => JSON.stringify(blank) === JSON.stringify(value));

  test('lists every field', () => {
    const { cleared, kept, refused = [], others } = update;
    const listed = [...Object.keys(cleared()), ...Object.keys(kept()), ...refused, ...others];
    expect(listed.toSorted()).toEqual(Object.keys(update.fields()).toSorted());
  });

  test('null clears what can be empty', async () => {
    const fields = Object.keys(update.cleared());
    const set = await done({ ...update.cleared(), ...update.kept() });
    expect(fields.filter((field) => isBlank(set[nameOf(field)]))).toEqual([]);
    const cleared = await done(nulls(update.cleared()));
    expect(fields.filter((field) => !isBlank(cleared[nameOf(field)]))).toEqual([]);
  });

  test('null is no value where a field always has one, and in a list to which an update adds', async () => {
    const set = await done(update.kept());
    expect(await done(nulls(update.kept()))).toEqual(set);
  });

  test('null is 400 in a field that is required', async () => {
    for (const field of update.refused ?? []) {
      const { status, body } = await update.send({ [field]: null });
      expect([status, (body['Errors'] as { Field: string }[])[0]?.Field]).toEqual([
        400,
        expect.stringContaining(field),
      ]);
    }
  });
});
