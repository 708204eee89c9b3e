import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { accountStore } from '../../lib/store/store.ts';

export type Call = (operation: string, body: object) => Promise<Record<string, unknown>>;

/** The n-th call of a kind: the operation and its body. */
type Kind = (turn: number) => readonly [operation: string, body: object];

const CONTACTS = 50;
const APPOINTMENTS = 20;
const SERVICES = ['Mowing', 'Pruning', 'Planting', 'Cleaning'];
const weekdays = [1, 2, 3, 4, 5].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 480, Minutes: 540 }));

const contact = (number: number) => ({
  Name: `Marta Q${String(number).replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)))}son`,
  Email: `m${number}@example.com`,
  Phone: `+1 309 ${String(5_000_000 + number)}`,
  Address1: `${number} Main Street`,
  City: 'Springfield',
  State: 'IL',
  Zip: '62701',
});

/** A start that no other booking has: two agents, eight hours of a day, weekday after weekday from March 2028. */
function freeSlot(place: number): object {
  const day = Math.floor(place / 16);
  const date = new Date(Date.UTC(2028, 2, 6 + day + Math.floor(day / 5) * 2)).toISOString().slice(0, 10);
  const hour = String(8 + (Math.floor(place / 2) % 8)).padStart(2, '0');
  return { DateTime: `${date}T${hour}:00`, ServiceAgentId: (place % 2) + 1 };
}

/**
 * Makes a small company in an empty account: 2 agents, 4 services, 50 contacts, 20 appointments of the first week of
 * March 2027, 20 tasks. Returns the calls of the load bench by the kind of their work.
 */
export async function makeLoadCompany(table: TableWriter, accountId: string, call: Call) {
  await call('organizations/update', {
    OrganizationId: 1,
    Timezone: 'America/Chicago',
    StartAddress: { Zip: '62701' },
    ServiceAgents: ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, TimeSlots: weekdays })),
  });
  const scope = { account: accountId, organizationId: null, accountWide: true, now: new Date() };
  const services = SERVICES.map((Name) => ({ Name, BasePrice: 50, BaseDuration: 60 }));
  const book = await writePriceBook(accountStore(table, scope.account), scope, { services });
  if (book.kind === 'invalid') throw new Error(JSON.stringify(book.errors));
  const ids: number[] = [];
  for (let number = 1; number <= CONTACTS; number++) {
    const [made] = (await call('contacts/addupdate', contact(number)))['Matches'] as { Id: number }[];
    ids.push(made?.Id ?? 0);
  }
  const contactOf = (turn: number) => ids[turn % CONTACTS];
  const booking = (turn: number, slot: object) => ({
    ContactId: contactOf(turn),
    ServiceId: 1 + (turn % SERVICES.length),
    Duration: '60',
    Slots: [slot],
  });
  const appointments: number[] = [];
  for (let turn = 0; turn < APPOINTMENTS; turn++) {
    const DateTime = `2027-03-0${1 + (turn % 5)}T${String(9 + Math.floor(turn / 5)).padStart(2, '0')}:00`;
    const slot = { DateTime, ServiceAgentId: (Math.floor(turn / 5) % 2) + 1 };
    appointments.push((await call('appointments/book', booking(turn, slot)))['AppointmentId'] as number);
  }
  const task = (turn: number) => ({ ContactId: contactOf(turn), Description: `Call back ${turn}`, Category: 'Calls' });
  for (let turn = 0; turn < APPOINTMENTS; turn++) await call('task/create', task(turn));

  const read: Kind[] = [
    (turn) => ['contacts/locate', { IdSearch: contactOf(turn) }],
    (turn) => ['contacts/locate', { PhoneSearch: contact((turn % CONTACTS) + 1).Phone }],
    (turn) => ['appointments/find', { AppointmentId: appointments[turn % APPOINTMENTS] }],
    (turn) => ['contacts/locate', { IdSearch: contactOf(turn + 25) }],
    (turn) => ['services/details', { Id: 1 + (turn % SERVICES.length) }],
  ];
  const write: Kind[] = [
    (turn) => ['contacts/addupdate', contact(1_000 + turn)],
    (turn) => ['contacts/addnote', { ContactId: contactOf(turn), Note: { Title: 'Gate', Body: 'Code 4711.' } }],
    (turn) => ['task/create', task(turn)],
    (turn) => ['appointments/book', booking(turn, freeSlot(turn))],
  ];
  const slots: Kind[] = [
    (turn) => [
      'appointments/slotsearch',
      {
        ContactId: contactOf(turn),
        ServiceId: 1 + (turn % SERVICES.length),
        Duration: '60',
        TargetDate: '2027-03-01',
        SlotWindowDays: 2,
      },
    ],
  ];
  return { read, write, slots };
}

export type Kinds = Awaited<ReturnType<typeof makeLoadCompany>>;
