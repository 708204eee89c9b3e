import { toPage } from './lists.ts';
import { type Sentence, count, made, money, say } from './sentence.ts';
import { AskFor, type Argument, type Row, type Tool, fieldsOf, given, pickRow, rowsOf } from './tool.ts';
import { flag, id, isAnyGiven, quantity, serviceOf, text } from './arguments.ts';

const windowFields = { arrive_from: 'ArrivalFrom', arrive_through: 'ArrivalThrough' } as const;

/** The times of a visit in the form in which find_times shows them. */
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

export const toVisit = (slot: Row): Row => ({
  ...pickRow(slot, visitFields),
  ...(typeof slot['Status'] === 'number' ? { status: STATUSES[slot['Status']] } : {}),
});

const firstVisit = (body: Row): Row => toVisit(rowsOf(body['Slots'])[0] ?? {});

const TIMES = 6;

export const findTimes: Tool = {
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
      const others = firsts.length > TIMES ? say` Others: give from or time_of_day.` : say``;
      return { say: say`${shown} are below. Each costs ${money(first['Total'])}.${others}`, data: { times } };
    },
  },
};

export const holdTime: Tool = {
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

const REPEAT: Argument = { type: 'string', enum: ['daily', 'weekly', 'monthly', 'yearly'] };

/** The days of a series: those of its weeks, or one of its months. */
const daysOf = (repeat: unknown, days: unknown) =>
  repeat === 'monthly' ? { On: days } : { Days: String(days ?? '').match(/[^\s,]+/g) ?? undefined };

export const bookVisit: Tool = {
  name: 'book_visit',
  description: 'Book a time of find_times, or with repeat a series that begins with it.',
  input: {
    contact_id: id(),
    service: text('Name or id.'),
    quantity: quantity(),
    start: text('A start of find_times.'),
    ...windowInput,
    agent_id: id(),
    hold: text('Of hold_time.'),
    note: text(),
    repeat: REPEAT,
    every: id('2 for every second week.'),
    days: text('Weekly: Mon, Thu. Monthly: first Tuesday, last Fri.'),
    visits: id('How many in all.'),
    through: text('Or the last day.'),
  },
  required: ['contact_id', 'service', 'start', 'agent_id'],
  isWrite: true,
  job: {
    call: ({ contact_id, service, quantity, start, agent_id, hold, note, ...others }) => ({
      operation: 'appointments/book',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Quantity: quantity,
        Slots: [{ DateTime: start, ServiceAgentId: agent_id, ...fieldsOf(others, windowFields) }],
        HoldHandle: hold,
        Notes: note,
        ...fieldsOf(others, { repeat: 'Repeat', every: 'Interval', visits: 'Count', through: 'Through' }),
        ...daysOf(others['repeat'], others['days']),
      }),
    }),
    answer(body, { repeat }, isDone) {
      const { visit_id, ...visit } = firstVisit(body);
      const data = repeat ? { visit, series: body['Message'] } : { visit };
      return isDone
        ? { say: say`Booked: visit ${Number(visit_id)}, ${money(visit['total'])}.`, data }
        : { say: say`This books the visit below for ${money(visit['total'])}.`, data };
    },
  },
};

export const listVisits: Tool = {
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
      const { rows: visits, next } = toPage({ list: body['Slots'], nextSkip: undefined }, toVisit);
      const total = count(rowsOf(body['Slots']).length, 'visit');
      const more =
        next === undefined ? say`` : say` The first ${next} are below; appointments/query has pages of them.`;
      return visits.length
        ? { say: say`${total}.${more}`, data: { visits } }
        : { say: say`The client has no such visit.` };
    },
  },
};

const SCOPE: Argument = { type: 'string', enum: ['this', 'following'] };

/** What a scope adds to the sentence about a changed visit. */
const others = (scope: unknown): Sentence => (scope === 'following' ? say`, and those that follow` : say``);

export const changeVisit: Tool = {
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

export const cancelVisit: Tool = {
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
