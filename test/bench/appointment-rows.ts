import type { CostRow } from './cost-rows.ts';

type Body = Record<string, unknown>;
type Call = Parameters<CostRow['body']>[1];

/** A start in May that no run has taken: 20 agents, eight hours of a day, day after day of the week's five. */
let last = 0;
export function freeSlot(): { DateTime: string; ServiceAgentId: number } {
  const place = last++;
  const day = Math.floor(place / 160);
  const date = new Date(Date.UTC(2027, 4, 3 + day + Math.floor(day / 5) * 2)).toISOString().slice(0, 10);
  return {
    DateTime: `${date}T${String(8 + (Math.floor(place / 20) % 8)).padStart(2, '0')}:00`,
    ServiceAgentId: (place % 20) + 1,
  };
}

const booking = () => ({ ContactId: 11, ServiceId: 1, Duration: '60', Slots: [freeSlot()] });
/** Of two agents, in June. */
let pairs = 0;
function together(): object {
  const place = pairs++;
  const Slots = [
    {
      DateTime: `2027-06-${String(7 + (place % 5)).padStart(2, '0')}T${String(8 + (Math.floor(place / 5) % 8)).padStart(2, '0')}:00`,
      ServiceAgentId: 1,
      AdditionalServiceAgents: [{ ServiceAgent: { Id: 2 } }],
    },
  ];
  return { ...booking(), CallCenterTransactionId: 1_000_000 + place, Slots };
}
const booked = async (call: Call): Promise<number> =>
  (await call('appointments/book', booking())).body['AppointmentId'] as number;
const billed = async (call: Call): Promise<number> =>
  (
    await call('appointments/book', {
      ...booking(),
      ServiceId: 4,
      Quantity: 12,
      AddOnParts: [{ PartId: 61, Quantity: 2 }, { PartId: 62 }],
    })
  ).body['AppointmentId'] as number;
const done = (run: number) => run * 10 + 1;

const slots = (answer: Body) => {
  if ((answer['Slots'] as unknown[]).length < 100)
    throw new Error(`too few slots: ${JSON.stringify(answer).slice(0, 200)}`);
};
const found = (count: number, page: number) => (answer: Body) => {
  const { length } = answer['Appointments'] as unknown[];
  if (length !== page || answer['Count'] !== count)
    throw new Error(`expected ${page} appointments of ${count}, found ${length} of ${String(answer['Count'])}`);
};

const twoWeeks = { ContactId: 11, ServiceId: 1, Duration: '60', TargetDate: '2027-03-01', SlotWindowDays: 14 };
const day = { FromDate: '2026-01-03', ThroughDate: '2026-01-03' };
let lead = 0;

/** Other rows have the company begin its days elsewhere: the first row here sets it again. */
export const appointmentRows: readonly CostRow[] = [
  {
    name: 'appointments/slotsearch, 20 agents, 14 days, 30 % booked',
    operation: 'appointments/slotsearch',
    body: async (run, call) => {
      if (run === 0) await call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '10001' } });
      return twoWeeks;
    },
    budget: { rounds: 3, readUnits: 30, writeUnits: 0 },
    check: slots,
  },
  {
    name: 'appointments/book',
    operation: 'appointments/book',
    body: booking,
    budget: { rounds: 3, readUnits: 14, writeUnits: 24 },
  },
  {
    name: 'appointments/book, two agents, CallCenterTransactionId',
    operation: 'appointments/book',
    body: together,
    budget: { rounds: 3, writeUnits: 24 },
  },
  {
    name: 'appointments/update, rescheduled',
    operation: 'appointments/update',
    body: async (_, call) => ({ AppointmentId: await booked(call), Slots: [freeSlot()] }),
    budget: { rounds: 4, writeUnits: 24 },
  },
  {
    name: 'appointments/update, a note',
    operation: 'appointments/update',
    body: async (_, call) => ({ AppointmentId: await booked(call), UpdateNote: 'Gate left.' }),
    budget: { rounds: 3, writeUnits: 8 },
  },
  {
    name: 'appointments/update, completed with its invoice',
    operation: 'appointments/update',
    body: async (_, call) => ({
      AppointmentId: await billed(call),
      UpdateActuals: true,
      ActualStart: '2027-03-09T09:00',
      ActualFinish: '2027-03-09T10:00',
    }),
    budget: { rounds: 4, writeUnits: 32 },
    check: (answer) => {
      if (!answer['InvoiceId']) throw new Error('no invoice was made');
    },
  },
  {
    name: 'appointments/dayplan, 8 agents',
    operation: 'appointments/dayplan',
    body: () => ({ Date: '2027-03-01', Agents: [1, 2, 3, 4, 5, 6, 7, 8] }),
    budget: { rounds: 5, writeUnits: 0 },
  },
  {
    name: 'appointments/cancel',
    operation: 'appointments/cancel',
    body: async (_, call) => ({ AppointmentId: await booked(call), CancelReasonId: 1 }),
    budget: { rounds: 4, writeUnits: 16 },
  },
  {
    name: 'appointments/queue',
    operation: 'appointments/queue',
    body: () => ({ ContactId: 11, ServiceId: 1, Duration: '60' }),
    budget: { rounds: 3, writeUnits: 16 },
  },
  {
    name: 'appointments/quickbook, new contact',
    operation: 'appointments/quickbook',
    body: () => ({
      Name: `Lead Q${lead}`,
      Email: `lead${Date.now()}${lead++}@example.com`,
      Zip: '10001',
      Service: 'Service 0',
      Duration: 60,
      ScheduledStart: freeSlot().DateTime,
      ServiceAgentEmail: `agent${((last - 1) % 20) + 1}@example.com`,
    }),
    budget: { rounds: 8, writeUnits: 48 },
  },
  {
    name: 'appointments/addtip',
    operation: 'appointments/addtip',
    body: (run) => ({ AppointmentId: done(run), Amount: 5 }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'appointments/feedback',
    operation: 'appointments/feedback',
    body: (run) => ({ Id: done(run), Score: run }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'appointments/find, one, with its contact',
    operation: 'appointments/find',
    body: () => ({ AppointmentId: 51, IncludeContact: true }),
    budget: { rounds: 2, readUnits: 3, writeUnits: 0 },
  },
  {
    name: 'appointments/query of a day, page 1 of 3',
    operation: 'appointments/query',
    body: () => day,
    budget: { rounds: 3, readUnits: 70, writeUnits: 5 },
    check: found(300, 100),
  },
  {
    name: 'appointments/query of a day, page 3',
    operation: 'appointments/query',
    body: async (_, call) => {
      await call('appointments/query', day);
      return { ...day, Skip: 200 };
    },
    budget: { rounds: 3, readUnits: 65, writeUnits: 2 },
    check: found(300, 100),
  },
];
