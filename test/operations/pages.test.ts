import type { Proposal } from '../../lib/entities/proposals.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AppointmentRecord, type AppointmentSlot, appointmentEntity } from '../../lib/entities/appointments.ts';
import { DAY, MINUTE } from '../../lib/shared/time/time.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import { verifyEvidence } from '../../lib/domain/signing/verify.ts';
import { findEvidence, sha256 } from '../../lib/store/sales/evidence.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { writeBook } from '../support/price-book.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

let account: TestAccount;
let contact: number;

beforeAll(async () => {
  account = await testAccount({ organizationName: 'Evergreen <b>& Sons' });
  await writeBook(account.accountId, { services: [{ Name: 'Beds' }] });
  const { body } = await account.call('contacts/addupdate', {
    Name: 'Ana <i>Diaz',
    Address1: '12 Main St',
    City: 'Springfield',
    Email: 'ana@example.com',
  });
  contact = (body['Matches'] as Contact[])[0]?.Id ?? 0;
});

/** An open proposal with two options, of which the first is selected. */
async function openProposal(input: object = {}): Promise<Proposal> {
  const { body } = await account.call('proposal/create', {
    ContactId: contact,
    ServiceName: 'Beds',
    Title: 'Front beds',
    Status: 'Open',
    ProposalLines: [
      { LineDescription: 'Travel', Quantity: 1, UnitPrice: 10 },
      { LineDescription: 'Good bed', Quantity: 1, UnitPrice: 100, ProposalOption: { Name: 'Good', Selected: true } },
      { LineDescription: 'Best bed', Quantity: 1, UnitPrice: 300, ProposalOption: { Name: 'Best' } },
      { LineDescription: 'Our margin', Quantity: 1, UnitPrice: 5, IsInternal: true },
    ],
    ...input,
  });
  expect(body['Message']).toBeTypeOf('string');
  return body as unknown as Proposal;
}

const get = (address: string, headers: Record<string, string> = {}) => fetch(address, { headers, redirect: 'manual' });
const textOf = async (address: string): Promise<string> => (await get(address)).text();

/** The value of a hidden field of the form that does `action`. */
function hidden(page: string, action: string, name: string): string[] {
  const [, form = ''] = new RegExp(`value="${action}"([\\s\\S]*?)</form>`).exec(page) ?? [];
  return [...form.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

/** Sends a form of a page, as a browser does. */
async function send(
  address: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = { 'Sec-Fetch-Site': 'same-origin' },
): Promise<Response> {
  const page = await textOf(address);
  const body = new URLSearchParams({ action, token: hidden(page, action, 'token')[0] ?? '', ...fields });
  for (const name of ['shown', 'option']) {
    if (name in fields) continue;
    for (const value of hidden(page, action, name)) body.append(name, value);
  }
  return fetch(address, { method: 'POST', body, headers, redirect: 'manual' });
}

const detailsOf = async (Id: number): Promise<Proposal> =>
  (await account.call('proposal/details', { Id })).body as unknown as Proposal;

describe('a link', () => {
  test('opens one page of one record, and no altered one opens anything', async () => {
    const { ClientUrl } = await openProposal();
    expect((await get(ClientUrl)).status).toBe(200);
    const path = ClientUrl.slice(ClientUrl.indexOf('/c/'));
    const handle = path.slice('/c/proposal/'.length);
    const altered = Array.from(handle).flatMap((character, index) => {
      const at = '/c/proposal/'.length + index;
      return ['0', 'a', 'Z', '-'].map(
        (other) => path.slice(0, at) + (other === character ? '_' : other) + path.slice(at + 1),
      );
    });
    const others = ['invoice', 'visit', 'feedback', 'preferences'].map((page) => path.replace('proposal', page));
    const padded = path.replace(/-(\w+)-(\w+)-(\w+)-/, '-0$1-$2-$3-');
    const answers = await Promise.all(
      [...altered, ...others, padded].map(async (each) => {
        const answer = await get(`${testStack().BaseUrl}${each}`);
        return [answer.status, await answer.text()] as const;
      }),
    );
    expect(answers.filter(([status]) => status !== 404)).toEqual([]);
    expect(answers.filter(([, text]) => text.includes('Evergreen'))).toEqual([]);
  });

  test('is in answers to keys that write, and in no others', async () => {
    const { Id, ClientUrl } = await openProposal();
    const read = await account.newKey({ role: 'ReadOnly' });
    const { body } = await account.call('proposal/details', { Id }, { key: read });
    expect([ClientUrl.startsWith(testStack().BaseUrl), body['ClientUrl']]).toEqual([true, '']);
    await drainEvents();
    const linkIn = async (key: string) => {
      const fetched = await account.call('datasubscriber/fetch', { EventCount: 1000 }, { key });
      const events = fetched.body['Events'] as { Payload: { Kind: string; Id: number; Data: Proposal } }[];
      return events.find(({ Payload }) => Payload.Kind === 'proposal.created' && Payload.Id === Id)?.Payload.Data
        .ClientUrl;
    };
    expect(await linkIn(account.key)).toBe(ClientUrl);
    expect(await linkIn(await account.newKey({ role: 'DataSubscriber' }))).toBe('');
  });

  test('of another account opens nothing', async () => {
    const other = await testAccount();
    const { ClientUrl } = await openProposal();
    const answer = await get(ClientUrl.replace(account.accountId, other.accountId));
    expect(answer.status).toBe(404);
  });

  test('of a voided invoice opens nothing, and an internal proposal has none', async () => {
    const { body } = await account.call('invoice/import', {
      Invoice: { ContactId: contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
    });
    const invoice = body['Invoice'] as Invoice;
    expect((await get(invoice.ClientPayUrl)).status).toBe(200);
    const voided = await account.call('invoice/import', { Invoice: { Id: invoice.Id, Status: 'Voided' } });
    expect((voided.body['Invoice'] as Invoice).ClientPayUrl).toBe('');
    expect((await get(invoice.ClientPayUrl)).status).toBe(404);
    expect((await openProposal({ Status: 'Internal' })).ClientUrl).toBe('');
  });

  test('has a page that nobody keeps, frames or indexes, and that runs no script but ours', async () => {
    const { ClientUrl } = await openProposal();
    const { headers } = await get(ClientUrl);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

describe('a proposal', () => {
  test('shows what is signed, escaped, without what is internal', async () => {
    const { ClientUrl } = await openProposal({ CustomerNotes: '<script>alert(1)</script>' });
    const page = await textOf(ClientUrl);
    for (const text of ['Evergreen &lt;b&gt;&amp; Sons', 'Ana &lt;i&gt;Diaz', 'Front beds', '$110.00', '$310.00'])
      expect(page).toContain(text);
    expect(page).not.toContain('Our margin');
    expect(page).not.toContain('<script>alert');
  });

  test('is priced for another choice by a GET, which changes nothing', async () => {
    const before = await openProposal();
    const best = before.ProposalLines.find(({ ProposalOption }) => ProposalOption?.Name === 'Best')?.ProposalOption?.Id;
    const page = await textOf(`${before.ClientUrl}?choose=1&option=${best}`);
    expect(page).toMatch(/<dt>Total<\/dt>\s*<dd>\$310\.00<\/dd>/);
    expect(await detailsOf(before.Id)).toEqual({ ...before, Message: '' });
  });

  test('is signed with the choice of the client, and its evidence holds', async () => {
    const before = await openProposal({ DepositRequired: true, DepositRate: 50 });
    const best = before.ProposalLines.find(({ ProposalOption }) => ProposalOption?.Name === 'Best')?.ProposalOption?.Id;
    const chosen = `${before.ClientUrl}?choose=1&option=${best}`;
    const signed = await send(chosen, 'accept', { name: 'Ana Diaz' });
    expect(signed.status).toBe(303);
    const after = await detailsOf(before.Id);
    expect([after.Status, after.SelectedSolution?.Name, after.Subtotal]).toEqual(['Accepted', 'Best', 310]);
    const found = await findEvidence(accountStore(testTable(), account.accountId), before.Id);
    if (found.kind !== 'found') throw new Error(found.kind);
    const failed = verifyEvidence(found.evidence, sha256, undefined).filter(({ Passed }) => !Passed);
    expect(failed).toEqual([]);
    expect(found.evidence.Content).toContain('I accept this proposal of Evergreen');
    const page = await textOf(before.ClientUrl);
    expect(page).toContain('Ana Diaz accepted this proposal');
    const [deposit = ''] = /http:[^"]*\/c\/invoice\/[\w-]+/.exec(page) ?? [];
    expect(await textOf(deposit)).toContain('$155.00');
  });

  test('that has changed since its page was opened is not signed', async () => {
    const { Id, ClientUrl, ProposalLines } = await openProposal();
    const page = await textOf(ClientUrl);
    await account.call('proposal/update', { Id, ProposalLines: [{ Id: ProposalLines[0]?.Id, UnitPrice: 20 }] });
    const answer = await send(ClientUrl, 'accept', { name: 'Ana', shown: hidden(page, 'accept', 'shown')[0] ?? '' });
    expect(answer.status).toBe(409);
    const shown = await answer.text();
    expect(shown).toContain('This proposal has changed since you opened it');
    expect(shown).toContain('$120.00');
    expect((await detailsOf(Id)).Status).toBe('Open');
  });

  test('that 50 clients sign at once is signed once', async () => {
    const { Id, ClientUrl } = await openProposal();
    const page = await textOf(ClientUrl);
    const body = (name: string) =>
      new URLSearchParams({
        action: 'accept',
        token: hidden(page, 'accept', 'token')[0] ?? '',
        shown: hidden(page, 'accept', 'shown')[0] ?? '',
        option: hidden(page, 'accept', 'option')[0] ?? '',
        name,
      });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        fetch(ClientUrl, {
          method: 'POST',
          body: body(`Signer ${index}`),
          headers: { 'Sec-Fetch-Site': 'same-origin' },
          redirect: 'manual',
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await detailsOf(Id)).Status).toBe('Accepted');
  });

  test('is declined with a reason, which the office reads', async () => {
    const { Id, ClientUrl } = await openProposal();
    expect((await send(ClientUrl, 'decline', { reason: 'Too expensive' })).status).toBe(303);
    const after = await detailsOf(Id);
    expect([after.Status, after.ProposalNotes[0]?.Note]).toEqual(['Declined', 'Too expensive']);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', { EventCount: 500 });
    const declined = (body['Events'] as { Payload: { Kind: string; Id: number; Actor?: unknown } }[]).find(
      ({ Payload }) => Payload.Kind === 'proposal.declined' && Payload.Id === Id,
    );
    expect(declined?.Payload.Actor).toMatchObject({ Name: 'Client page' });
    expect(await textOf(ClientUrl)).toContain('This proposal was declined');
  });

  test('is signed by no form of another site, without the token of the page, or without a name', async () => {
    const { Id, ClientUrl } = await openProposal();
    const answers = await Promise.all([
      send(ClientUrl, 'accept', { name: 'Ana' }, { 'Sec-Fetch-Site': 'cross-site' }),
      send(ClientUrl, 'accept', { name: 'Ana' }, { Origin: 'https://evil.example' }),
      send(ClientUrl, 'accept', { name: 'Ana' }, {}),
      send(ClientUrl, 'accept', { name: 'Ana', token: 'x'.repeat(22) }),
      send(ClientUrl, 'accept', { name: '  ' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400]);
    expect((await detailsOf(Id)).Status).toBe('Open');
  });

  test('is in Spanish for a browser that asks for it, and by the switch', async () => {
    const { ClientUrl } = await openProposal();
    const spanish = await (await get(ClientUrl, { 'Accept-Language': 'es-MX,es;q=0.9,en;q=0.8' })).text();
    expect(spanish).toContain('<html lang="es">');
    expect(spanish).toContain('Firmar y aceptar');
    expect(await textOf(`${ClientUrl}?lang=es`)).toContain('Firmar y aceptar');
  });
});

describe('an invoice', () => {
  test('has the same figures on its page and in its PDF, and says how to pay', async () => {
    const { body } = await account.call('invoice/import', {
      Invoice: {
        ContactId: contact,
        TaxRate: 10,
        Terms: 'Pay within 30 days.',
        Lines: [{ Description: 'Wörk für Ωμέγα и Анна', Rate: 1234.5, Qty: 2, Taxable: true }],
      },
    });
    const { ClientPayUrl, ClientPdfUrl } = body['Invoice'] as Invoice;
    const page = await textOf(ClientPayUrl);
    for (const figure of ['$2,469.00', '$246.90', '$2,715.90']) expect(page).toContain(figure);
    expect(page).toContain('Pay within 30 days.');
    const answer = await get(ClientPdfUrl);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const pdf = Buffer.from(await answer.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

let lastVisit = 900_000;

/** A visit tomorrow at 14:00 UTC, with its links. */
async function someVisit(input: Partial<AppointmentRecord> = {}): Promise<AppointmentSlot> {
  const Start = Math.floor(Date.now() / DAY + 1) * DAY + 14 * 60 * MINUTE;
  const after = appointmentEntity.blank({
    Id: ++lastVisit,
    OrganizationId: 1,
    ContactId: contact,
    Status: Status.Scheduled,
    HashKey: `hash${lastVisit}`,
    Start,
    Duration: 60,
    Zone: 'America/New_York',
    ServiceName: 'Windows; all',
    Created: Date.now(),
    ...input,
  });
  const { changes } = appointmentChanges({ account: account.accountId }, { before: undefined, after, now: new Date() });
  await testTable().commit(changes);
  const { body } = await account.call('appointments/find', { AppointmentId: lastVisit, IncludeCompleted: true });
  return (body['Slots'] as AppointmentSlot[])[0] as AppointmentSlot;
}

describe('a visit', () => {
  test('shows its window in the zone of its organization, and its calendar file', async () => {
    const visit = await someVisit();
    const page = await textOf(visit.TrackingUrl);
    expect(page).toContain('Your visit');
    expect(page).toContain('12 Main St');
    const calendar = await get(`${visit.TrackingUrl}/visit.ics`);
    expect(calendar.headers.get('content-type')).toContain('text/calendar');
    const file = await calendar.text();
    expect(file).toContain('SUMMARY:Windows\\; all');
    expect(file.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  });

  test('gets a wish for another time as a task of the office, and stays as it is', async () => {
    const visit = await someVisit();
    const sent = await send(visit.TrackingUrl, 'another-time', { message: 'Next week, please' });
    expect(sent.status).toBe(303);
    const tasks = await account.call('task/query', { ContactId: contact });
    expect(JSON.stringify(tasks.body)).toContain('Next week, please');
    expect((await send(visit.TrackingUrl, 'another-time', { message: ' ' })).status).toBe(400);
  });

  test('that is finished asks for feedback, which is stored', async () => {
    const visit = await someVisit({ Status: Status.Completed });
    expect((await send(visit.TipUrl, 'feedback', { score: '9', note: 'On time', contact: '1' })).status).toBe(303);
    const stored = await findAppointment(
      storeOf(testTable(), { account: account.accountId, organizationId: null }),
      visit.AppointmentId,
    );
    expect(stored?.Feedback).toMatchObject({ Score: 9, Note: 'On time', ContactMe: true });
    expect((await send(visit.TipUrl, 'feedback', {})).status).toBe(400);
  });
});

describe('the preferences of a contact', () => {
  const preferencesOf = async (): Promise<string> => {
    const { ClientUrl } = await openProposal();
    return /http:[^"]*\/c\/preferences\/[\w-]+/.exec(await textOf(ClientUrl))?.[0] ?? '';
  };
  const stored = async (): Promise<Contact> =>
    ((await account.call('contacts/locate', { IdSearch: contact })).body['Matches'] as Contact[])[0] as Contact;

  test('are saved, and shown again', async () => {
    const address = await preferencesOf();
    const wanted = { byEmail: '1', byText: '1', withOffers: '1' };
    expect((await send(address, 'save-preferences', { ...wanted, byText: '0' })).status).toBe(303);
    expect(await stored()).toMatchObject({ DoNotText: true, DoNotEmail: false, Unsubscribed: false });
    expect((await send(address, 'save-preferences', wanted)).status).toBe(303);
    expect(await stored()).toMatchObject({ DoNotText: false, Language: '' });
    expect((await send(address, 'save-preferences', { ...wanted, language: 'es' })).status).toBe(303);
    expect(await stored()).toMatchObject({ Language: 'es' });
    expect(await textOf(address)).toMatch(/value="es" lang="es" {2}selected>\s*Español/);
    expect((await send(address, 'save-preferences', { ...wanted, language: 'xx' })).status).toBe(303);
    expect(await stored()).toMatchObject({ Language: 'es' });
    expect((await send(address, 'save-preferences', { action: 'preferences', noEmail: '1' })).status).toBe(303);
    expect(await stored()).toMatchObject({ DoNotEmail: false });
  });

  test('end e-mails by the one click of a mail program (RFC 8058), and by no GET', async () => {
    const address = await preferencesOf();
    await get(address);
    expect(await stored()).toMatchObject({ DoNotEmail: false });
    const [name, value] = ['List-Unsubscribe', 'One-Click'];
    const multipart = new FormData();
    multipart.set(name, value);
    const bodies = [new URLSearchParams({ [name]: value }), multipart, `${name}=${value}\r\n`, undefined];
    for (const body of bodies) {
      await send(address, 'save-preferences', { byEmail: '1', byText: '1', withOffers: '1' });
      expect(await stored()).toMatchObject({ DoNotEmail: false, Unsubscribed: false });
      expect((await fetch(address, { method: 'POST', ...(body ? { body } : {}) })).status).toBe(200);
      expect(await stored()).toMatchObject({ DoNotEmail: true, Unsubscribed: true });
    }
    expect((await fetch(address, { method: 'POST', body: 'List-Unsubscribe=Two-Clicks' })).status).toBe(403);
  });

  const form = 'application/x-www-form-urlencoded';
  const boundary = '----=_Part_7';
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n`;
  test.each([
    ['Gmail', form, 'List-Unsubscribe=One-Click', {}],
    ['Yahoo', `multipart/form-data; boundary="${boundary}"`, `${part}--${boundary}--\r\n`, {}],
    ['Apple', `${form}; charset=utf-8`, 'List-Unsubscribe=One-Click', { 'Sec-Fetch-Site': 'none' }],
    ['a program that sends text', 'text/plain', 'List-Unsubscribe=One-Click\r\n', {}],
    ['a program that sends nothing', form, '', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('end e-mails by the click of %s, as it is sent: without token and from elsewhere', async (_, type, body, more) => {
    const address = await preferencesOf();
    await send(address, 'save-preferences', { byEmail: '1', byText: '1', withOffers: '1' });
    const answer = await fetch(address, { method: 'POST', body, headers: { 'content-type': type, ...more } });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await stored()).toMatchObject({ DoNotEmail: true, Unsubscribed: true, DoNotText: false });
  });
});
