import { freeSlot } from './appointment-rows.ts';
import type { CostRow } from './cost-rows.ts';

type Call = Parameters<CostRow['body']>[1];
interface Held {
  readonly Handle: string;
  readonly DateTime: string;
  readonly ServiceAgentId: number;
}

const work = { ContactId: 11, ServiceId: 1, Duration: '60' };
const searched = () => ({ ...work, TargetDate: '2027-07-05', SlotWindowDays: 7, Hold: 3 });
const release = (call: Call, holds: readonly Held[]) =>
  call('appointments/slotsearch', { Release: holds.map(({ Handle }) => Handle) });

let open: readonly Held[] = [];

/** Holds a free time of an agent, which no other row takes. */
async function held(call: Call): Promise<Held> {
  const slot = freeSlot();
  const { body } = await call('appointments/slotsearch', { ...work, Slots: [slot], Hold: 1 });
  const [hold] = body['Holds'] as Held[];
  if (!hold) throw new Error(`nothing was held: ${JSON.stringify(body).slice(0, 300)}`);
  return hold;
}

/** A key has at most 20 holds: each run lets go of those of the one before. */
export const holdRows: readonly CostRow[] = [
  {
    name: 'appointments/slotsearch, 7 days, 3 slots held',
    operation: 'appointments/slotsearch',
    body: async (_, call) => {
      if (open.length) await release(call, open);
      return searched();
    },
    // A search, with the key's holds before, and the days read strongly and written behind.
    budget: { rounds: 6, readUnits: 21, writeUnits: 16 },
    check: ({ Holds }) => {
      open = Holds as Held[];
      if (open.length !== 3) throw new Error(`expected 3 holds, found ${open.length}`);
    },
  },
  {
    name: 'appointments/slotsearch, a hold released',
    operation: 'appointments/slotsearch',
    body: async (_, call) => ({ Release: [(await held(call)).Handle] }),
    budget: { rounds: 3, readUnits: 4, writeUnits: 4 },
  },
  {
    name: 'appointments/book, a held slot',
    operation: 'appointments/book',
    body: async (_, call) => {
      const { Handle: HoldHandle, DateTime, ServiceAgentId } = await held(call);
      return { ...work, HoldHandle, Slots: [{ DateTime, ServiceAgentId }] };
    },
    budget: { rounds: 3, readUnits: 14, writeUnits: 16 },
  },
];
