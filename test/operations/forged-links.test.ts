import type { Proposal } from '../../lib/entities/proposals.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { ClientPage } from '../../lib/domain/client-pages.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { layout } from '../../lib/store/keys.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { connectStripe } from '../support/payments.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

/** A link of `/c/{page}/{handle}`, and the files that its page has. */
interface Link {
  readonly page: ClientPage;
  readonly handle: string;
  readonly files: readonly string[];
}

const NAMES = ['José', 'Lawn care', 'Bed with roses'];
/** Of each character. */
const FORGERIES = Number(process.env['FORGERIES'] ?? 1);
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';

let company: Bookable;
let proposal: Proposal;
let links: readonly Link[];

beforeAll(async () => {
  company = await bookable();
  await connectStripe(company);
  const { contact: ContactId } = company;
  const line = { Quantity: 1, UnitPrice: 10, LineDescription: 'Bed with roses' };
  const draft = { ContactId, ServiceName: 'Lawn care', Status: 'Open', ProposalLines: [line] };
  proposal = (await company.call('proposal/create', draft)).body as unknown as Proposal;
  const Lines = [{ Description: 'Bed with roses', Rate: 10, Qty: 1 }];
  const { body } = await company.call('invoice/import', { Invoice: { ContactId, Lines } });
  const invoice = body['Invoice'] as Invoice;
  const visit = slotIn(await company.book('Ann', '2035-03-05T09:00')).AppointmentId;
  const finished = await finish(slotIn(await company.book('Ann', '2035-03-06T09:00')).AppointmentId);
  const address = await findAccountLinks(accountStore(testTable(), company.accountId), new Date());
  const linkOf = (page: ClientPage, id: number, ...files: string[]): Link => ({
    page,
    handle: address(page, id, 0).split('/').at(-1) ?? '',
    files,
  });
  links = [
    linkOf('proposal', proposal.Id, 'pdf'),
    linkOf('invoice', invoice.Id ?? 0, 'pdf'),
    linkOf('visit', visit, 'visit.ics'),
    linkOf('feedback', finished),
    linkOf('preferences', ContactId),
    linkOf('card', ContactId),
    linkOf('overview', ContactId),
    linkOf('booking', company.organizationId),
  ];
});

async function finish(id: number): Promise<number> {
  const before = await findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);
  if (!before) throw new Error('no visit');
  const after = { ...before, Status: Status.Completed };
  await testTable().commit(
    appointmentChanges({ account: company.accountId }, { before, after, now: new Date() }).changes,
  );
  return id;
}

const addressOf = (page: string, handle: string): string => `${testStack().BaseUrl}/c/${page}/${handle}`;

/** Each character replaced, and each part by that of another link, by its neighbours, and by other spellings of it. */
function forgeriesOf({ page, handle }: Link, other: TestAccount): string[] {
  const altered = Array.from(handle).flatMap((character, index) =>
    fc
      .sample(fc.constantFrom(...ALPHABET), { numRuns: FORGERIES, seed: index })
      .filter((each) => each !== character)
      .map((each) => addressOf(page, handle.slice(0, index) + each + handle.slice(index + 1))),
  );
  const [account = '', id = '', generation = '', lastDay = ''] = handle.split('-');
  const signature = handle.slice(-22);
  const made = (...parts: string[]) => addressOf(page, [...parts, signature].join('-'));
  const neighbours = (digits: string) =>
    [-1, 1, 30].map((step) => Math.max(0, Number.parseInt(digits, 36) + step).toString(36));
  return [
    ...altered,
    ...links.filter((each) => each.page !== page).map((each) => addressOf(each.page, handle)),
    ...links.filter((each) => each.page !== page).map((each) => addressOf(page, each.handle)),
    ...neighbours(id).map((each) => made(account, each, generation, lastDay)),
    ...neighbours(generation).map((each) => made(account, id, each, lastDay)),
    ...neighbours(lastDay).map((each) => made(account, id, generation, each)),
    made(other.accountId, id, generation, lastDay),
    made(account, `0${id}`, generation, lastDay),
    made(account, id, `0${generation}`, lastDay),
    made(account, id, generation, `0${lastDay}`),
    made(account, id.toUpperCase(), generation, `${lastDay}.0`),
    addressOf(page, `${account}-${id}-${generation}-${lastDay}-`),
    addressOf(page, `${account}-${id}-${generation}-${lastDay}`),
    addressOf(page, handle.slice(0, -1)),
    addressOf(page, `${handle}A`),
    addressOf(page, `${handle}%00`),
    addressOf(page, `${handle}%20`),
    addressOf(page, `%2e%2e/${page}/${handle}x`),
    addressOf(page.toUpperCase(), handle),
  ].filter((address) => links.every((link) => address !== addressOf(link.page, link.handle)));
}

async function inTurns<In, Out>(inputs: readonly In[], call: (input: In) => Promise<Out>): Promise<Out[]> {
  const answers: Out[] = [];
  for (let at = 0; at < inputs.length; at += 20)
    answers.push(...(await Promise.all(inputs.slice(at, at + 20).map(call))));
  return answers;
}

test('of hundreds of forged and altered links of all pages and files, none opens anything or takes a form', async () => {
  const other = await testAccount();
  for (const { page, handle, files } of links)
    for (const file of ['', ...files.map((each) => `/${each}`)])
      expect([page, file, (await openPage(addressOf(page, handle) + file)).status]).toEqual([page, file, 200]);

  const forged = links.flatMap((link) => {
    const addresses = [...new Set(forgeriesOf(link, other))];
    return addresses.map((address, index) => ({ address, file: link.files[index % 4] }));
  });
  expect(forged.length).toBeGreaterThanOrEqual(500);
  const opened = await inTurns(forged, async ({ address, file }) => {
    const { status, text } = await openPage(file ? `${address}/${file}` : address);
    return { address, status, tells: NAMES.filter((name) => text.includes(name)), hasForm: text.includes('<form') };
  });
  expect(opened.filter(({ status, tells, hasForm }) => status !== 404 || tells.length || hasForm)).toEqual([]);

  // The token of a page that was opened takes a form of that link alone.
  const pages = await Promise.all(links.map(({ page, handle }) => openPage(addressOf(page, handle))));
  const actions = ['accept', 'pay', 'cancel', 'rate', 'save', 'card', 'book'];
  const fields = { name: 'Mallory', 'List-Unsubscribe': 'One-Click' };
  const sent = await inTurns(
    forged.filter((_, index) => index % 2),
    async ({ address }) => {
      const index = links.findIndex(({ page }) => address.includes(`/c/${page}/`));
      const { status } = await sendForm(address, pages[index] ?? { text: '' }, actions[index] ?? 'accept', fields);
      return { address, status };
    },
  );
  expect(sent.filter(({ status }) => status !== 404)).toEqual([]);
  expect((await company.call('proposal/details', { Id: proposal.Id })).body['Status']).toBe('Open');
});

test('a form with the token of another link, or of another page of its record, is refused', async () => {
  const pages = await Promise.all(links.map(({ page, handle }) => openPage(addressOf(page, handle))));
  const tokens = pages.map(({ text }) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '');
  expect(new Set(tokens.filter(Boolean)).size).toBe(tokens.filter(Boolean).length);
  const pairs = links.flatMap((link, index) =>
    [...tokens.filter((token, at) => token && at !== index), ''].map((token) => ({ link, token })),
  );
  const statuses = await inTurns(pairs, async ({ link, token }) => {
    const body = { action: 'accept', token, name: 'Mallory' };
    return (await sendForm(addressOf(link.page, link.handle), { text: '' }, 'accept', body)).status;
  });
  expect(new Set(statuses)).toEqual(new Set([403]));
});

test('a form is taken with the current secret of the account, also where a container remembers the one before', async () => {
  const [link] = links;
  if (!link) throw new Error('no link');
  const address = addressOf(link.page, link.handle);
  const page = await openPage(address);
  expect(page.status).toBe(200);
  await testTable().update({
    update: layout.linkSecret.key({ account: company.accountId }),
    set: { Secret: 'another secret of the account, as an operator would set' },
  });
  expect((await sendForm(address, page, 'accept', { name: 'José' })).status).toBe(404);
  expect((await company.call('proposal/details', { Id: proposal.Id })).body['Status']).toBe('Open');
});
