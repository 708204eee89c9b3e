import { createHash } from 'node:crypto';
import { eventPayload } from '../events/event-text.ts';
import { type Json, canonical } from '../shared/objects.ts';
import { listAuditEntries, listCallCounts, readCountName } from '../store/requests/audit.ts';
import { endOfPage } from '../store/events/event-sequence.ts';
import { findQueue, listEvents } from '../store/events/events.ts';
import { listPublicParts } from '../store/requests/api-keys.ts';
import type { StoreReader } from '../store/store.ts';

/** A time span, both ends included, in milliseconds since 1970. */
interface AuditSpan {
  readonly from: number;
  readonly through: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Something that happened, before it becomes a line. */
interface Happened extends Fields {
  readonly At: string;
  readonly Kind: string;
}

const toIso = (at: number): string => new Date(at).toISOString();

/** Events that one read may return. */
const EVENTS_PER_READ = 1_000;

/** Events queued in the span, without their data: who changed what, in which call. */
async function* queuedEvents(store: StoreReader, { from, through }: AuditSpan, now: Date) {
  // No subscriber is named "", so its queue starts at the oldest readable event.
  const { last, next: first, absent } = await findQueue(store, '', now);
  let At = toIso(from);
  for (let next = first; next <= last;) {
    const newest = endOfPage(absent, next, last, EVENTS_PER_READ);
    const { events, missing } = await listEvents(store, next, newest, absent);
    for (const { id, queuedAt, payload } of events) {
      if (queuedAt > through) return;
      if (queuedAt < from) continue;
      const { Kind, Id, OrganizationId, ContactId, Changed, Actor, RequestId } = eventPayload(payload);
      const what = { Id, OrganizationId, ContactId, Changed, Actor, RequestId };
      At = toIso(queuedAt);
      yield { At, Kind, Event: id, ...what };
    }
    // Event ids have no gaps, so somebody removed this one.
    if (missing !== undefined) yield { At, Kind: 'event.missing', Event: missing };
    next = (missing ?? events.at(-1)?.id ?? newest) + 1;
  }
}

/** Denied calls, reads of download files by key and day, and everything else that is not an event; oldest first. */
async function otherEntries(store: StoreReader, span: AuditSpan): Promise<Happened[]> {
  const { table } = store;
  const keys = await listPublicParts(store);
  const [entries, days] = await Promise.all([listAuditEntries(store, span), listCallCounts(table, keys, span)]);
  const counted = days.flatMap(({ key, first, last, network, counts }) =>
    Object.entries(counts).map(([name, Count]) => {
      const { operation: Operation, status, field } = readCountName(name);
      const what =
        field === undefined
          ? { Kind: Number(status) < 400 ? 'download.fetched' : 'call.denied', Operation, ResultCode: status }
          : { Kind: 'field.ignored', Operation, Field: field };
      const when = { First: toIso(first), Last: toIso(last) };
      return { At: toIso(last), ...what, Count, ...when, Network: network, Key: key };
    }),
  );
  const others = entries.map(({ At, Kind, Actor, Data }) => ({ At: toIso(At), Kind, Actor, Data }));
  return [...others, ...counted].sort((a, b) => (a.At < b.At ? -1 : a.At > b.At ? 1 : 0));
}

/** Merges two lists, each oldest first. */
async function* inOrder(events: AsyncIterable<Happened>, others: readonly Happened[]): AsyncGenerator<Happened> {
  let index = 0;
  for await (const event of events) {
    for (let other = others[index]; other && other.At < event.At; other = others[++index]) yield other;
    yield event;
  }
  yield* others.slice(index);
}

/** The hash of a line, computed from the line before it and its own fields. */
const hashOf = (line: Fields): string =>
  createHash('sha256')
    .update(canonical(JSON.parse(JSON.stringify(line)) as Json))
    .digest('hex');

/**
 * The audit of an account as lines of JSON. Each has its number and the hash of the line before it, and the last one
 * gives the total, so a line that is changed, added or missing breaks the chain.
 */
export async function* auditLines(store: StoreReader, span: AuditSpan, now: Date): AsyncGenerator<string> {
  const { account } = store;
  let [Line, Previous] = [0, ''];
  const link = (fields: Fields): string => {
    const line = { Line: ++Line, ...fields, Previous };
    Previous = hashOf(line);
    return JSON.stringify({ ...line, Hash: Previous });
  };
  const about = { Account: account, From: toIso(span.from), Through: toIso(span.through) };
  yield link({ At: toIso(now.getTime()), Kind: 'audit.begin', ...about });
  for await (const each of inOrder(queuedEvents(store, span, now), await otherEntries(store, span))) yield link(each);
  yield link({ At: toIso(now.getTime()), Kind: 'audit.end', Lines: Line + 1 });
}

/** What is wrong with an audit, `undefined` if nothing is, and its last hash, which identifies it. */
export async function checkAudit(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<{ readonly problem: string | undefined; readonly lines: number; readonly hash: string }> {
  let [count, previous, isEnded] = [0, '', false];
  for await (const text of lines) {
    if (!text) continue;
    const fault = (problem: string) => ({ problem: `Line ${count}: ${problem}`, lines: count, hash: previous });
    count++;
    const parsed = parseLine(text);
    if (!parsed) return fault('is not a line of an audit.');
    const { Hash, ...line } = parsed;
    if (isEnded) return fault('comes after the end.');
    if (line['Line'] !== count || line['Previous'] !== previous)
      return fault('does not follow the line before it: lines are missing, added or in another order.');
    if (Hash !== hashOf(line)) return fault('was changed.');
    previous = Hash;
    isEnded = line['Kind'] === 'audit.end' && line['Lines'] === count;
  }
  return { problem: isEnded ? undefined : 'The end is missing.', lines: count, hash: previous };
}

function parseLine(text: string): (Fields & { readonly Hash?: unknown }) | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? (line as Fields) : undefined;
  } catch {
    return undefined;
  }
}
