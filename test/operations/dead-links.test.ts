import type { AppointmentSlot } from '../../lib/entities/appointments.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { type LinkedKind, listLinks, revokeLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { type TestAccount, onStack, testAccount, testTable } from '../support/stack/stack.ts';
import { callerContext } from '../../lib/workflows/context.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

let account: TestAccount;
let contact: number;
let proposal: Proposal;
/** One that can be booked. */
let company: Bookable;

beforeAll(async () => {
  company = await bookable();
  account = await testAccount({ organizationName: 'Evergreen' });
  await writeBook(account.accountId, { services: [{ Name: 'Beds' }] });
  const made = await account.call('contacts/addupdate', { Name: 'Ana Diaz', Email: 'ana@example.com' });
  contact = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  const input = { ContactId: contact, ServiceName: 'Beds', Title: 'Front beds', Status: 'Open' };
  proposal = (await account.call('proposal/create', input)).body as unknown as Proposal;
});

/** A link as it was made half a year ago. */
const expiredLink = async (page: 'proposal' | 'preferences', id: number): Promise<string> => {
  const then = new Date(Date.now() - 183 * 24 * 60 * 60 * 1000);
  return onStack((await findAccountLinks(accountStore(testTable(), account.accountId), then))(page, id, 0));
};

const tasksOf = async (ContactId: number): Promise<Task[]> =>
  (await account.call('task/query', { ContactId })).body['Tasks'] as Task[];

const names = ['Ana', 'Evergreen', 'Front beds'];

test('an expired link says whose it was in no way, and hands a question to the office', async () => {
  const link = await expiredLink('proposal', proposal.Id);
  const page = await openPage(link);
  expect(page.status).toBe(404);
  for (const name of names) expect(page.text).not.toContain(name);
  const sent = await sendForm(link, page, 'ask', { from: 'A. Diaz, 555-0100', message: 'I want to sign' });
  expect(sent.status).toBe(303);
  const [task] = await tasksOf(contact);
  expect(task?.Description).toContain('I want to sign');
  expect(task?.Description).toContain('A. Diaz, 555-0100');
  const after = await openPage(new URL(sent.headers.get('location') ?? '', link).href);
  expect(after.text).toContain('we have received your message');
  for (const name of names) expect(after.text).not.toContain(name);
});

test('a revoked link asks too; one that is good does not', async () => {
  const link = onStack((await account.call('proposal/details', { Id: proposal.Id })).body['ClientUrl'] as string);
  const good = await openPage(link);
  expect(good.text).not.toContain('value="ask"');
  expect((await sendForm(link, good, 'accept', { action: 'ask', from: 'x', message: 'y' })).text).toContain(
    'Front beds',
  );
  const caller = accountCaller(account.accountId, { role: 'Owner' });
  await testTable().commit(await revokeLinks(callerContext(testTable(), caller, new Date()), 'proposal', proposal.Id));
  const page = await openPage(link);
  expect(page.status).toBe(404);
  for (const name of names) expect(page.text).not.toContain(name);
  const wrong = await sendForm(link, page, 'ask', { from: ' ', message: 'Again' });
  expect(wrong.text).toContain('id="from-error"');
  expect(wrong.text).toContain('role="alert"');
  expect((await sendForm(link, page, 'ask', { from: 'Ana', message: 'Again' })).status).toBe(303);
});

describe('a form that was open when its link was revoked changes nothing', () => {
  const revoke = async (kind: LinkedKind, id: number) => {
    const caller = accountCaller(company.accountId, { role: 'Owner' });
    await testTable().commit(await revokeLinks(callerContext(testTable(), caller, new Date()), kind, id));
  };
  const stored = async (id: number) =>
    await findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);

  test.each([
    ['accept', { name: 'Ana Diaz' }],
    ['decline', { reason: 'No' }],
  ])('%s of a proposal', async (action, fields) => {
    const input = { ContactId: company.contact, ServiceName: 'Lawn care', Status: 'Open' };
    const { Id, ClientUrl } = (await company.call('proposal/create', input)).body as unknown as Proposal;
    const link = onStack(ClientUrl);
    const form = await openPage(link);
    await revoke('proposal', Id);
    expect((await sendForm(link, form, action, fields)).status).toBe(404);
    expect((await company.call('proposal/details', { Id })).body).toMatchObject({ Status: 'Open', ProposalNotes: [] });
  });

  test.each([
    ['confirm', {}, Status.Tentative],
    ['another-time', { message: 'Later' }, Status.Scheduled],
    ['feedback', { score: '1', note: 'Bad' }, Status.Completed],
  ])('%s of a visit', async (action, fields, status) => {
    const day = String(11 + status).padStart(2, '0');
    const slot = slotIn(await company.book('Ann', `2035-03-${day}T09:00`));
    const before = await stored(slot.AppointmentId);
    if (!before) throw new Error('no visit');
    const now = new Date();
    const { changes } = appointmentChanges(
      { account: company.accountId },
      { before, after: { ...before, Status: status }, now },
    );
    await testTable().commit(changes);
    const { body } = await company.call('appointments/find', { AppointmentId: slot.AppointmentId });
    const [{ TrackingUrl = '', TipUrl = '' } = {}] = body['Slots'] as AppointmentSlot[];
    const link = onStack(action === 'feedback' ? TipUrl : TrackingUrl);
    const form = await openPage(link);
    expect(form.text).toContain(`value="${action}"`);
    await revoke('visit', slot.AppointmentId);
    expect((await sendForm(link, form, action, fields)).status).toBe(404);
    expect(await stored(slot.AppointmentId)).toMatchObject({ Status: status, Feedback: null });
    expect((await company.call('task/query', { ContactId: company.contact })).body['Tasks']).toEqual([]);
  });

  test('preferences, and the one click of a mail program', async () => {
    const context = callerContext(testTable(), accountCaller(company.accountId, { role: 'Owner' }), new Date());
    const { preferences = '' } = await listLinks(context, 'contact', company.contact);
    const link = onStack(preferences);
    const form = await openPage(link);
    await revoke('contact', company.contact);
    expect((await sendForm(link, form, 'save-preferences', { byText: '1' })).status).toBe(404);
    const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(link, { method: 'POST', body: oneClick })).status).toBe(404);
    const { body } = await company.call('contacts/locate', { IdSearch: company.contact });
    expect(body['Matches']).toMatchObject([{ DoNotEmail: false, Unsubscribed: false }]);
  });
});

test('questions by one link end after five on a day, with a sentence', async () => {
  const link = await expiredLink('preferences', contact);
  const page = await openPage(link);
  const before = (await tasksOf(contact)).length;
  const ask = () => sendForm(link, page, 'ask', { from: 'Ana', message: 'Hello' });
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await ask()).status);
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  expect((await ask()).text).toContain('Too many attempts');
  expect(await tasksOf(contact)).toHaveLength(before + 5);
});
