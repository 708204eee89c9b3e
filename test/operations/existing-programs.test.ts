import { beforeAll, describe, expect, test } from 'vitest';
import { DOWNLOAD_KINDS } from '../../lib/domain/downloads/kind.ts';
import { downloadAll } from '../support/existing-programs/download-loop.ts';
import { sendLead } from '../support/existing-programs/lead-form.ts';
import { type Fields, type Post, poster } from '../support/existing-programs/post.ts';
import { writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { drainEvents, testStack } from '../support/stack/stack.ts';

/** Programs that exist, with bodies as they send them: nobody changes them for this interface. */

let company: Bookable;
let lenient: Post;
let strict: Post;
/** Ids that the bodies name. */
let known: {
  readonly ContactId: number;
  readonly ServiceId: number;
  readonly AppointmentId: number;
  readonly HashKey: string;
  readonly InvoiceId: number;
  readonly ProposalId: number;
};

const contactFields = {
  Name: '',
  Nickname: '',
  Company: '',
  Address1: '',
  Address2: '',
  City: '',
  State: '',
  Zip: '',
  Phone: '',
  AltPhone: '',
  Email: '',
  LeadSource: '',
  Channel: '',
  Campaign: '',
  Category: '',
  UtmMedium: '',
  UtmSource: '',
  UtmCampaign: '',
  Tags: [],
  CustomFields: [],
};

beforeAll(async () => {
  company = await bookable({
    customFields: [
      { Name: 'Square feet', Shortcode: 'sqft', Type: 1, TableType: 0 },
      { Name: 'Has dogs', Type: 3, TableType: 0 },
    ],
  });
  await writeBook(company.accountId, { parts: [{ Name: 'Mulch', UnitPrice: 4.125, Category: 'Beds' }] });
  const { AppointmentId } = slotIn(await company.book('Ann', '2035-03-05T09:00'));
  const { body: queried } = await company.call('appointments/query', { ContactId: company.contact });
  const [{ HashKey }] = queried['Appointments'] as [{ HashKey: string }];
  const Lines = [{ Description: 'Mowing', Rate: 50, Qty: 1 }];
  const { ContactId, ServiceId } = { ContactId: company.contact, ServiceId: company.services['Lawn care'] ?? 0 };
  const invoice = await company.call('invoice/import', { Invoice: { ContactId, Date: '2035-03-01', Lines } });
  const proposal = await company.call('proposal/create', { ContactId, ServiceName: 'Lawn care', Status: 'Open' });
  known = {
    ContactId,
    ServiceId,
    AppointmentId,
    HashKey,
    InvoiceId: (invoice.body['Invoice'] as { Id: number }).Id,
    ProposalId: proposal.body['Id'] as number,
  };
  const program = async (isLenient: boolean) =>
    poster(testStack().BaseUrl, await company.newKey({ role: 'Owner', lenient: isLenient }));
  [lenient, strict] = [await program(true), await program(false)];
});

type Body = (ids: typeof known) => object;
/** A call as a program sends it, and what of the answer or of the table shows its effect. */
type Row = readonly [shape: string, operation: string, body: Body, effect: object | (() => Promise<void>)];

const located = (search: object, contact: object) => async () =>
  expect((await company.call('contacts/locate', search)).body).toMatchObject({ Matches: [contact] });

const anyId = expect.any(Number) as number;
const anyText = expect.any(String) as string;
const found = (list: string, record: object) => ({
  [list]: expect.arrayContaining([expect.objectContaining(record)]) as unknown,
});

/** Both a strict and a lenient key answer 200. */
const rows: readonly Row[] = [
  [
    'a lead with empty result fields',
    'contacts/addupdate',
    () => ({
      Matches: [{ Name: 'Amy Orr', Phone: '217-555-0111', Zip: '62701', Email: 'amy@example.com' }],
      ResultCode: '',
      Message: '',
    }),
    { Matches: [{ Id: anyId, Name: 'Amy Orr' }] },
  ],
  [
    'custom fields with numbers as text',
    'contacts/addupdate',
    () => ({
      Matches: [
        { Name: 'Ben Poe', Email: 'ben.poe@example.com', CustomFields: [{ Name: 'Square feet', Value: '275' }] },
      ],
    }),
    located({ EmailSearch: 'ben.poe@example.com' }, { CustomFields: [{ Name: 'Square feet', Value: 275 }] }),
  ],
  [
    'a whole contact with empty parameters',
    'contacts/addupdate',
    () => ({ Matches: [{ ...contactFields, Name: 'Cal Roe', Phone: '217-555-0112' }], DistributeLead: false }),
    { Matches: [{ Id: anyId, Name: 'Cal Roe' }] },
  ],
  [
    'a search in an update',
    'contacts/addupdate',
    ({ ContactId }) => ({ IdSearch: ContactId, Id: ContactId, Address1: '9 Oak Street' }),
    async () => located({ IdSearch: known.ContactId }, { Address1: '9 Oak Street' })(),
  ],
  [
    'a name search with an empty list',
    'contacts/locate',
    () => ({ NameSearch: 'José García', Matches: [] }),
    { Matches: [{ Id: anyId, Name: 'José García' }] },
  ],
  [
    'four searches, the others empty',
    'contacts/locate',
    () => ({ NameSearch: '', PhoneSearch: '', EmailSearch: 'jose@example.com', AddressSearch: '', Skip: 0, Limit: 25 }),
    found('Matches', { Name: 'José García' }),
  ],
  [
    'a search by id',
    'contacts/locate',
    ({ ContactId }) => ({ IdSearch: ContactId, Skip: 0, Limit: 1 }),
    { Matches: [{ Name: 'José García', Hash: anyText, Phone: anyText, Email: 'jose@example.com' }] },
  ],
  [
    'a search by id with every other search empty',
    'contacts/locate',
    ({ ContactId }) => ({
      IdSearch: ContactId,
      NameSearch: '',
      PhoneSearch: '',
      EmailSearch: '',
      AddressSearch: '',
      DigitalTrackingIdSearch: '',
      ReturnPmtOnFile: false,
      DistributeLead: false,
    }),
    { Matches: [{ Name: 'José García' }] },
  ],
  [
    'a note of several lines',
    'contacts/addnote',
    ({ ContactId }) => ({ ContactId, Note: { Title: 'Survey – reply', Body: 'Score 5\nComment: great' } }),
    async () => located({ IdSearch: known.ContactId }, found('Notes', { Body: 'Score 5\nComment: great' }))(),
  ],
  [
    'a tag by name',
    'contacts/addtags',
    ({ ContactId }) => ({ ContactId, TagList: [{ Name: 'Surveyed' }] }),
    async () => located({ IdSearch: known.ContactId }, { Tags: ['Surveyed'] })(),
  ],
  [
    'a search of slots with texts and empty lists',
    'appointments/slotsearch',
    ({ ContactId, ServiceId }) => ({
      ServiceId,
      ContactId,
      TargetDate: '2035-03-06',
      Duration: '60',
      Quantity: 1.0,
      Timeframe: 'Anytime',
      SlotWindowDays: 14,
      Slots: [],
      AddOnParts: [],
      NotificationOptions: [],
    }),
    found('Slots', { Duration: 60 }),
  ],
  [
    'a search of slots for a visitor who is no contact',
    'appointments/slotsearch',
    ({ ServiceId }) => ({ ServiceId, ContactId: 0, TargetDate: '2035-03-06', Duration: '60', Timeframe: 'Morning' }),
    found('Slots', { Duration: 60 }),
  ],
  [
    'a search of slots by SearchDate',
    'appointments/slotsearch',
    ({ ContactId, ServiceId }) => ({ ContactId, SearchDate: '03/06/2035', SlotWindowDays: 3, ServiceId }),
    found('Slots', { Duration: 60 }),
  ],
  [
    'a booking by name',
    'appointments/quickbook',
    () => ({
      Name: 'Eve Quick',
      PriPhone: '217-555-0113',
      Email: 'eve@example.com',
      Address1: '12 Main St',
      City: 'Springfield',
      State: 'IL',
      Zip: '62701',
      Service: 'Lawn care',
      ScheduledStart: '2035-03-07T09:00:00',
      Duration: 60,
      Quantity: 1.0,
      InternalNotes: '',
      Confirmed: true,
    }),
    { AppointmentId: anyId, ContactId: anyId },
  ],
  [
    'appointments with contacts, dates with midnight',
    'appointments/query',
    () => ({
      Skip: 0,
      Take: 100,
      IncludeContact: true,
      FromDate: '2035-03-05T00:00:00',
      ThroughDate: '2035-03-06T00:00:00',
      Appointments: [],
    }),
    found('Appointments', { Contact: expect.objectContaining({ Name: 'José García' }) as unknown }),
  ],
  [
    'appointments of a span',
    'appointments/query',
    () => ({ FromDate: '2035-03-05', ThroughDate: '2035-03-05', IncludeContact: false, Take: 500 }),
    found('Appointments', { Status: 1, ServiceName: 'Lawn care', ServiceAgentName: 'Ann', ContactId: anyId }),
  ],
  [
    'appointments of a contact alone',
    'appointments/query',
    ({ ContactId }) => ({ ContactId, Skip: 0, Take: 100 }),
    { Count: 1, Appointments: [{ AppointmentId: anyId }] },
  ],
  [
    'appointments of a year ahead, dates of forms',
    'appointments/query',
    () => ({ FromDate: '06/01/2034', ThroughDate: '06/01/2035', IncludeContact: true, Skip: 0, Take: 500 }),
    found('Appointments', { DateTime: '2035-03-05T09:00:00-06:00' }),
  ],
  [
    'appointments of a contact since 1900',
    'appointments/query',
    ({ ContactId }) => ({ ContactId, FromDate: '1900-01-01', Take: 50 }),
    { Count: 1 },
  ],
  ['an appointment', 'appointments/find', ({ AppointmentId }) => ({ AppointmentId }), { Slots: [{ Status: 1 }] }],
  [
    'feedback with both handles',
    'appointments/feedback',
    ({ AppointmentId, HashKey }) => ({ Id: AppointmentId, HashKey, Note: 'Great', ContactMe: false, Score: 5 }),
    async () =>
      expect((await company.call('appointments/query', { ContactId: known.ContactId })).body).toMatchObject({
        Appointments: [{ Feedback: { Score: 5, Note: 'Great' } }],
      }),
  ],
  ['invoices since a date', 'invoice/query', () => ({ FromDate: '2034-02-01', Skip: 0, Take: 200 }), { Count: 1 }],
  ...['Open', 'Paid', 'Voided'].map((Status): Row => [
    `invoices that are ${Status}`,
    'invoice/query',
    () => ({ Status, Invoices: [] }),
    { Count: Number(Status === 'Open') },
  ]),
  [
    'an invoice with its contact',
    'invoice/get',
    ({ InvoiceId }) => ({ InvoiceId, IncludeContact: true }),
    { Invoice: { Lines: [{ Description: 'Mowing' }], Contact: { Name: 'José García' } } },
  ],
  ['payments without filter', 'payment/query', () => ({}), { Payments: [] }],
  ['payments of an invoice', 'payment/query', ({ InvoiceId }) => ({ InvoiceId, Payments: [] }), { Payments: [] }],
  ...['', 'open', 'accepted', 'expired'].map((Scope): Row => [
    `proposals of the scope "${Scope}"`,
    'proposal/query',
    () => ({ Scope, FromDate: '2020-01-01', Proposals: [] }),
    { Count: Number(Scope === '' || Scope === 'open') },
  ]),
  [
    'proposals accepted in a span',
    'proposal/query',
    () => ({ FromAccepted: '2020-01-01', ThroughAccepted: '2035-01-01' }),
    { Count: 0 },
  ],
  ['the details of a proposal', 'proposal/details', ({ ProposalId }) => ({ Id: ProposalId }), { ProposalLines: [] }],
  [
    'the price list',
    'services/all',
    () => ({ IncludeParts: true, IncludeInactive: false, Matches: [] }),
    found('Matches', { AvailableParts: [expect.objectContaining({ Id: anyId, UnitPrice: 4.125 })] }),
  ],
  ['agents', 'serviceagents/all', () => ({ Matches: [] }), found('Matches', { Id: anyId, Name: 'Ann' })],
  ['channels', 'channels/all', () => ({ Channels: [] }), { Channels: [] }],
  ['custom fields', 'customfields/all', () => ({}), {}],
  ['users', 'user/all', () => ({ Matches: [] }), { Matches: [] }],
  ['an organization', 'organizations/details', () => ({ OrganizationId: 1 }), { OrganizationId: 1 }],
  ['the organization of the key', 'organizations/details', () => ({}), { OrganizationId: 1 }],
  [
    'organizations with empty criteria',
    'organizations/query',
    () => ({ PublicName: '', InternalName: '', LocationId: '', PostalCode: '', IncludeInactive: false }),
    found('Organizations', { Id: 1, PublicName: 'Springfield' }),
  ],
  ['cancel reasons', 'cancelreasons/all', () => ({}), {}],
  ['events', 'datasubscriber/fetch', () => ({}), { Events: expect.any(Array) as unknown }],
];

async function replay(post: Post, [, operation, body, effect]: Row): Promise<void> {
  const response = await post(operation, body(known));
  const text = await response.text();
  expect(response.status, text.slice(0, 500)).toBe(200);
  const answer = JSON.parse(text) as Fields;
  expect(answer['ResultCode']).toBe(0);
  await (typeof effect === 'function' ? (effect as () => Promise<void>)() : expect(answer).toMatchObject(effect));
}

describe.each(rows)('%s', (...row) => {
  test.each([
    ['strict', () => strict],
    ['lenient', () => lenient],
  ])('with a %s key', async (_, post) => replay(post(), row));
});

/** What only a lenient key answers; a strict one names the unknown field, so that a program is corrected in tests. */
const unknownFields: readonly Row[] = [
  [
    'a mistyped flag',
    'contacts/addupdate',
    () => ({ Matches: [{ Name: 'Dee Lux', Email: 'dee@example.com', "DoNotText'": 'true' }] }),
    { Matches: [{ Id: anyId, Name: 'Dee Lux' }] },
  ],
  [
    'IncludeCompleted',
    'appointments/query',
    () => ({ IncludeCompleted: true, UpdatedFrom: '2020-01-01', UpdatedThrough: '2035-01-01', Skip: 0, Take: 50 }),
    { Count: expect.any(Number) as number },
  ],
  [
    'IncludeInactive of agents',
    'serviceagents/all',
    () => ({ IncludeInactive: false }),
    found('Matches', { Name: 'Ann' }),
  ],
  ['NameSearch of organizations', 'organizations/query', () => ({ NameSearch: 'Spring' }), found('Organizations', {})],
  [
    'dates of forecasts',
    'datasubscriber/forecasts',
    () => ({ FromDate: '2035-01-01', ThroughDate: '2035-12-31' }),
    { Organizations: expect.any(Array) as unknown },
  ],
];

describe.each(unknownFields)('%s', (...row) => {
  test('is ignored for a lenient key', async () => replay(lenient, row));

  test('is 400 for a strict key', async () => {
    const [, operation, body] = row;
    expect((await strict(operation, body(known))).status).toBe(400);
  });
});

test('a filter that a download lacks is named and ignored for a lenient key, and 400 for a strict one', async () => {
  const request = { Kind: 'contacts', RowId: 0, DateFrom: '2035-3-1' };
  expect(await (await lenient('datasubscriber/startdownload', request)).json()).toMatchObject({
    ResultCode: 0,
    DownloadId: anyText,
    Message: 'DateFrom does not apply to contacts: it is ignored.',
  });
  expect((await strict('datasubscriber/startdownload', request)).status).toBe(400);
});

test('getdownload gives a lenient key the address where it accepts JSON, and a strict key always', async () => {
  const { DownloadId } = (await (await lenient('download/startdownload', { Kind: 'contacts' })).json()) as Fields;
  await drainEvents();
  const read = () => lenient('download/getdownload', { DownloadId });
  await expect
    .poll(async () => (await read()).headers.get('content-type'), { timeout: 20_000 })
    .toBe('text/csv; charset=utf-8');
  expect(await (await read()).text()).toMatch(/^Id,/);
  const key = await company.newKey({ role: 'Owner', lenient: true });
  const accepting = { key, headers: { accept: 'application/json' } };
  for (const options of [accepting, { key: company.key }])
    expect((await company.call('download/getdownload', { DownloadId }, options)).body).toMatchObject({ Url: anyText });
});

describe('whole programs', () => {
  test('a lead of a form is stored with its consent and custom fields', async () => {
    const lead = { first: 'Ann', last: 'Form', email: 'form@example.com', phone: '217-555-0114', zip: '62701' };
    const Id = await sendLead(lenient, { ...lead, squareFeet: '275', hasDogs: 'False', noTexts: 'true' });
    expect(Id).toBeTruthy();
    const { body } = await company.call('contacts/locate', { IdSearch: Id });
    expect(body).toMatchObject({ Matches: [{ Name: 'Ann Form', DoNotText: true, DoNotEmail: false }] });
  });

  test('a lead whose number cannot be read is stored too', async () => {
    const lead = { first: 'Bo', last: 'Form', email: 'bo.form@example.com', phone: '217-555-0115', zip: '' };
    expect(await sendLead(lenient, { ...lead, squareFeet: 'big', hasDogs: 'True', noTexts: '' })).toBeTruthy();
  });

  test.each(DOWNLOAD_KINDS)('a loop downloads every row of %s, and ends', async (kind) => {
    const request = { Kind: `branding-${kind}`, DateFrom: '2020-1-1', CreatedFrom: '2020-1-1' };
    const [, all] = await Promise.all([drainEvents(), downloadAll(lenient, { Kind: kind }, 50)]);
    const filtered = await downloadAll(lenient, request, 50);
    expect(filtered.length).toBeLessThanOrEqual(all.length);
    expect(new Set(all.map((row) => JSON.stringify(row))).size).toBe(all.length);
  });
});
