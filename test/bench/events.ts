import { callbackTargets } from '../../lib/domain/callbacks/targets.ts';
import { type StreamRecord, entityKindOf, parseChange } from '../../lib/events/change.ts';
import { eventText, toEvent } from '../../lib/events/event.ts';
import type { Change, Item } from '../../lib/store/dynamodb/changes.ts';
import type { PatientTable } from '../../lib/store/dynamodb/client.ts';
import { Meter } from '../../lib/store/dynamodb/meter.ts';
import type { Key } from '../../lib/store/keys.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';
import { contactItem, someContact } from '../support/contacts.ts';
import { written } from '../support/images.ts';
import { median, printTable } from './table.ts';

const RECORDS = 10_000;
const ROUNDS = 7;
const RECORDS_A_SECOND = 40;
/** Microseconds of CPU an event. */
const BUDGET = 15;

const ACCOUNT = 'bench';

/** A table in memory, with the events of the batch: the bench is of the worker, not of the requests to the table. */
function memoryTable(): { table: PatientTable; events: () => number } {
  const partitions = new Map<string, Map<string, Item>>();
  const partition = (PK: string) => partitions.get(PK) ?? partitions.set(PK, new Map<string, Item>()).get(PK);
  const put = (item: Item) => void partition(item.PK)?.set(item.SK, item);
  const find = ({ PK, SK }: Key) => partitions.get(PK)?.get(SK);
  const table: PatientTable = {
    meter: new Meter(),
    until: () => table,
    get: async (key) => find(key),
    getMany: async (keys) => keys.flatMap((key) => find(key) ?? []),
    query: async ({ partition: PK, from = '', to = '~' }) => ({
      items: [...(partitions.get(PK)?.values() ?? [])].filter(({ SK }) => SK >= from && SK <= to),
      next: undefined,
    }),
    count: async () => 0,
    writeCursor: async () => undefined,
    async commit(changes: readonly Change[]) {
      for (const change of changes) {
        if ('update' in change) put({ ...find(change.update), ...change.update, ...change.set });
        else if ('put' in change) put(change.put);
      }
    },
    update: async (change) => change.update,
    putMany: async () => undefined,
  };
  const isOfEvents = (PK: string) => PK.startsWith(`A#${ACCOUNT}#EVENTS#`);
  const events = () => [...partitions].reduce((sum, [PK, items]) => sum + (isOfEvents(PK) ? items.size : 0), 0);
  return { table, events };
}

/** Half are new contacts, half are changes of contacts. */
function streamRecords(round: number): StreamRecord[] {
  const at = Math.floor(Date.now() / 1000);
  return Array.from({ length: RECORDS }, (_, index) => {
    const id = round * RECORDS + index + 1;
    const contact = someContact(id, { Name: `Contact ${id}`, Email: `contact${id}@example.com`, City: 'Springfield' });
    const before = contactItem(ACCOUNT, contact);
    const after = contactItem(ACCOUNT, { ...contact, V: contact.V + 1, Name: `Customer ${id}` });
    const { PK, SK } = before;
    return {
      dynamodb: {
        ApproximateCreationDateTime: at + Math.floor(index / RECORDS_A_SECOND),
        Keys: written({ PK, SK }),
        SequenceNumber: String(id),
        ...(index % 2 ? { OldImage: written(before), NewImage: written(after) } : { NewImage: written(before) }),
      },
    };
  });
}

const relations = { lists: { customFields: [], taxRates: [] }, contacts: new Map() };

/** Records to the texts of their events, and whom they call. */
function convert(records: readonly StreamRecord[]): number {
  let converted = 0;
  for (const record of records) {
    const change = parseChange(record, entityKindOf(record) ?? '');
    const event = toEvent(change, relations);
    if (!event) continue;
    const { entity, after, before } = change;
    callbackTargets({ entity, kind: event.Kind, record: after ?? before ?? {} }, []);
    if (eventText(event).length) converted++;
  }
  return converted;
}

async function measure(work: () => number | Promise<number>): Promise<{ micros: number; done: number }> {
  const since = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(since);
  return { micros: (user + system) / RECORDS, done };
}

/**
 * The CPU of an event in batches of 10,000 records of the stream: of making it of the images, which has a budget, and
 * of the whole worker with compression and transactions, without the requests to the table.
 */
export async function events(): Promise<boolean> {
  const conversions: number[] = [];
  const runs: number[] = [];
  let isComplete = true;
  for (let round = 0; round < ROUNDS; round++) {
    const records = streamRecords(round);
    const conversion = await measure(() => convert(records));
    const { table, events: count } = memoryTable();
    const run = await measure(async () => {
      const options = { now: new Date(), deadline: Date.now() + 60_000 };
      return (await queueEvents(table, records, options)).queued;
    });
    conversions.push(conversion.micros);
    runs.push(run.micros);
    isComplete &&= conversion.done === RECORDS && run.done === RECORDS && count() === RECORDS;
  }
  const row = (name: string, figures: readonly number[], budget: string) => [
    name,
    median(figures).toFixed(1),
    Math.min(...figures).toFixed(1),
    budget,
  ];
  printTable(
    ['µs CPU an event', 'median', 'least', 'budget'],
    [row('images to event', conversions, String(BUDGET)), row('the whole worker', runs, '')],
  );
  if (!isComplete) process.stdout.write('Not every record became an event.\n');
  // Other processes only add to a figure: the least is that of the code.
  return isComplete && Math.min(...conversions) <= BUDGET;
}
