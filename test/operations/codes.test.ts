import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { fieldErrorMeanings, failureMeanings } from '../../lib/api/openapi/code-meanings.ts';
import type { FailureCode, FieldErrorCode } from '../../lib/shared/failure-codes.ts';
import { expectFailure } from '../support/failed.ts';
import { putSettings } from '../support/settings.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../support/scheduling.ts';
import { type TestAccount, type TestAnswer, call, testAccount, testStack } from '../support/stack/stack.ts';

let company: Bookable;
/** An account of two organizations, of which one is canceled. */
let several: TestAccount;
let closed: number;
let reader: string;
let bound: string;
/** Ids of a booked appointment (Ann, Tuesday 9:00), a completed task, and an open invoice of 50.00. */
let appointment: number;
let invoice: number;

beforeAll(async () => {
  company = await bookable({
    agents: [
      { Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() },
      { Name: 'Far', Email: 'far@example.com', TimeSlots: weekdays({ PostalCodes: '60601' }) },
    ],
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Leaves', BasePrice: 50, BaseDuration: 60, SeasonStart: '2027-09-01', SeasonExpiration: '2027-11-30' },
    ],
  });
  [reader, bound] = await Promise.all([
    company.newKey({ role: 'ReadOnly' }),
    company.newKey({ role: 'Owner', organizationId: 1 }),
  ]);
  several = await testAccount();
  const created = await several.call('organizations/create', { Name: 'Closed', Timezone: 'America/Chicago' });
  closed = created.body['OrganizationId'] as number;
  await several.call('organizations/cancel', { OrganizationId: closed });
  appointment = slotIn(await company.book('Ann', '2027-03-09T09:00')).AppointmentId;
  await company.call('contacts/addupdate', { Name: 'Far Away', Email: 'far.away@example.com', Zip: '60601' });
  await Promise.all([
    ...['One', 'Two'].map((Name) =>
      company.call('contacts/addupdate', { Name, Phone: '217-555-0188', Zip: '62701', Address1: `${Name} Street 1` }),
    ),
    company.call('task/create', { Task: { Description: 'Call back', Due: '2027-03-09' } }),
    putSettings(company.accountId, 'CancelReason', [{ Reason: 'Rain' }]),
  ]);
  const { body } = await company.call('invoice/import', {
    Invoice: {
      ContactId: company.contact,
      Number: 'A-1',
      TaxRate: 0,
      Lines: [{ Description: 'Work', Qty: 1, Rate: 50 }],
    },
  });
  invoice = body['InvoiceId'] as number;
});

const book = (DateTime: string, more: object = {}) => company.book('Ann', DateTime, more);
const pay = (Payment: object) => company.call('payment/import', { Payment: { InvoiceId: invoice, ...Payment } });
const import_ = (Invoice: object) => company.call('invoice/import', { Invoice });
const line = { Description: 'Work', Qty: 1, Rate: 50 };

/** The address of a file, with a signature that nobody made. */
async function getFile(): Promise<TestAnswer> {
  const response = await fetch(`${testStack().BaseUrl}/files/1?signature=x`);
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text) as Record<string, unknown> };
}

const failures: Partial<Record<FailureCode, () => Promise<TestAnswer>>> = {
  invalid_request: () => company.call('contacts/locate', {}),
  invalid_body: () => company.call('contacts/locate', '{"NameSearch": }'),
  unauthorized: () => call('contacts/locate', {}, { key: 'fs_unknown' }),
  misplaced_key: () => call('contacts/locate', {}, { headers: { authorization: `Bearer ${company.key}` } }),
  different_keys: () => company.call('contacts/locate', { ApiKey: reader }),
  role_forbidden: () => company.call('contacts/addnote', {}, { key: reader }),
  organization_forbidden: () => company.call('datasubscriber/fetch', {}, { key: bound }),
  agent_forbidden: async () => {
    const agentId = company.agents['Ann'] ?? 0;
    const key = await company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId });
    return company.call('organizations/query', {}, { key });
  },
  key_restricted: async () => company.call('task/query', {}, { key: await company.newKey({ allow: ['contacts/*'] }) }),
  organization_suspended: async () => {
    const key = await several.newKey({ role: 'Owner', organizationId: closed });
    return several.call('task/create', { Description: 'Late' }, { key });
  },
  invalid_address: getFile,
  not_found: () => company.call('appointments/addtip', { AppointmentId: 999, Amount: 5 }),
  unknown_path: () => company.call('contacts/find-all', {}),
  wrong_method: () => company.call('contacts/locate', {}, { method: 'GET' }),
  slot_taken: () => book('2027-03-09T09:30'),
  drive_conflict: async () => {
    const { body } = await company.call('contacts/locate', { EmailSearch: 'far.away@example.com' });
    const [far] = body['Matches'] as { Id: number }[];
    return book('2027-03-09T10:00', { ContactId: far?.Id });
  },
  outside_hours: () => book('2027-03-09T20:00'),
  outside_season: () => book('2027-03-10T09:00', { ServiceId: company.services['Leaves'] }),
  in_the_past: () => book('2025-03-10T09:00'),
  no_opening: () =>
    company.call('appointments/quickbook', {
      Name: 'Eve',
      Email: 'eve@example.com',
      Zip: '62701',
      Service: 'Leaves',
      ScheduledStart: '2027-03-09T09:00',
      FirstAvailable: true,
    }),
  agent_unable: () => company.book('Far', '2027-03-10T09:00'),
  wrong_state: () => company.call('appointments/addtip', { AppointmentId: appointment, Amount: 5 }),
  fixed_value: async () => {
    const { body } = await company.call('contacts/addupdate', { Name: 'Other', Email: 'other@example.com' });
    const [other] = body['Matches'] as { Id: number }[];
    return company.call('invoice/import', { InvoiceId: invoice, Invoice: { ContactId: other?.Id, Lines: [line] } });
  },
  already_exists: () =>
    import_({ ContactId: company.contact, Number: 'A-1', TaxRate: 0, Lines: [{ ...line, Rate: 51 }] }),
  ambiguous: () => company.call('contacts/addupdate', { PhoneSearch: '217-555-0188', Category: 'Customer' }),
  overpayment: () => pay({ Amount: -50.01, Method: 'Check' }),
  amount_mismatch: () => import_({ ContactId: company.contact, TaxRate: 0, Lines: [line], Total: 49 }),
  requirement_missing: () => company.call('settings/radiuscities', {}),
  idempotency_mismatch: async () => {
    const headers = { 'Idempotency-Key': 'one' };
    await company.call('contacts/addupdate', { Name: 'First', Email: 'first@example.com' }, { headers });
    return company.call('contacts/addupdate', { Name: 'Second', Email: 'second@example.com' }, { headers });
  },
  request_too_large: () => company.call('contacts/locate', { NameSearch: 'x'.repeat(300_000) }),
};

test.each(Object.entries(failures))('%s is the code of its failure', async (code, fail) => {
  const answer = await fail();
  expectFailure(answer, answer.status);
  expect([answer.body['Code'], answer.text]).toEqual([code, expect.any(String)]);
});

const fieldErrors: Partial<Record<FieldErrorCode, () => Promise<TestAnswer>>> = {
  required: () => company.call('appointments/addtip', { Amount: 5 }),
  type: () => company.call('appointments/addtip', { AppointmentId: appointment, Amount: 'five' }),
  format: () => company.call('contacts/locate', { CreatedFrom: 'yesterday' }),
  range: () => company.call('contacts/locate', { NameSearch: 'a', Limit: 501 }),
  too_long: () => company.call('contacts/locate', { NameSearch: 'a'.repeat(10_001) }),
  unknown_field: () => company.call('contacts/locate', { NameSerch: 'a' }),
  unknown_value: () => company.call('proposal/query', { Scope: 'closed' }),
  not_found: () => company.call('appointments/cancel', { AppointmentId: appointment, CancelReasonId: 99 }),
  duplicate: () =>
    company.call('organizations/update', {
      OrganizationId: 1,
      ServiceAgents: [
        { Name: 'Cy', Email: 'cy@example.com' },
        { Name: 'Cy', Email: 'cy2@example.com' },
      ],
    }),
  mismatch: () => company.call('contacts/logcall', { Length: 2_000, Chars: 'four' }),
  forbidden: () =>
    company.call('organizations/update', { CustomFields: [{ Name: 'Colour', Value: 'red' }] }, { key: bound }),
  ambiguous: () => several.call('user/create', { Name: 'Dee', Email: 'dee@example.com' }),
  inactive: () => several.call('contacts/addupdate', { Name: 'Dee', OrganizationId: closed }),
  fixed: () => company.call('proposal/create', { Id: 5, ContactId: company.contact, ServiceName: 'Lawn care' }),
};

test.each(Object.entries(fieldErrors))('%s is the code of its invalid field', async (code, fail) => {
  const answer = await fail();
  expectFailure(answer, 400);
  expect([(answer.body['Errors'] as { Code: string }[]).map((each) => each.Code), answer.text]).toEqual([
    expect.arrayContaining([code]),
    expect.any(String),
  ]);
});

test.each<[what: string, operation: string, body: () => object, codes: Record<string, FieldErrorCode>]>([
  [
    'a band below zero, a quantity from a formula that cannot be read',
    'organizations/update',
    () => ({
      OrganizationId: 1,
      Services: [{ Name: 'Hedges', QuantityFormula: '2 +', PricingBands: [{ AtLeast: -1, Price: 5 }] }],
    }),
    { 'Services[0].PricingBands[0].AtLeast': 'range', 'Services[0].QuantityFormula': 'format' },
  ],
  [
    'a line of a part that does not exist',
    'proposal/create',
    () => ({ ContactId: company.contact, ServiceName: 'Lawn care', ProposalLines: [{ Part: { Id: 99 } }] }),
    { 'ProposalLines[0].Part.Id': 'not_found' },
  ],
  [
    'a quantity below zero',
    'proposal/quote',
    () => ({ ContactId: company.contact, ServiceName: 'Lawn care', Proposal: { Quantity: -1 } }),
    { 'Proposal.Quantity': 'range' },
  ],
  ['feedback of nothing', 'appointments/feedback', () => ({ Id: appointment }), { Score: 'required' }],
  [
    'feedback that contradicts itself',
    'appointments/feedback',
    () => ({ Id: appointment, Positive: true, Negative: true }),
    { Negative: 'mismatch' },
  ],
  [
    'the id of a new class',
    'accountingclasses/create',
    () => ({ AccountingClassId: 7, Name: 'East', OrganizationId: 1 }),
    { AccountingClassId: 'fixed' },
  ],
  [
    'too many contacts',
    'contacts/addupdate',
    () => ({ Matches: Array.from({ length: 200 }, (_, index) => ({ Name: `Name ${index}` })) }),
    { Matches: 'too_long' },
  ],
  [
    'an additional agent that is not named',
    'appointments/update',
    () => ({ AppointmentId: appointment, Slots: [{ AdditionalServiceAgents: [{ Duration: 30 }] }] }),
    { 'Slots[0].AdditionalServiceAgents[0].ServiceAgent': 'required' },
  ],
])('%s has a code of its own', async (_, operation, body, codes) => {
  const answer = await company.call(operation, body());
  const errors = (answer.body['Errors'] ?? []) as { Field: string; Code: string }[];
  expect([Object.fromEntries(errors.map(({ Field, Code }) => [Field, Code])), answer.text]).toEqual([
    codes,
    expect.any(String),
  ]);
});

test('a contact without organization says that it is required where the account has several', async () => {
  const answer = await several.call('contacts/addupdate', { Name: 'Dee', Email: 'dee@example.com' });
  expect(answer.body['Errors']).toMatchObject([{ Field: 'OrganizationId', Code: 'required' }]);
});

test.each([
  ['user/create', { Email: 5 }, 'Name is required (and 1 more: Email).'],
  ['user/create', { Email: 5, Phone: 6 }, 'Name is required (and 2 more: Email, Phone).'],
  [
    'contacts/locate',
    { NameSerch: 'x', Tke: 1 },
    'NameSerch is not a field; did you mean NameSearch? And 1 more: Tke.',
  ],
])('the message of %s with %j is the first reason, and names the other fields', async (operation, request, message) => {
  expect((await several.call(operation, request)).body['Message']).toBe(message);
});

/** Codes that need more than a call: a worker, a race, a limit, a fault. Where a test has each. */
const elsewhere: Partial<Record<FailureCode | FieldErrorCode, string>> = {
  postal_code_owned: 'test/operations/contacts/lead-places.test.ts',
  too_soon: 'test/operations/booking-period.test.ts',
  too_far_ahead: 'test/operations/booking-period.test.ts',
  account_suspended: 'test/store/account-administration.test.ts',
  origin_forbidden: 'test/infra/local/http-server.test.ts',
  compressed_only: 'test/operations/public-paths.test.ts',
  limit_reached: 'test/operations/webhooks/webhooks.test.ts',
  not_ready: 'test/operations/download/download.test.ts',
  download_failed: 'test/operations/download/download.test.ts',
  response_too_large: 'test/api/answer-size.test.ts',
  rate_limited: 'test/api/rate-limit.test.ts',
  too_many_in_flight: 'test/api/rate-limit.test.ts',
  too_many_downloads: 'test/operations/download/download.test.ts',
  too_many_holds: 'test/operations/appointments/holds.test.ts',
  outside_window: 'test/operations/appointments/arrival-windows.test.ts',
  daily_limit: 'test/operations/contacts/upload.test.ts',
  internal_error: 'test/infra/local/http-server.test.ts',
  unavailable: 'test/faults/replies.test.ts',
  too_broad: 'test/store/list-records.test.ts',
  limit: 'test/domain/pricing/limits.test.ts',
  invalid_value: 'test/domain/pricing/errors.test.ts',
};

test('every code has a call or a test that provokes it', () => {
  const provoked = { ...failures, ...fieldErrors };
  const codes = [...Object.keys(failureMeanings), ...Object.keys(fieldErrorMeanings)] as (keyof typeof provoked)[];
  expect(codes.filter((code) => !provoked[code] && !elsewhere[code])).toEqual([]);
  const unread = Object.entries(elsewhere).filter(([code, file]) => !readFileSync(file, 'utf8').includes(`'${code}'`));
  expect(unread).toEqual([]);
});

test('every code is raised somewhere', () => {
  const sources = execFileSync('git', ['grep', '-hE', "'[a-z_]+'", '--', 'lib', 'functions', 'infra/local'], {
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  const raised = (code: string) =>
    sources.split('\n').some((text) => text.includes(`'${code}'`) && !text.trim().startsWith('|'));
  const unraised = [...Object.keys(failureMeanings), ...Object.keys(fieldErrorMeanings)].filter(
    (code) => !raised(code),
  );
  expect(unraised).toEqual([]);
});

test.each<[value: unknown, code: FieldErrorCode, message: string]>([
  [Array.from({ length: 1_001 }, () => 'a'), 'too_long', 'must have at most 1000 elements'],
  ['a'.repeat(10_001), 'too_long', 'must be at most 10000 characters'],
  [1e16, 'range', 'must be at most 1e15'],
  [{}, 'type', 'must be text, a number, true or false, or a list of texts'],
])('a value of a custom field says which of its limits it exceeds', async (Value, Code, Message) => {
  const { body } = await company.call('contacts/addupdate', { Name: 'Ana', CustomFields: [{ Id: 1, Value }] });
  expect(body['Errors']).toEqual([{ Field: 'CustomFields[0].Value', Code, Message }]);
});
