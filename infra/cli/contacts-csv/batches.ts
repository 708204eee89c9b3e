import type { ContactInput } from '../../../lib/domain/contacts/apply-input.ts';
import { fold } from '../../../lib/shared/text/text.ts';

/** A line of the file whose cells make a valid contact. */
export interface ContactRow {
  readonly line: number;
  readonly contact: ContactInput;
}

/** contacts/addupdate takes as many at once: a transaction holds 100 changes. */
const MAX_CONTACTS = 25;
/** Phone numbers with and without their country share these last digits. */
const PHONE_DIGITS = 10;

/** By what two lines may be about the same contact. */
function matchKeys({ Id, Hash, Email, Phone, AltPhone, DigitalTrackingId }: ContactInput): string[] {
  const phones = [Phone, AltPhone].map((phone) => (phone ?? '').replaceAll(/\D/g, '').slice(-PHONE_DIGITS));
  return [
    ...(Id ? [`id ${Id}`] : []),
    ...(Hash ? [`hash ${Hash}`] : []),
    ...(DigitalTrackingId ? [`tracking ${DigitalTrackingId}`] : []),
    ...(Email ? [`e-mail ${fold(Email)}`] : []),
    ...phones.filter(Boolean).map((phone) => `phone ${phone}`),
  ];
}

/** Rows that wait for an earlier one at most, so that a file of one phone number is not read into memory. */
const MAX_WAITING = 1_000;

interface KeyedRow {
  readonly row: ContactRow;
  readonly keys: readonly string[];
}

/**
 * Gives the rows in batches to `handle`, at most `limit` at a time. Rows that may be the same contact are never in one
 * batch nor in progress at once, and the later one comes after the earlier one: it waits, and the rows behind it do
 * not. Every tenth row of a file may have the e-mail of another one, as couples do, and stopping for each made batches
 * of ten, one at a time. A batch that fails ends the work with its failure.
 */
export async function inBatches(
  rows: AsyncIterable<ContactRow>,
  { limit, handle }: { limit: number; handle: (batch: readonly ContactRow[]) => Promise<void> },
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  /** Of the rows in the current batch and in progress. */
  const busyKeys = new Set<string>();
  let batch: KeyedRow[] = [];
  let waiting: KeyedRow[] = [];
  let waitingKeys = new Set<string>();
  let isReleased = false;
  let failure: { readonly error: unknown } | undefined;

  async function startBatch(): Promise<void> {
    if (!batch.length) return;
    while (inProgress.size >= limit) await Promise.race(inProgress);
    if (failure) throw failure.error;
    const current = batch;
    batch = [];
    const work = handle(current.map(({ row }) => row))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        inProgress.delete(work);
        for (const { keys } of current) for (const key of keys) busyKeys.delete(key);
        isReleased = true;
      });
    inProgress.add(work);
  }

  async function add(keyed: KeyedRow): Promise<void> {
    if (keyed.keys.some((key) => busyKeys.has(key) || waitingKeys.has(key))) {
      waiting.push(keyed);
      for (const key of keyed.keys) waitingKeys.add(key);
      return;
    }
    batch.push(keyed);
    for (const key of keyed.keys) busyKeys.add(key);
    if (batch.length === MAX_CONTACTS) await startBatch();
  }

  /** Adds the rows that waited for a batch that ended; the others wait on, in their order. */
  async function addWaiting(): Promise<void> {
    if (!isReleased) return;
    const before = waiting;
    [waiting, waitingKeys, isReleased] = [[], new Set(), false];
    for (const keyed of before) await add(keyed);
  }

  for await (const row of rows) {
    await addWaiting();
    await add({ row, keys: matchKeys(row.contact) });
    while (waiting.length >= MAX_WAITING) await settle();
  }
  while (batch.length || waiting.length) await settle();
  await Promise.all(inProgress);
  if (failure) throw failure.error;

  /** Sends the current batch, and adds what waited for one that ends. */
  async function settle(): Promise<void> {
    await startBatch();
    if (inProgress.size) await Promise.race(inProgress);
    await addWaiting();
  }
}
