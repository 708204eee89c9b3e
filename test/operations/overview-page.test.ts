import type { Proposal } from '../../lib/entities/proposals.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { DAY } from '../../lib/shared/time/time.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { type LinkedKind, listLinks, revokeLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { bookingForms, dayIn, linkContext, offered, visitLinkIn } from '../support/booking.ts';
import { someone } from '../support/booking-forms.ts';
import { type OpenedPage, openPage } from '../support/pages.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { onStack, testTable } from '../support/stack/stack.ts';
import { storeOf, accountStore } from '../../lib/store/store.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({ services: [offered] });
});

const newContact = async (Name: string): Promise<Contact> => {
  const input = { Name, Email: `${Name.replaceAll(' ', '.')}@example.com`, Zip: '62701' };
  const { body } = await company.call('contacts/addupdate', input);
  return (body['Matches'] as Contact[])[0] as Contact;
};

const overviewOf = async (id: number): Promise<string> =>
  onStack((await listLinks(linkContext(company), 'contact', id)).overview ?? '');

const revoke = async (kind: LinkedKind, id: number): Promise<void> =>
  testTable().commit(await revokeLinks(linkContext(company), kind, id));

async function invoice(ContactId: number, Description: string, more: object = {}): Promise<Invoice> {
  const Lines = [{ Description, Rate: 100, Qty: 1 }];
  const { body } = await company.call('invoice/import', {
    Invoice: { ContactId, Number: Description, Lines, ...more },
  });
  return body['Invoice'] as Invoice;
}

async function proposal(ContactId: number, Title: string, more: object = {}): Promise<Proposal> {
  const ProposalLines = [{ LineDescription: 'Work', Quantity: 2, UnitPrice: 37.5 }];
  const input = { ContactId, ServiceName: 'Lawn care', Title, Status: 'Open', ProposalLines, ...more };
  return (await company.call('proposal/create', input)).body as unknown as Proposal;
}

let hour = 8;
const visit = async (ContactId: number, Notes = '') => {
  const DateTime = `2035-03-05T${String(++hour).padStart(2, '0')}:00`;
  return slotIn(await company.book('Ann', DateTime, { ContactId, Notes, SkipConflictChecks: true }));
};

const setStatus = async (id: number, change: object): Promise<void> => {
  const before = await findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);
  if (!before) throw new Error('no visit');
  const after = { ...before, ...change };
  await testTable().commit(
    appointmentChanges({ account: company.accountId }, { before, after, now: new Date() }).changes,
  );
};

const linksIn = ({ text }: OpenedPage, page: string): string[] =>
  [...text.matchAll(new RegExp(`href="[^"]*(/c/${page}/[^"?/]+)`, 'g'))].map(([, link = '']) => link);
const pathOf = (link: string): string => link.replace(/^.*(?=\/c\/)/, '');
const words = ({ text }: OpenedPage): string =>
  text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

test('a contact sees its visits, what it can sign and pay, its papers and preferences, and each leads to its page', async () => {
  const { Id, ClientUrl = '' } = await newContact('Ana Diaz');
  const booked = await visit(Id);
  const open = await proposal(Id, 'Front beds');
  const order = await proposal(Id, 'Choose me', {
    ProposalLines: [
      { LineDescription: 'Good', Quantity: 1, UnitPrice: 10, ProposalOption: { Name: 'Good' } },
      { LineDescription: 'Best', Quantity: 1, UnitPrice: 20, ProposalOption: { Name: 'Best' } },
    ],
  });
  const signed = await proposal(Id, 'Back beds');
  const SignatureData = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"><path d="M5 40 L90 3"/></svg>')}`;
  const accepted = await company.call('proposal/accept', { ProposalId: signed.Id, Name: 'Ana Diaz', SignatureData });
  expect(accepted.status, accepted.text).toBe(200);
  const due = await invoice(Id, 'late', { Date: dayIn(-60), Terms: 'Net 15' });
  const later = await invoice(Id, 'soon', { Terms: 'Net 30' });
  const paid = await invoice(Id, 'paid', { Lines: [{ Description: 'Work', Rate: 321, Qty: 1 }] });
  for (const payment of [
    { InvoiceId: paid.Id, Amount: 351 },
    { InvoiceId: later.Id, Amount: 30 },
    { InvoiceId: later.Id, Amount: 10, Method: 'Credit' },
  ])
    expect((await company.call('payment/import', { Payment: payment })).status).toBe(200);

  expect(pathOf(ClientUrl)).toBe(pathOf(await overviewOf(Id)));
  const page = await openPage(onStack(ClientUrl));
  expect(page.status).toBe(200);
  const said = words(page);
  for (const text of ['For Ana Diaz', 'Lawn care', 'Monday, March 5, 2035 9:00 AM to 10:00 AM', 'Booked'])
    expect(said).toContain(text);
  expect(said).toContain('Credit $20.00');
  expect(words(await openPage(onStack(later.ClientPayUrl)))).toMatch(/Payment \(Credit\) [^$]+\$10\.00/);
  expect(said).toMatch(/Front beds (?:Valid until [^$]+ )?\$125\.00/);
  expect(said).toMatch(/Choose me[^$]*Choose an option/);
  expect(said).toMatch(/Invoice late Overdue\. It was due on \w+ \d+, \d{4}\. \$100\.00/);
  expect(said).toMatch(/Invoice soon Due \w+ \d+, \d{4} \$60\.00/);
  expect(said).toMatch(/Invoice paid Paid on [^$]+ · Save as PDF \$321\.00/);
  expect(said).toMatch(/Back beds Accepted on [^$]+ · Save as PDF \$125\.00/);

  expect(linksIn(page, 'visit')).toEqual([pathOf(booked.TrackingUrl)]);
  const listed = [...new Set([...linksIn(page, 'proposal'), ...linksIn(page, 'invoice')])].sort();
  const expected = [open, order, signed].map(({ ClientUrl: link }) => link);
  const billed = [due, later, paid].map(({ ClientPayUrl: link }) => link);
  expect(listed).toEqual([...expected, ...billed].map(pathOf).sort());
  for (const path of [...listed, ...linksIn(page, 'preferences'), ...linksIn(page, 'visit')])
    expect([path, (await openPage(onStack(path))).status]).toEqual([path, 200]);
  const papers = [...page.text.matchAll(/href="([^"]+\/pdf)\?lang=en"/g)].map(([, link = '']) => link);
  expect(papers).toHaveLength(2);
  for (const link of papers)
    expect((await openPage(onStack(link))).headers.get('content-type')).toBe('application/pdf');

  const spanish = await openPage(`${onStack(ClientUrl)}?lang=es`);
  expect(words(spanish)).toContain('Sus visitas y documentos');
  expect(spanish.text).toContain(`${pathOf(due.ClientPayUrl)}?lang=es`);
});

test('nothing else is on it: no record of another contact, internal, voided, canceled, over, or older than a year', async () => {
  const { Id } = await newContact('Only Mine');
  const { Id: other } = await newContact('Somebody Else');
  await proposal(other, 'secret');
  await invoice(other, 'secret');
  await visit(other, 'secret');
  await proposal(Id, 'secret internal', { Status: 'Internal' });
  const declined = await proposal(Id, 'secret declined');
  await company.call('proposal/update', { Id: declined.Id, Status: 'Declined' });
  const { Id: voided } = await invoice(Id, 'secret voided');
  await company.call('invoice/import', { Invoice: { Id: voided, Status: 'Voided' } });
  await invoice(Id, 'secret unapproved', { Status: 'Unapproved' });
  const old = await invoice(Id, 'secret old', { Date: dayIn(-400) });
  await company.call('payment/import', { Payment: { InvoiceId: old.Id, Amount: 100, Date: dayIn(-390) } });
  for (const change of [
    { Status: Status.Canceled },
    { Status: Status.Completed },
    { Status: Status.Queued, Start: null },
    { Start: Date.now() - 3 * DAY },
  ])
    await setStatus((await visit(Id)).AppointmentId, { ...change, ServiceName: 'secret visit' });
  const page = await openPage(await overviewOf(Id));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('secret');
  for (const kind of ['visit', 'proposal', 'invoice']) expect(linksIn(page, kind)).toEqual([]);
  expect(words(page)).toContain('You are all caught up');
});

test('a list has the newest 50', async () => {
  const { Id } = await newContact('Many Papers');
  for (let index = 1; index <= 52; index++) await invoice(Id, `n${index}`, { Date: dayIn(-60 + index) });
  const page = await openPage(await overviewOf(Id));
  expect(linksIn(page, 'invoice').length).toBe(50);
  const said = words(page);
  expect(said).not.toContain('Invoice n2 ');
  expect(said).toContain('Invoice n3 ');
});

test('the pages of a contact lead to it, in their language and no longer than their own link', async () => {
  const { Id, ClientUrl: overview = '' } = await newContact('Led There');
  const { ClientUrl } = await proposal(Id, 'Beds');
  const { ClientPayUrl } = await invoice(Id, 'bill');
  const { TrackingUrl } = await visit(Id);
  const finished = await visit(Id);
  await setStatus(finished.AppointmentId, { Status: Status.Completed });
  const { feedback = '' } = await listLinks(linkContext(company), 'visit', finished.AppointmentId);
  const { card = '' } = await listLinks(linkContext(company), 'contact', Id);
  for (const link of [ClientUrl, ClientPayUrl, TrackingUrl, feedback, card]) {
    const page = await openPage(`${onStack(link)}?lang=es`);
    expect([link, linksIn(page, 'overview')]).toEqual([link, [pathOf(overview)]]);
    expect(page.text).toContain(`${pathOf(overview)}?lang=es`);
  }
  const before = { ...linkContext(company), now: new Date(Date.now() - 32 * DAY) };
  const { visit: older = '' } = await listLinks(before, 'visit', finished.AppointmentId);
  const [led = ''] = linksIn(await openPage(onStack(older)), 'overview');
  const lastDay = (link: string) => link.split('-')[3];
  expect(lastDay(led)).toBe(lastDay(older));
  const onward = await openPage(onStack(led));
  expect(new Set(linksIn(onward, 'invoice').map(lastDay))).toEqual(new Set([lastDay(older)]));
});

test('a page of a visit that a stranger booked leads to nothing of the contact, also of one who is known', async () => {
  const { Id, Email } = await newContact('Known Client');
  await invoice(Id, 'secret');
  const forms = await bookingForms(company);
  const client = someone({ name: 'Known Client', email: Email });
  const answer = await forms.send(77, { ...client, slot: String(forms.starts[0]) });
  const followed = visitLinkIn(answer);
  expect(followed).not.toBe('');
  const [own = ''] = linksIn(await openPage(await overviewOf(Id)), 'visit');
  for (const link of [followed, own]) {
    const page = await openPage(onStack(link));
    expect(page.status).toBe(200);
    for (const text of ['/c/overview/', '/c/preferences/', 'secret']) expect(page.text).not.toContain(text);
  }
});

test('revoking the links of a contact ends it, and no page of a record leads to a new one', async () => {
  const { Id } = await newContact('Revoked Once');
  const bill = await invoice(Id, 'first');
  const other = await invoice(Id, 'second');
  const link = await overviewOf(Id);
  expect(linksIn(await openPage(link), 'invoice')).toHaveLength(2);
  await revoke('invoice', other.Id ?? 0);
  expect(linksIn(await openPage(link), 'invoice')).toEqual([pathOf(bill.ClientPayUrl)]);
  await revoke('contact', Id);
  const dead = await openPage(link);
  expect([dead.status, dead.text.includes('Revoked Once')]).toEqual([404, false]);
  const page = await openPage(onStack(bill.ClientPayUrl));
  expect([page.status, linksIn(page, 'overview')]).toEqual([200, []]);
  const renewed = await openPage(await overviewOf(Id));
  expect([renewed.status, linksIn(renewed, 'invoice').length]).toEqual([200, 2]);
});

test('an erased contact has none, and keys that get no links get none', async () => {
  const { Id } = await newContact('Soon Erased');
  const link = await overviewOf(Id);
  expect((await openPage(link)).status).toBe(200);
  await eraseContact(accountStore(testTable(), company.accountId), {
    contactId: Id,
    files: undefined,
    discardedPrefix: 'none/',
    settleMilliseconds: 0,
  });
  expect((await openPage(link)).status).toBe(404);

  const { Ann: agentId = 0 } = company.agents;
  const key = await company.newKey({ role: 'ServiceAgent', organizationId: company.organizationId, agentId });
  await visit(company.contact);
  const seen = await company.call('contacts/locate', { IdSearch: company.contact }, { key });
  expect((seen.body['Matches'] as Contact[]).map(({ ClientUrl }) => ClientUrl)).toEqual(['']);
});
