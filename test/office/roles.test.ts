import { beforeAll, expect, test } from 'vitest';
import { OfficeBrowser, makeUser, signedIn, tokenIn } from '../support/office.ts';
import { monthFiguresEntity } from '../../lib/entities/figures.ts';
import { putFigures } from '../support/figures.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import type { ContactMessage } from '../../lib/entities/messages.ts';
import { turnMessages } from '../support/messages.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { type TestAccount, drainEvents, testTable } from '../support/stack/stack.ts';

/** In every text of a company that others must not see. */
const MARK = 'Xyzzyplugh';

/** A client, a visit, an invoice, a task and a file, whose texts have the mark. */
interface Records {
  readonly company: TestAccount;
  readonly contact: number;
  readonly visit: number;
  readonly invoice: number;
  readonly invoiceNumber: string;
  readonly task: number;
  readonly file: number;
}

/** Figures whose channel has the mark. */
const markedFigures = (OrganizationId: number) =>
  monthFiguresEntity.blank({
    OrganizationId,
    Month: new Date().toISOString().slice(0, 7),
    CountedAt: Date.now(),
    Leads: 1,
    LeadsByChannel: [{ Channel: MARK, Leads: 1 }],
  });

async function markedRecords(company: Bookable, key: string, agent: number): Promise<Omit<Records, 'company'>> {
  const call = async (operation: string, body: object) => {
    const answer = await company.call(operation, body, { key });
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer;
  };
  const made = await call('contacts/addupdate', { Name: MARK, Company: MARK, Zip: '62701', Phone: '217-555-0188' });
  const contact = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  const [service] = Object.values(company.services);
  const Slots = [{ DateTime: '2035-03-05T09:00', ServiceAgentId: agent }];
  const visit = slotIn(
    await call('appointments/book', {
      ContactId: contact,
      ServiceId: service,
      Slots,
      Notes: MARK,
      SkipConflictChecks: true,
    }),
  );
  const invoice = await call('invoice/import', {
    Invoice: { ContactId: contact, Date: '2024-01-02', Lines: [{ Description: MARK, Rate: 100, Qty: 1 }] },
  });
  const { Id: invoiceId, Number: invoiceNumber } = invoice.body['Invoice'] as { Id: number; Number: string };
  await call('payment/import', { Payment: { ContactId: contact, Amount: 5, Method: MARK } });
  const task = await call('task/create', { ContactId: contact, Description: MARK });
  const upload = { upload: { ContactId: contact }, files: [{ Filename: `${MARK}.txt`, Content: btoa(MARK) }] };
  const [file = 0] = ((await call('contacts/upload', upload)).body['upload'] as { UploadIds: number[] }).UploadIds;
  await putFigures(company.accountId, [markedFigures(company === own ? 2 : 1)]);
  return {
    contact,
    visit: visit.AppointmentId,
    invoice: invoiceId,
    invoiceNumber,
    task: task.body['TaskId'] as number,
    file,
  };
}

/** A user's own company, and records of another organization of the same account. */
let own: Bookable;
let sibling: Records;
let stranger: Records;
/** Of the own company. */
let template: number;
/** Of the other organization and of the other account. */
let foreignUsers: readonly number[];
/** What both have stored before any user comes. */
let foreignState: readonly string[];

beforeAll(async () => {
  own = await bookable();
  // Ids of the own company stay below those of the others.
  await testTable().commit(newOrganizationChanges({ account: own.accountId }, { Id: 2, PublicName: 'Shelbyville' }));
  const elsewhere = await own.newKey({ role: 'Owner', organizationId: 2 });
  await own.call('organizations/update', {
    OrganizationId: 2,
    Timezone: 'America/Chicago',
    StartAddress: { Zip: '62701' },
    ServiceAgents: [{ Name: `${MARK} agent`, Email: 'x@example.com' }],
  });
  const agents = await own.call('serviceagents/all', {}, { key: elsewhere });
  const agent = (agents.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  sibling = { company: own, ...(await markedRecords(own, elsewhere, agent)) };
  const { book } = await writeBook(own.accountId, {
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
    proposalTemplates: [{ Name: 'Spring', Service: 'Lawn care' }],
  });
  template = findId(book, 'proposalTemplates', 'Spring');
  const other = await bookable();
  const otherRecords = () => markedRecords(other, other.key, other.agents['Ann'] ?? 0);
  for (let count = 0; count < 6; count++) await otherRecords();
  stranger = { company: other, ...(await otherRecords()) };
  await turnMessages(own, true);
  await turnMessages(stranger.company, true);
  const users = [
    await makeUser(own, { role: 'Owner', organizationId: 2, name: MARK }),
    await makeUser(stranger.company, { role: 'Owner', name: MARK }),
  ];
  foreignUsers = users.map(({ Id }) => Id);
  // The lists of clients with credit are written by a worker.
  await drainEvents();
  foreignState = await stateOfForeign();
});

/** Messages that forms send here; a company sends others by itself, in its own time. */
const SENT_BY_HAND: ReadonlySet<string> = new Set(['NewLink', 'OnTheWay', 'InvoiceOverdue']);

const stateOf = async ({ company, contact, visit, invoice }: Records): Promise<string> => {
  const answers = [
    await company.call('contacts/locate', { IdSearch: contact }),
    await company.call('appointments/find', { AppointmentId: visit, IncludeCompleted: true }),
    await company.call('invoice/get', { InvoiceId: invoice }),
    await company.call('task/query', { ContactId: contact, IncludeCompleted: true }),
    await company.call('invoice/query', { ContactId: contact }),
    await company.call('payment/query', { ContactId: contact }),
    await company.call('proposal/query', { ContactId: contact }),
  ];
  const messages = await company.call('contacts/messages', { ContactId: contact });
  for (const { status, text } of [...answers, messages]) expect(status, text).toBe(200);
  const sent = (messages.body['Messages'] as ContactMessage[]).filter(({ Kind }) => SENT_BY_HAND.has(Kind));
  return [...answers.map(({ text }) => text), JSON.stringify(sent)].join('\n');
};

const stateOfForeign = (): Promise<string[]> => Promise.all([sibling, stranger].map(stateOf));

const roles = ['Owner', 'Admin', 'Office', 'ReadOnly', 'ServiceAgent'] as const;

test.each(roles)('%s sees and changes nothing of another organization or account on any page', async (role) => {
  const user = await makeUser(own, {
    role,
    organizationId: 1,
    ...(role === 'ServiceAgent' ? { agentId: own.agents['Ann'] ?? 0 } : {}),
  });
  const browser = await signedIn(own, user);
  const first = await browser.open('/office?date=2035-03-05');
  expect(first.status).toBe(200);
  const token = tokenIn(first);
  for (const foreign of [sibling, stranger]) {
    const { contact, visit, invoice, task } = foreign;
    const foreignPaths = [
      `visit/${visit}`,
      `visit/${visit}?move=1`,
      `move/${visit}?date=2035-03-06&time=09:00&agent=${own.agents['Ann']}`,
      `client/${contact}`,
      `book/${contact}`,
      `propose/${contact}`,
      `propose/${contact}?template=${template}`,
      `message/${contact}`,
      `message/${contact}?about=NewLink`,
      `message/${own.contact}?about=InvoiceOverdue+${invoice}`,
      `message/${own.contact}?about=OnTheWay+${visit}`,
      `merge/${contact}`,
      `file/${foreign.file}`,
    ];
    for (const path of foreignPaths) {
      const { status, text } = await browser.open(`/office/${path}`);
      expect([role, path, [403, 404].includes(status), text.includes(MARK)]).toEqual([role, path, true, false]);
    }
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      ...['start', 'finish', 'confirm', 'queue'].map((action) => [`visit/${visit}`, { action }] as const),
      [`visit/${visit}`, { action: 'cancel', reason: '1' }],
      ...['visit', 'move'].map(
        (page) =>
          [
            `${page}/${visit}`,
            { action: 'move', date: '2035-03-06', time: `2035-03-06T09:00:00Z ${own.agents['Ann']}` },
          ] as const,
      ),
      [`client/${contact}`, { action: 'note', body: 'x' }],
      [`client/${contact}`, { action: 'note', body: 'x', call: '1' }],
      [`client/${contact}`, { action: 'task', description: 'x' }],
      [`client/${contact}`, { action: 'complete', task: String(task) }],
      [`client/${own.contact}`, { action: 'complete', task: String(task) }],
      [`client/${own.contact}`, { action: 'pay', invoice: String(invoice), amount: '5', method: 'Cash' }],
      [`book/${contact}`, { action: 'book', service: '1', time: `2035-03-06T09:00:00Z ${own.agents['Ann']}` }],
      [`client/${contact}`, { action: 'pay', invoice: '', amount: '5', method: 'Cash' }],
      [`client/${contact}`, { action: 'invoice', what1: 'x', quantity1: '1', rate1: '5' }],
      [`propose/${contact}`, { action: 'propose', template: String(template) }],
      [`message/${contact}`, { action: 'send', about: 'NewLink' }],
      [`message/${own.contact}`, { action: 'send', about: `InvoiceOverdue ${invoice}` }],
      [`message/${own.contact}`, { action: 'send', about: `OnTheWay ${visit}` }],
      [`merge/${contact}`, { action: 'merge', merge: String(own.contact) }],
      [`merge/${own.contact}`, { action: 'merge', merge: String(contact) }],
      ...foreignUsers.map((id) => ['switch', { action: 'switch', user: String(id) }] as const),
      ['tasks', { action: 'complete', task: String(task) }],
      ['tasks', { action: 'merge', keep: String(own.contact), merge: String(contact) }],
      ['tasks', { action: 'merge', keep: String(contact), merge: String(own.contact) }],
    ];
    for (const [path, fields] of forms) {
      const { status, text } = await browser.post(`/office/${path}`, { token, ...fields });
      const what = [role, path, fields['action']];
      // A call that names no contact of the caller's is kept without one.
      const isAlone = fields['call'] !== undefined && status === 303;
      const isRefused = isAlone || (status >= 400 && status < 500);
      expect([...what, isRefused, text.includes(MARK)], text).toEqual([...what, true, false]);
    }
    // Reminds the debtors of the own organization, who are none of these.
    const { text } = await browser.post('/office/remind', { token, action: 'remind', run: `${role} ${invoice}` });
    expect(text).not.toContain(MARK);
  }
  for (const state of foreignState) expect(state).toContain(MARK);
  expect(await stateOfForeign()).toEqual(foreignState);
  const ownPaths = [
    '?date=2035-03-05',
    '/week?date=2035-03-05',
    '/clients?q=217-555-0188',
    ...[sibling, stranger].map(({ invoiceNumber }) => `/clients?q=${invoiceNumber}&live=1`),
    `/merge/${own.contact}?q=217-555-0188`,
    '/money',
    '/numbers',
    '/payments',
    '/remind',
    '/switch',
    '/tasks',
  ];
  for (const path of ownPaths) {
    const { text } = await browser.open(`/office${path}`);
    expect([role, path, text.includes(MARK)]).toEqual([role, path, false]);
  }
});

test('what a role may not do has no form on its pages, and is refused when it is sent', async () => {
  const user = await makeUser(own, { role: 'ReadOnly' });
  const browser = await signedIn(own, user);
  const visit = slotIn(await own.book('Ann', '2035-03-09T09:00')).AppointmentId;
  const pages = [
    `visit/${visit}`,
    `client/${own.contact}`,
    'tasks',
    'money',
    'numbers',
    'payments',
    'switch',
    '?date=2035-03-09',
  ];
  for (const path of pages) {
    const { status, text } = await browser.open(path.startsWith('?') ? `/office${path}` : `/office/${path}`);
    expect([path, status]).toEqual([path, 200]);
    const actions = [...text.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action);
    expect([path, actions]).toEqual([path, []]);
  }
  const unseen = [`book/${own.contact}`, `propose/${own.contact}`, `message/${own.contact}`, `merge/${own.contact}`];
  for (const path of [...unseen, 'remind'])
    expect([path, (await browser.open(`/office/${path}`)).status]).toEqual([path, 404]);
  const token = tokenIn(await browser.open('/office'));
  for (const action of ['start', 'finish', 'queue', 'move', 'cancel'])
    expect((await browser.post(`/office/visit/${visit}`, { token, action, reason: '1', time: '' })).status).toBe(403);
  const refused: readonly (readonly [string, Record<string, string>])[] = [
    [`client/${own.contact}`, { action: 'note', body: 'x' }],
    [`client/${own.contact}`, { action: 'invoice', what1: 'x', quantity1: '1', rate1: '5' }],
    [`client/${own.contact}`, { action: 'pay', invoice: '', amount: '5', method: 'Cash' }],
    [`propose/${own.contact}`, { action: 'propose', template: String(template) }],
    [`message/${own.contact}`, { action: 'send', about: 'NewLink' }],
    [`merge/${own.contact}`, { action: 'merge', merge: String(own.contact) }],
    ['remind', { action: 'remind', run: 'x' }],
  ];
  const recordsOf = async (operation: string) => (await own.call(operation, { ContactId: own.contact })).text;
  const operations = ['invoice/query', 'payment/query', 'proposal/query', 'contacts/messages'];
  const before = await Promise.all(operations.map(recordsOf));
  for (const [path, fields] of refused) {
    const { status } = await browser.post(`/office/${path}`, { token, ...fields });
    expect([path, fields['action'], [403, 404].includes(status)]).toEqual([path, fields['action'], true]);
  }
  expect(await Promise.all(operations.map(recordsOf))).toEqual(before);
});

test('somebody without a session is refused each form, before anything is looked at', async () => {
  const answer = await new OfficeBrowser().post(`/office/visit/${stranger.visit}`, { action: 'start' });
  expect([answer.status, answer.text.includes(MARK)]).toEqual([403, false]);
});
