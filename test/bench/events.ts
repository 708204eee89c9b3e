import { callbackTargets } from '../../lib/domain/callbacks/targets.ts';
import { type StreamRecord, entityKindOf, parseChange } from '../../lib/events/change.ts';
import { noRelations } from '../../lib/events/entity-kind.ts';
import { eventText } from '../../lib/events/event-text.ts';
import { toEvent } from '../../lib/events/event.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';
import { someContact } from '../support/contacts.ts';
import { memoryTable } from '../support/stack/memory-table.ts';
import { linkSigner, signedLinks } from '../../lib/store/links.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { eventLanes } from './event-lanes.ts';
import { ACCOUNT, nouns, streamRecords } from './event-records.ts';
import { median, printTable } from './table.ts';

const RECORDS = 10_000;
const ROUNDS = 7;
/** Of each noun; a batch of 10,000 of them has each five times: that many different ones would fill the memory. */
const DIFFERENT = 2_000;
/** Microseconds of CPU an event. */
const BUDGET = 11.6;

const relations = {
  ...noRelations,
  contacts: new Map([[1, someContact(1)]]),
  link: signedLinks(ACCOUNT, linkSigner('secret'), new Date()),
};

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

interface Figures {
  readonly median: number;
  readonly least: number;
}

const toFigures = (all: readonly number[]): Figures => ({ median: median(all), least: Math.min(...all) });

/** Of making an event of the images of each noun, in batches of 10,000. */
async function measureConversions(): Promise<{ figures: Map<string, Figures>; isComplete: boolean }> {
  const batches = Object.entries(nouns).map(([noun, pairOf]) => {
    const different = streamRecords(pairOf, DIFFERENT);
    return { noun, records: Array.from({ length: RECORDS / DIFFERENT }, () => different).flat() };
  });
  const all = new Map(batches.map(({ noun }) => [noun, [] as number[]]));
  let isComplete = true;
  // Each noun in every round: an object of another shape comes in between, as in a worker.
  for (let round = 0; round < ROUNDS; round++)
    for (const { noun, records } of batches) {
      const { micros, done } = await measure(() => convert(records));
      all.get(noun)?.push(micros);
      isComplete &&= done === RECORDS;
    }
  return { figures: new Map([...all].map(([noun, figures]) => [noun, toFigures(figures)])), isComplete };
}

const countEvents = (items: readonly Item[]): number =>
  items.filter(({ PK }) => PK.startsWith(`A#${ACCOUNT}#EVENTS#`)).length;

/** Of the whole worker with compression and transactions, without the requests to the table. */
async function measureWorker(): Promise<{ figures: Figures; isComplete: boolean }> {
  const runs: number[] = [];
  let isComplete = true;
  for (let round = 0; round < ROUNDS; round++) {
    const records = streamRecords(nouns.contacts, RECORDS, round * RECORDS + 1);
    const { table, items } = memoryTable();
    const { micros, done } = await measure(async () => {
      const options = { now: new Date(), deadline: Date.now() + 60_000 };
      return (await queueEvents(table, records, options)).queued;
    });
    runs.push(micros);
    isComplete &&= done === RECORDS && countEvents(items()) === RECORDS;
  }
  return { figures: toFigures(runs), isComplete };
}

/**
 * The CPU of an event in batches of 10,000 records of the stream: of making it of the images, whose mean over the nouns
 * has a budget, and of the whole worker; then what several shards of one account do to each other.
 */
export async function events(): Promise<boolean> {
  // First: the garbage of the worker's tables is no cost of a conversion.
  const conversions = await measureConversions();
  const worker = await measureWorker();
  const all = [...conversions.figures.values()];
  const mean = (figure: keyof Figures) => all.reduce((sum, figures) => sum + figures[figure], 0) / all.length;
  const rows: [string, Figures, string][] = [
    ...[...conversions.figures].map(([noun, figures]): [string, Figures, string] => [noun, figures, '']),
    ['mean', { median: mean('median'), least: mean('least') }, String(BUDGET)],
    ['contacts, the whole worker', worker.figures, ''],
  ];
  printTable(
    ['images to event, µs CPU', 'median', 'least', 'budget'],
    rows.map(([name, { median: middle, least }, budget]) => [name, middle.toFixed(1), least.toFixed(1), budget]),
  );
  const isComplete = worker.isComplete && conversions.isComplete;
  if (!isComplete) process.stdout.write('Not every record became an event.\n');
  // Other processes only add to a figure: the least is that of the code.
  const isWithinBudget = isComplete && mean('least') <= BUDGET;
  process.stdout.write('\n');
  return (await eventLanes()) && isWithinBudget;
}
