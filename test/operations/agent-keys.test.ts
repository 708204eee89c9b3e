import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../support/failed.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { permissions } from '../support/stack/permissions.ts';
import { drainEvents, testStack } from '../support/stack/stack.ts';

/** A contact, and one record of each kind that belongs to it. */
interface Belongings {
  readonly name: string;
  readonly contact: number;
  readonly proposal: number;
  readonly invoice: number;
  readonly payment: number;
  readonly task: number;
  readonly upload: number;
  readonly proposalUpload: number;
  readonly appointment: number;
}

const DAY = 24 * 3_600_000;
const localTime = (at: number) => `${new Date(at).toISOString().slice(0, 10)}T12:00`;
const daysFromNow = (days: number) => localTime(Date.now() + days * DAY);

let company: Bookable;
let key: string;
/** By the visit that the contact has. */
const own: Record<'ahead' | 'recent' | 'additional' | 'queued', Belongings> = {} as never;
const foreign: Record<'past' | 'canceled' | 'reassigned' | 'unvisited' | 'ofBen', Belongings> = {} as never;

const asOwner = async (operation: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await company.call(operation, body);
  expect(answer.status, `${operation} ${answer.text}`).toBe(200);
  return answer.body;
};
const asAnn = (operation: string, body: object) => company.call(operation, body, { key });

let made = 0;
/** Makes a contact with its records; `visit` books its appointment. */
async function belongings(visit: (contact: number) => Promise<number>): Promise<Belongings> {
  const name = `Client${String.fromCharCode(65 + made++)} Visited`;
  const email = `${name.replace(' ', '.')}@example.com`;
  const added = await asOwner('contacts/addupdate', {
    Name: name,
    Email: email,
    Phone: `217555010${made}`,
    Zip: '62701',
  });
  const contact = (added['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  const proposal = (await asOwner('proposal/create', { ContactId: contact, ServiceName: 'Lawn care', Quantity: 1 }))[
    'Id'
  ] as number;
  const lines = [{ Description: 'Work', Qty: 1, Rate: 100 }];
  const imported = await asOwner('invoice/import', { Invoice: { ContactId: contact, Status: 'Open', Lines: lines } });
  const invoice = (imported['Invoice'] as { Id: number }).Id;
  const paid = await asOwner('payment/import', { Payment: { InvoiceId: invoice, Amount: 10, Method: 'Cash' } });
  const task = (await asOwner('task/create', { ContactId: contact, Description: 'Call' }))['TaskId'] as number;
  const files = [{ Filename: 'a.txt', ContentType: 'text/plain', Content: 'YQ==' }];
  const uploaded = await asOwner('contacts/upload', { upload: { ContactId: contact }, files });
  const planned = await asOwner('proposal/upload', { upload: { ProposalId: proposal }, files });
  const idOf = ({ upload }: Record<string, unknown>) => (upload as { UploadIds: number[] }).UploadIds[0] ?? 0;
  return {
    name,
    contact,
    proposal,
    invoice,
    payment: (paid['Payment'] as { Id: number }).Id,
    task,
    upload: idOf(uploaded),
    proposalUpload: idOf(planned),
    appointment: await visit(contact),
  };
}

const book =
  (agent: string, days: number, slot: object = {}) =>
  async (ContactId: number): Promise<number> => {
    const Slots = [{ DateTime: daysFromNow(days), ServiceAgentId: company.agents[agent], ...slot }];
    return slotIn(await company.book(agent, '', { ContactId, Slots, SkipConflictChecks: true })).AppointmentId;
  };

beforeAll(async () => {
  company = await bookable();
  const { Ann = 0, Ben = 0 } = company.agents;
  key = await company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId: Ann });
  own.ahead = await belongings(book('Ann', 400));
  own.recent = await belongings(book('Ann', -29));
  own.additional = await belongings(book('Ben', 3, { AdditionalServiceAgents: [{ ServiceAgent: { Id: Ann } }] }));
  own.queued = await belongings(book('Ann', 0));
  foreign.past = await belongings(book('Ann', -32));
  foreign.canceled = await belongings(book('Ann', 5));
  foreign.reassigned = await belongings(book('Ann', 6));
  foreign.unvisited = await belongings(async () => 0);
  foreign.ofBen = await belongings(book('Ben', 7));
  const { Matches: reasons } = await asOwner('cancelreasons/all', {});
  const CancelReasonId = (reasons as { Id: number }[])[0]?.Id;
  await asOwner('appointments/cancel', { AppointmentId: foreign.canceled.appointment, CancelReasonId });
  const Slots = [{ ServiceAgentId: Ben, DateTime: daysFromNow(6) }];
  await asOwner('appointments/update', {
    AppointmentId: foreign.reassigned.appointment,
    Slots,
    SkipConflictChecks: true,
  });
});

/** How each operation reaches a record: the call, and the field of a list that it fills. */
const reaches: Record<string, { body: (of: Belongings) => object; list?: string; optional?: true }> = {
  'appointments/addtip': { body: ({ appointment }) => ({ AppointmentId: appointment, Amount: 5 }) },
  'appointments/feedback': { body: ({ appointment }) => ({ Id: appointment, Score: 9 }) },
  'appointments/find': { body: ({ contact }) => ({ ContactId: contact, IncludeContact: true }), list: 'Slots' },
  'appointments/query': { body: ({ contact }) => ({ ContactId: contact, IncludeContact: true }), list: 'Appointments' },
  'appointments/slotsearch': { body: ({ contact }) => ({ ContactId: contact, ServiceName: 'Lawn care' }) },
  'appointments/update': { body: ({ appointment }) => ({ AppointmentId: appointment, UpdateNote: 'On my way.' }) },
  'contacts/addnote': { body: ({ contact }) => ({ ContactId: contact, Note: { Body: 'Gate' } }) },
  'contacts/listtags': { body: ({ contact }) => ({ ContactId: contact }) },
  'contacts/locate': { body: ({ contact }) => ({ IdSearch: contact }), list: 'Matches' },
  'contacts/messages': { body: ({ contact }) => ({ ContactId: contact }) },
  'contacts/upload': { body: ({ contact }) => ({ upload: { ContactId: contact }, files: [file] }) },
  'contacts/logcall': { body: ({ contact }) => ({ Chars: JSON.stringify({ ContactId: contact, Note: 'Called' }) }) },
  'invoice/get': { body: ({ invoice }) => ({ InvoiceId: invoice, IncludeContact: true }) },
  'invoice/query': { body: ({ contact }) => ({ ContactId: contact }), list: 'Invoices' },
  'payment/query': { body: ({ invoice }) => ({ InvoiceId: invoice }), list: 'Payments' },
  'proposal/details': { body: ({ proposal }) => ({ Id: proposal }) },
  'proposal/query': { body: ({ contact }) => ({ ContactId: contact, IncludeContact: true }), list: 'Proposals' },
  'proposal/quote': { body: ({ contact }) => ({ ContactId: contact, ServiceName: 'Lawn care' }) },
  'task/query': { body: ({ task }) => ({ TaskId: task }), list: 'Tasks' },
  'task/update': { body: ({ task }) => ({ TaskId: task, Category: 'Later' }) },
  // A completed task is not changed any more.
  'task/complete': { body: ({ task }) => ({ TaskId: task }) },
};
const file = { Filename: 'b.txt', ContentType: 'text/plain', Content: 'Yg==' };

test('every operation that reaches records of contacts is tried here', () => {
  const expected = permissions.filter(({ agentKey }) => agentKey === 'visits').map(({ name }) => name);
  expect(Object.keys(reaches).toSorted()).toEqual(expected.toSorted());
});

describe.each(Object.entries(reaches))('%s with the key of a service agent', (operation, { body, list }) => {
  test('does nothing with what belongs to contacts that the agent does not visit', async () => {
    for (const [visit, of] of Object.entries(foreign)) {
      if (!of.appointment && JSON.stringify(body(of)).includes('"AppointmentId"')) continue;
      // The agent's own canceled visit stays in the agent's calendar, without its contact.
      if (visit === 'canceled' && operation.startsWith('appointments/') && operation !== 'appointments/slotsearch')
        continue;
      const answer = await asAnn(operation, body(of));
      expect(answer.text, visit).not.toContain(of.name);
      if (operation === 'contacts/logcall') expect(answer.body['Message']).toMatch(/no contact was found/);
      else if (!list) expectFailure(answer, operation === 'appointments/feedback' && !of.appointment ? 400 : 404);
      else expect([visit, answer.status, answer.body[list]]).toEqual([visit, 200, []]);
      if (list) expect(answer.body['Count'] ?? 0).toBe(0);
    }
  });

  test('works for contacts that the agent visits', async () => {
    for (const [visit, of] of Object.entries(own)) {
      const answer = await asAnn(operation, body(of));
      // Tips need a started visit; the record itself is found.
      expect([visit, answer.status]).toEqual([visit, operation === 'appointments/addtip' ? 409 : 200]);
      if (list) expect(answer.body[list]).toHaveLength(1);
    }
  });
});

describe('a list with the key of a service agent', () => {
  const everything = { FromDate: '2020-01-01', ThroughDate: '2040-01-01' };
  test.each([
    ['invoice/query', {}, 'Invoices', 'invoice'],
    ['invoice/query', everything, 'Invoices', 'invoice'],
    ['payment/query', everything, 'Payments', 'payment'],
    ['proposal/query', {}, 'Proposals', 'proposal'],
    ['proposal/query', { Scope: 'internal', ...everything }, 'Proposals', 'proposal'],
    ['task/query', { IncludeCompleted: true }, 'Tasks', 'task'],
    ['contacts/locate', { NameSearch: 'visited' }, 'Matches', 'contact'],
    ['contacts/locate', { CreatedFrom: '2020-01-01' }, 'Matches', 'contact'],
  ] as const)(
    '%s %j holds exactly what belongs to contacts of the visits, on every page',
    async (operation, body, list, of) => {
      const expected = Object.values(own).map((each) => each[of]);
      const idOf = (record: Record<string, unknown>) => record['Id'] ?? record['TaskId'];
      const size = operation === 'contacts/locate' ? 'Limit' : 'Take';
      const found: unknown[] = [];
      for (let Skip = 0; Skip < 6; Skip += 3) {
        const answer = await asAnn(operation, { ...body, Skip, [size]: 3 });
        expect([answer.status, answer.body['Count'] ?? expected.length]).toEqual([200, expected.length]);
        found.push(...(answer.body[list] as Record<string, unknown>[]).map(idOf));
      }
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  );

  test('of appointments holds the visits of 30 days and all ahead, canceled ones without their contact', async () => {
    const answer = await asAnn('appointments/query', { IncludeContact: true });
    const listed = answer.body['Appointments'] as { AppointmentId: number; Contact: object | null }[];
    const expected = [...Object.values(own), foreign.canceled].map(({ appointment }) => appointment);
    expect(listed.map(({ AppointmentId }) => AppointmentId).toSorted()).toEqual(expected.toSorted());
    const canceled = listed.find(({ AppointmentId }) => AppointmentId === foreign.canceled.appointment);
    expect(canceled?.Contact).toBeNull();
    expect(answer.body['Count']).toBe(expected.length);
    const past = { FromDate: '2020-01-01', ThroughDate: daysFromNow(-31) };
    expect((await asAnn('appointments/query', past)).body).toMatchObject({ Count: 0, Appointments: [] });
  });
});

test('a call by phone is attached to a contact that the agent visits, and to no other', async () => {
  const logged = async (of: Belongings) => {
    const [contact] = (await asOwner('contacts/locate', { IdSearch: of.contact }))['Matches'] as { Phone: string }[];
    return (await asAnn('contacts/logcall', { Chars: JSON.stringify({ Phone: contact?.Phone }) })).body['Message'];
  };
  expect(await logged(own.ahead)).toContain(`contact ${own.ahead.contact}.`);
  expect(await logged(foreign.ofBen)).toContain('no contact was found');
});

test('slots are those of the agent alone', async () => {
  const answer = await asAnn('appointments/slotsearch', { ContactId: own.ahead.contact, ServiceName: 'Lawn care' });
  const agents = (answer.body['Slots'] as { ServiceAgentId: number }[]).map(({ ServiceAgentId }) => ServiceAgentId);
  expect([...new Set(agents)]).toEqual([company.agents['Ann']]);
});

test('a task does not move to a contact that the agent does not visit', async () => {
  expectFailure(await asAnn('task/update', { TaskId: own.recent.task, ContactId: foreign.ofBen.contact }), 404);
});

test('files are those of contacts that the agent visits', async () => {
  const statusOf = async (id: number) =>
    (await fetch(`${testStack().BaseUrl}/files/${id}`, { redirect: 'manual', headers: { 'x-api-key': key } })).status;
  for (const of of Object.values(own))
    expect([await statusOf(of.upload), await statusOf(of.proposalUpload)]).toEqual([303, 303]);
  for (const of of Object.values(foreign))
    expect([await statusOf(of.upload), await statusOf(of.proposalUpload)]).toEqual([404, 404]);
});

test('no other operation may be called, events and downloads included', async () => {
  for (const { name, agentKey } of permissions) {
    const answer = await asAnn(name, name === 'contacts/logcall' ? { Chars: 'x' } : {});
    expect([name, answer.status === 403]).toEqual([name, agentKey === '-']);
  }
});

test('a visit that is given to the agent opens its contact at once, and closes it when it is taken away', async () => {
  const { Ann = 0, Ben = 0 } = company.agents;
  const { appointment: AppointmentId, contact: ContactId } = foreign.ofBen;
  const give = (ServiceAgentId: number) => {
    const Slots = [{ ServiceAgentId, DateTime: daysFromNow(7) }];
    return asOwner('appointments/update', { AppointmentId, Slots, SkipConflictChecks: true });
  };
  await give(Ann);
  expect((await asAnn('contacts/listtags', { ContactId })).status).toBe(200);
  await give(Ben);
  expectFailure(await asAnn('contacts/listtags', { ContactId }), 404);
  await drainEvents();
});
