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
const ROUNDS = 12;
/** Of each noun; a batch of 10,000 of them has each five times: that many different ones would fill the memory. */
const DIFFERENT = 2_000;
/** The CPU of an event ÷ that of JSON.parse of its images: 3.5 with unmarshall of the AWS SDK. */
const LIMIT = 4.5;

const relations = {
  ...noRelations,
  contacts: new Map([[1, someContact(1)]]),
  link: signedLinks({ account: ACCOUNT }, linkSigner('secret'), new Date()),
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

const repeated = <Value>(values: readonly Value[]): Value[] =>
  Array.from({ length: RECORDS / DIFFERENT }, () => values).flat();

/** How many texts are JSON: work that every machine does as fast as it does ours. */
const parseAll = (texts: readonly string[]): number =>
  texts.reduce((count, text) => (JSON.parse(text) ? count + 1 : count), 0);

/** Of making an event of the images of each noun, in batches of 10,000, and of parsing the JSON of these. */
async function measureConversions() {
  const batches = Object.entries(nouns).map(([noun, pairOf]) => {
    const different = streamRecords(pairOf, DIFFERENT);
    const texts = repeated(different.map((record) => JSON.stringify(record)));
    return { noun, records: repeated(different), texts, conversions: [] as number[], parses: [] as number[] };
  });
  let isComplete = true;
  // Each noun in every round: an object of another shape comes in between, as in a worker.
  for (let round = 0; round < ROUNDS; round++)
    for (const { records, texts, conversions, parses } of batches) {
      const { micros, done } = await measure(() => convert(records));
      const parse = await measure(() => parseAll(texts));
      conversions.push(micros);
      parses.push(parse.micros);
      isComplete &&= done === RECORDS && parse.done === RECORDS;
    }
  const figures = batches.map(({ noun, conversions, parses }) => ({
    noun,
    conversion: toFigures(conversions),
    parse: toFigures(parses),
  }));
  return { figures, isComplete };
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
  const meanOf = (figureOf: (figures: (typeof conversions.figures)[number]) => number) =>
    conversions.figures.reduce((sum, figures) => sum + figureOf(figures), 0) / conversions.figures.length;
  // Other processes only add to a figure: the least is that of the code.
  const [least, leastParse] = [meanOf(({ conversion }) => conversion.least), meanOf(({ parse }) => parse.least)];
  const ratio = least / leastParse;
  const micros = (figure: number) => figure.toFixed(1);
  printTable(
    ['images to event, µs CPU', 'median', 'least', 'JSON.parse, least', `ratio (≤ ${LIMIT})`],
    [
      ...conversions.figures.map(({ noun, conversion, parse }) => [
        noun,
        micros(conversion.median),
        micros(conversion.least),
        micros(parse.least),
        '',
      ]),
      ['mean', micros(meanOf(({ conversion }) => conversion.median)), micros(least), micros(leastParse), ratio],
      ['contacts, the whole worker', micros(worker.figures.median), micros(worker.figures.least), '', ''],
    ],
  );
  const isComplete = worker.isComplete && conversions.isComplete;
  if (!isComplete) process.stdout.write('Not every record became an event.\n');
  process.stdout.write('\n');
  return (await eventLanes()) && isComplete && ratio <= LIMIT;
}
