import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { clientContext } from '../../lib/workflows/pages/client.ts';
import { type LinkedKind, listLinks, revokeLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { loadFeedbackPage } from '../../lib/workflows/pages/visit.ts';
import { bookingForms, linkContext, offered } from '../support/booking.ts';
import { linksIn, someone } from '../support/booking-forms.ts';
import { mergesOf } from '../support/merges.ts';
import { hiddenFields, openPage, sendFrom } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { onStack, testTable } from '../support/stack/stack.ts';
import { storeOf } from '../../lib/store/store.ts';

let company: Bookable;
let merges: ReturnType<typeof mergesOf>;
let names = 0;
beforeAll(async () => {
  company = await bookable({ services: [offered] });
  merges = mergesOf(company);
});

const newContact = () => merges.add({ Name: 'Ann Lee', Email: `ann${++names}@example.com`, Zip: '62701' });
const linkOf = async (id: number, page: 'overview' | 'preferences'): Promise<string> =>
  onStack((await listLinks(linkContext(company), 'contact', id))[page] ?? '');
const revoke = async (kind: LinkedKind, id: number): Promise<void> =>
  testTable().commit(await revokeLinks(linkContext(company), kind, id));
const invoice = async (ContactId: number, Number: string): Promise<Invoice> =>
  (await merges.send('invoice/import', { Invoice: { ContactId, Number, Lines: [{ Rate: 100, Qty: 1 }] } }))[
    'Invoice'
  ] as Invoice;

async function merge(kept: Contact, merged: Contact): Promise<void> {
  await merges.send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
  await merges.finish(kept.Id, merged.Id, 0);
}

async function unmerge(kept: Contact, merged: Contact): Promise<void> {
  await merges.send('contacts/unmerge', { MergeId: merged.Id });
  await merges.finish(kept.Id, merged.Id, 0);
}

const statusOf = async (link: string): Promise<number> => (await openPage(link)).status;

test('links that were revoked while two contacts were one open nothing after the undo, and new ones do', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const [own, other] = [await linkOf(kept.Id, 'overview'), await linkOf(merged.Id, 'overview')];
  await merge(kept, merged);
  expect([await statusOf(own), await statusOf(other)]).toEqual([200, 200]);
  await revoke('contact', merged.Id);
  expect([await statusOf(own), await statusOf(other)]).toEqual([404, 404]);
  expect(await statusOf(await linkOf(merged.Id, 'overview'))).toBe(200);
  await unmerge(kept, merged);
  expect([await statusOf(own), await statusOf(other)]).toEqual([404, 404]);
  for (const { Id } of [kept, merged]) expect(await statusOf(await linkOf(Id, 'overview'))).toBe(200);
});

test('an old link of a merged contact leads to no record whose links were revoked, by no way', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const old = await linkOf(merged.Id, 'overview');
  const [hidden, shown] = [await invoice(kept.Id, 'hidden'), await invoice(kept.Id, 'shown')];
  await revoke('invoice', hidden.Id ?? 0);
  await revoke('contact', kept.Id);
  await merge(kept, merged);
  const met = new Set<string>();
  for (const queue = [old]; queue.length;) {
    const link = queue.pop() ?? '';
    const page = await openPage(link);
    expect([link, page.status]).toEqual([link, 200]);
    met.add(new URL(link).pathname);
    for (const next of linksIn(page, '/c/')) {
      const { pathname, href } = new URL(next, link);
      if (!met.has(pathname) && !/assets|logo|\/pdf$|\.ics/.test(pathname)) queue.push(href);
    }
  }
  const invoices = [...met].filter((path) => path.includes('/c/invoice/'));
  expect(invoices).toEqual([new URL(shown.ClientPayUrl ?? '').pathname]);
  expect([...met].some((path) => path.includes('/c/preferences/'))).toBe(true);
});

test('a refusal by a link of the time between is kept by both after the undo', async () => {
  const [kept, merged] = [await newContact(), await newContact()];
  const preferences = await linkOf(merged.Id, 'preferences');
  await merge(kept, merged);
  const page = await openPage(preferences);
  expect((await sendFrom('127.0.9.1', preferences, hiddenFields(page.text, 'save-preferences'))).status).toBe(303);
  expect(await merges.locate(kept.Id)).toMatchObject({ DoNotEmail: true, DoNotText: true, Unsubscribed: true });
  await unmerge(kept, merged);
  for (const { Id } of [kept, merged])
    expect(await merges.locate(Id)).toMatchObject({ Id, DoNotEmail: true, DoNotText: true, Unsubscribed: true });
});

test('a stranger who booked a visit gets no e-mail of the contact that it came to by a merge', async () => {
  const { starts, send } = await bookingForms(company);
  const stranger = someone({ email: 'stranger@example.com', slot: String(starts[0]) });
  expect((await send(4, stranger)).status).toBe(200);
  const { body } = await company.call('contacts/locate', { EmailSearch: 'stranger@example.com' });
  const [booked] = body['Matches'] as Contact[];
  const kept = await newContact();
  if (!booked) throw new Error('not booked');
  await merge(kept, booked);
  const { Appointments } = await merges.send('appointments/query', { ContactId: kept.Id, FromDate: '2020-01-01' });
  const [{ AppointmentId: Id = 0 } = {}] = Appointments as { AppointmentId?: number }[];
  const scope = { account: company.accountId, organizationId: null };
  const before = await findAppointment(storeOf(testTable(), scope), Id);
  if (!before) throw new Error('no visit');
  const after = { ...before, Status: Status.Completed };
  await testTable().commit(
    appointmentChanges({ account: company.accountId }, { before, after, now: new Date() }).changes,
  );
  const target = { page: 'feedback', account: company.accountId, id: Id, generation: 0, lastDay: 0 } as const;
  const call = { target, now: new Date(), requestId: 'test', sourceIp: '127.0.0.1' };
  expect(await loadFeedbackPage(clientContext(testTable(), call))).toMatchObject({ email: '', overviewLink: '' });
});
