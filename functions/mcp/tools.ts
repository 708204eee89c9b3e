import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { objectOf } from '../../lib/shared/objects.ts';
import { operationTools } from './operation-tools.ts';
import { callOperation } from './operations.ts';
import { refusal, toResult } from './results.ts';
import { type Sentence, count, made, money, say } from './sentence.ts';
import { AskFor, type Argument, type Row, type Tool, fieldsOf, given, pickRow, rowsOf } from './tool.ts';

const id = (description?: string): Argument => ({ type: 'integer', ...(description ? { description } : {}) });
const text = (description?: string): Argument => ({ type: 'string', ...(description ? { description } : {}) });
const flag = (description?: string): Argument => ({ type: 'boolean', ...(description ? { description } : {}) });

const quantity = (): Argument => ({ type: 'number', description: 'Of what is priced by it, such as windows.' });

const personFields = { name: 'Name', company: 'Company', phone: 'Phone', email: 'Email' } as const;
const contactFields = { id: 'Id', ...personFields } as const;
const addressFields = { street: 'Address1', city: 'City', state: 'State', zip: 'Zip' } as const;
const ownFields = { ...personFields, ...addressFields } as const;
const searchFields = {
  name: 'NameSearch',
  phone: 'PhoneSearch',
  email: 'EmailSearch',
  address: 'AddressSearch',
  contact_id: 'IdSearch',
} as const;
const windowFields = { arrive_from: 'ArrivalFrom', arrive_through: 'ArrivalThrough' } as const;
/** Times of a visit that an assistant gives as find_times shows them. */
const windowInput = { arrive_from: text('Where find_times has it.'), arrive_through: text() };
const visitFields = {
  visit_id: 'AppointmentId',
  start: 'DateTime',
  when: 'DateTimeFormatted',
  ...windowFields,
  agent_id: 'ServiceAgentId',
  agent: 'ServiceAgentName',
  service: 'ServiceName',
  length: 'DurationFormatted',
  total: 'Total',
} as const;

const STATUSES = ['queued', 'scheduled', 'started', 'completed', 'canceled', 'tentative'];
const toVisit = (slot: Row): Row => ({
  ...pickRow(slot, visitFields),
  ...(typeof slot['Status'] === 'number' ? { status: STATUSES[slot['Status']] } : {}),
});
const firstVisit = (body: Row): Row => toVisit(rowsOf(body['Slots'])[0] ?? {});

/** By its number, or by its name. */
const serviceOf = (service: unknown) =>
  /^\d+$/.test(String(service)) ? { ServiceId: Number(service) } : { ServiceName: service };

const isAnyGiven = (...args: readonly unknown[]): boolean => args.some((arg) => arg !== undefined && arg !== '');

const SHOWN = 5;
/** Clients that are counted; whoever has more must ask for less anyway. */
const COUNTED = 100;
const TIMES = 6;
const LISTED = 10;

const findContact: Tool = {
  name: 'find_contact',
  description: 'Find a client by one of name, phone, email, address or id.',
  input: { name: text(), phone: text(), email: text(), address: text(), contact_id: id() },
  job: {
    call: (args) => ({
      operation: 'contacts/locate',
      request: { ...fieldsOf(args, searchFields), Limit: COUNTED + 1 },
    }),
    answer(body) {
      const found = rowsOf(body['Matches']);
      const contacts = found.slice(0, SHOWN).map((each) => pickRow(each, { ...contactFields, ...addressFields }));
      if (!found.length) return { say: say`No client matches.` };
      const counted = found.length > COUNTED ? say`More than ${COUNTED} clients` : count(found.length, 'client');
      const more = found.length > SHOWN ? say` The first ${SHOWN} are shown; ask for more detail.` : say``;
      return { say: say`${counted} found.${more}`, data: { contacts } };
    },
  },
};

const saveContact: Tool = {
  name: 'save_contact',
  description:
    'Add a client, or change the one of contact_id. A client with the same e-mail and a name that agrees, or with the same phone and name, is updated.',
  input: { contact_id: id(), ...objectOf(Object.keys(ownFields), () => text()) },
  isWrite: true,
  job: {
    call: (args) => ({ operation: 'contacts/addupdate', request: fieldsOf(args, { contact_id: 'Id', ...ownFields }) }),
    answer(body, { contact_id }, isDone) {
      const [found = {}] = rowsOf(body['Matches']);
      const contact = pickRow(found, { ...contactFields, ...addressFields });
      const isKnown = contact_id !== undefined;
      if (isDone) return { say: say`Saved as client ${Number(found['Id'])}.`, data: { contact } };
      const { id: _, ...shown } = contact;
      return {
        say: isKnown
          ? say`This changes client ${Number(contact_id)}.`
          : say`This adds the client, or updates a known one.`,
        data: { contact: isKnown ? contact : shown },
      };
    },
  },
};

const findTimes: Tool = {
  name: 'find_times',
  description: 'Find free times of a service at the address of a client, with the price.',
  input: {
    contact_id: id(),
    service: text('Name or id.'),
    quantity: quantity(),
    from: text('First day, 2026-03-09; now by default.'),
    days: id('Days to search.'),
    time_of_day: text('Morning, Afternoon, Evening or 09:00-11:00.'),
    agent_id: id(),
  },
  required: ['contact_id', 'service'],
  job: {
    call: ({ contact_id, service, quantity, from, days, time_of_day, agent_id }) => ({
      operation: 'appointments/slotsearch',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Quantity: quantity,
        TargetDate: from,
        SlotWindowDays: days,
        Timeframe: time_of_day,
        Slots: agent_id === undefined ? undefined : [{ ServiceAgentId: agent_id }],
      }),
    }),
    answer(body) {
      const slots = rowsOf(body['Slots']);
      const shownStart = (slot: Row) => slot['ArrivalFrom'] ?? slot['DateTime'];
      const firsts = [...new Map(slots.toReversed().map((slot) => [shownStart(slot), slot])).values()].toReversed();
      const times = firsts
        .slice(0, TIMES)
        .map((slot) =>
          pickRow(slot, {
            start: 'DateTime',
            when: 'DateTimeFormatted',
            ...windowFields,
            agent_id: 'ServiceAgentId',
            agent: 'ServiceAgentName',
          }),
        );
      const [first = {}] = slots;
      if (!times.length) return { say: say`No time is free.`, data: { why: body['Message'] } };
      const shown = firsts.length > TIMES ? say`${firsts.length} times are free; the first ${TIMES}` : say`These times`;
      return { say: say`${shown} are below. Each costs ${money(first['Total'])}.`, data: { times } };
    },
  },
};

const holdTime: Tool = {
  name: 'hold_time',
  description: 'Hold a free time for some minutes while the client decides. It ends by itself.',
  input: {
    contact_id: id(),
    service: text('Name or id.'),
    quantity: quantity(),
    start: text('A start of find_times.'),
    agent_id: id(),
    minutes: id('1 to 10.'),
  },
  required: ['contact_id', 'service', 'start', 'agent_id'],
  isWrite: true,
  job: {
    call: ({ contact_id, service, quantity, start, agent_id, minutes }) => ({
      operation: 'appointments/slotsearch',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Quantity: quantity,
        Hold: 1,
        HoldMinutes: minutes,
        Slots: [{ DateTime: start, ServiceAgentId: agent_id }],
      }),
    }),
    answer(body, { start, agent_id }, isDone) {
      const [hold] = rowsOf(body['Holds']);
      if (!hold) return { say: say`The time cannot be held.`, data: { why: body['Message'] }, isRefused: true };
      const until = made(hold['Until']);
      return isDone
        ? { say: say`Held until ${until}. Give book_visit the hold ${made(hold['Handle'])}.` }
        : { say: say`This holds the time below until ${until}, for nobody else to book.`, data: { start, agent_id } };
    },
  },
};

const bookVisit: Tool = {
  name: 'book_visit',
  description: 'Book a time of find_times.',
  input: {
    contact_id: id(),
    service: text('Name or id.'),
    quantity: quantity(),
    start: text('A start of find_times.'),
    ...windowInput,
    agent_id: id(),
    hold: text('Of hold_time.'),
    note: text(),
  },
  required: ['contact_id', 'service', 'start', 'agent_id'],
  isWrite: true,
  job: {
    call: ({ contact_id, service, quantity, start, agent_id, hold, note, ...window }) => ({
      operation: 'appointments/book',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Quantity: quantity,
        Slots: [{ DateTime: start, ServiceAgentId: agent_id, ...fieldsOf(window, windowFields) }],
        HoldHandle: hold,
        Notes: note,
      }),
    }),
    answer(body, _, isDone) {
      const { visit_id, ...visit } = firstVisit(body);
      return isDone
        ? { say: say`Booked: visit ${Number(visit_id)}, ${money(visit['total'])}.`, data: { visit } }
        : { say: say`This books the visit below for ${money(visit['total'])}.`, data: { visit } };
    },
  },
};

const listVisits: Tool = {
  name: 'list_visits',
  description: 'The visits of a client that are ahead; past ones too with include_past.',
  input: { contact_id: id(), include_past: flag() },
  required: ['contact_id'],
  job: {
    call: ({ contact_id, include_past }) => ({
      operation: 'appointments/find',
      request: given({ ContactId: contact_id, IncludeCompleted: include_past }),
    }),
    answer(body) {
      const found = rowsOf(body['Slots']);
      const visits = found.slice(-LISTED).map(toVisit);
      const last = found.length > LISTED ? say`, the last ${LISTED} shown` : say``;
      return visits.length
        ? { say: say`${count(found.length, 'visit')}${last}.`, data: { visits } }
        : { say: say`The client has no such visit.` };
    },
  },
};

const SCOPE: Argument = { type: 'string', enum: ['this', 'following'] };

/** What of a change a scope adds to what is said of the visit. */
const others = (scope: unknown): Sentence => (scope === 'following' ? say`, and those that follow` : say``);

const changeVisit: Tool = {
  name: 'change_visit',
  description: 'Move a visit, or with scope following all later visits of its series too; give it to another agent.',
  input: {
    visit_id: id(),
    start: text('The new start.'),
    ...windowInput,
    agent_id: id(),
    hold: text('Of hold_time.'),
    note: text(),
    scope: SCOPE,
  },
  required: ['visit_id'],
  isWrite: true,
  job: {
    call({ visit_id, start, agent_id, hold, note, scope, ...window }) {
      const slot = { ...given({ DateTime: start, ServiceAgentId: agent_id }), ...fieldsOf(window, windowFields) };
      const isSlot = Object.keys(slot).length > 0;
      if (!isSlot && note === undefined) throw new AskFor(say`Give start, agent_id or note.`);
      if (!isSlot && isAnyGiven(hold)) throw new AskFor(say`Give start or agent_id with hold.`);
      const request = {
        AppointmentId: visit_id,
        Slots: isSlot ? [slot] : undefined,
        UpdateNote: note,
        HoldHandle: hold,
        Scope: scope,
      };
      return { operation: 'appointments/update', request: given(request) };
    },
    answer: (body, { visit_id, scope }, isDone) => ({
      say: isDone
        ? say`Visit ${Number(visit_id)} is changed${others(scope)}.`
        : say`This makes the visit as below${others(scope)}.`,
      data: { visit: firstVisit(body) },
    }),
  },
};

const cancelVisit: Tool = {
  name: 'cancel_visit',
  description:
    'Cancel a visit, or with scope following all later visits of its series too. Without reason_id the answer lists ' +
    'the reasons.',
  input: { visit_id: id(), reason_id: id(), note: text(), scope: SCOPE },
  required: ['visit_id'],
  isWrite: true,
  job: {
    call: ({ visit_id, reason_id, note, scope }) => ({
      operation: 'appointments/cancel',
      request: given({ AppointmentId: visit_id, CancelReasonId: reason_id, UpdateNote: note, Scope: scope }),
    }),
    answer: (body, { visit_id, scope }, isDone) => ({
      say: isDone
        ? say`Visit ${Number(visit_id)} is canceled${others(scope)}.`
        : say`This cancels the visit below${others(scope)}.`,
      data: { visit: firstVisit(body) },
    }),
  },
};

const quote: Tool = {
  name: 'quote',
  description: 'What a service costs for a client. Stores nothing.',
  input: { contact_id: id(), service: text('Name or id.'), quantity: quantity() },
  required: ['contact_id', 'service'],
  job: {
    call: ({ contact_id, service, quantity }) => ({
      operation: 'proposal/quote',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Proposal: quantity === undefined ? undefined : { Quantity: quantity },
      }),
    }),
    answer(body) {
      const proposal = (body['Proposal'] ?? {}) as Row;
      const [subtotal, tax] = [Number(proposal['Subtotal'] ?? 0), Number(proposal['Tax'] ?? 0)];
      const taxed = tax ? say`, ${money(tax)} of it tax` : say``;
      return {
        say: say`It costs ${money(subtotal + tax)}${taxed}.`,
        data: pickRow(proposal, { service: 'ServiceName', quantity: 'Quantity', minutes: 'Duration' }),
      };
    },
  },
};

const balance: Tool = {
  name: 'balance',
  description: 'What a client owes: the open invoices; and its credit.',
  input: { contact_id: id() },
  required: ['contact_id'],
  job: {
    async run(call, { contact_id }) {
      const [invoices, contacts] = await Promise.all([
        callOperation(call, {
          operation: 'invoice/query',
          request: { ContactId: contact_id, Status: 'Open', Take: 100 },
        }),
        callOperation(call, { operation: 'contacts/locate', request: { IdSearch: contact_id } }),
      ]);
      if (invoices.status !== 200) return refusal(invoices);
      const [client] = rowsOf(contacts.body['Matches']);
      const credit = Number(client?.['CreditBalance'] ?? 0);
      const has = credit ? say` Its credit is ${money(credit)}.` : say``;
      const open = rowsOf(invoices.body['Invoices']).filter(({ BalanceDue }) => Number(BalanceDue) !== 0);
      const cents = open.reduce((sum, { BalanceDue }) => sum + Math.round(Number(BalanceDue) * 100), 0);
      const fields = { invoice_id: 'Id', number: 'Number', date: 'Date', due: 'BalanceDue', total: 'Total' };
      if (!open.length) return toResult({ say: say`The client owes nothing.${has}` });
      return toResult({
        say: say`The client owes ${money(cents / 100)} on ${count(open.length, 'invoice')}.${has}`,
        data: { invoices: open.slice(0, LISTED).map((invoice) => pickRow(invoice, fields)) },
      });
    },
  },
};

const logCall: Tool = {
  name: 'log_call',
  description: 'Store a phone call, as a note of the client.',
  input: {
    contact_id: id(),
    phone: text(),
    direction: { type: 'string', enum: ['Inbound', 'Outbound'] },
    seconds: id(),
    note: text('What was said.'),
  },
  required: ['note'],
  isWrite: true,
  job: {
    call({ contact_id, phone, direction, seconds, note }) {
      if (contact_id === undefined && phone === undefined) throw new AskFor(say`Give contact_id or phone.`);
      const call = { ContactId: contact_id, Phone: phone, Direction: direction, DurationSeconds: seconds, Note: note };
      return { operation: 'contacts/logcall', request: { Chars: JSON.stringify(given(call)) } };
    },
    answer(body, { note, contact_id, phone }, isDone) {
      if (isDone) return { say: say`The call is stored.`, data: { stored: body['Message'] } };
      const whose = contact_id ? say`client ${Number(contact_id)}` : say`a number`;
      return { say: say`This stores a call of ${whose}.`, data: given({ phone, note }) };
    },
  },
};

const taskFields = { task_id: 'Id', contact_id: 'ContactId', task: 'Description', due: 'Due', done: 'CompletedAt' };

const listTasks: Tool = {
  name: 'list_tasks',
  description: 'Open tasks: of a client, or due in a span of days.',
  input: { contact_id: id(), due_from: text(), due_through: text() },
  job: {
    call: ({ contact_id, due_from, due_through }) => ({
      operation: 'task/query',
      request: given({ ContactId: contact_id, DueFrom: due_from, DueThrough: due_through, Take: LISTED }),
    }),
    answer(body) {
      const tasks = rowsOf(body['Tasks']).map((task) => pickRow(task, taskFields));
      const total = Number(body['Count'] ?? tasks.length);
      return tasks.length ? { say: say`${count(total, 'open task')}.`, data: { tasks } } : { say: say`No open task.` };
    },
  },
};

const saveTask: Tool = {
  name: 'save_task',
  description: 'Add a task, or with task_id complete one.',
  input: { task_id: id(), contact_id: id(), task: text('What is to be done.'), due: text(), note: text() },
  isWrite: true,
  job: {
    call({ task_id, contact_id, task, due, note }) {
      if (task_id !== undefined) {
        if (isAnyGiven(contact_id, task, due)) throw new AskFor(say`To complete a task, give task_id and note only.`);
        return { operation: 'task/complete', request: given({ TaskId: task_id, Note: note }) };
      }
      if (task === undefined) throw new AskFor(say`Give task, or task_id to complete one.`);
      if (isAnyGiven(note))
        throw new AskFor(say`A note is for a task that is completed. Give task_id, or leave it out.`);
      return { operation: 'task/create', request: given({ ContactId: contact_id, Description: task, Due: due }) };
    },
    answer(body, { task_id, task, due }, isDone) {
      const data = given({ task, due });
      if (task_id !== undefined)
        return { say: isDone ? say`Task ${Number(task_id)} is done.` : say`This completes task ${Number(task_id)}.` };
      return { say: isDone ? say`Task ${Number(body['TaskId'])} is added.` : say`This adds the task below.`, data };
    },
  },
};

export const tools: readonly Tool[] = [
  findContact,
  saveContact,
  findTimes,
  holdTime,
  bookVisit,
  listVisits,
  changeVisit,
  cancelVisit,
  quote,
  balance,
  logCall,
  listTasks,
  saveTask,
  ...operationTools,
];

const CONFIRM: Argument = { type: 'string', description: 'The token of the preview, after a yes.' };

/** The arguments of a tool; one that changes something takes the token of its preview too. */
export const inputOf = ({ input, isWrite, mayWrite }: Tool): Tool['input'] =>
  isWrite || mayWrite ? { ...input, confirm: CONFIRM } : input;

/** The tools as the protocol lists them; those that change something only where the key lets assistants do so. */
export const listTools = (mayWrite: boolean): ListedTool[] =>
  tools
    .filter(({ isWrite }) => mayWrite || !isWrite)
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: {
        type: 'object',
        properties: { ...inputOf(tool) },
        ...(tool.required ? { required: [...tool.required] } : {}),
      },
      annotations: { readOnlyHint: !tool.isWrite && !tool.mayWrite },
    }));
