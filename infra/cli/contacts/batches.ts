import type { ContactInput } from '../../../lib/domain/contacts/merge.ts';
import { fold } from '../../../lib/domain/words.ts';

/** A line of the file that could be a contact. */
export interface Row {
  readonly line: number;
  readonly given: ContactInput;
}

/** contacts/addupdate takes as many at once: a transaction holds 100 changes. */
const MOST_CONTACTS = 25;
/** Digits by which numbers written with and without their country are the same. */
const PHONE_DIGITS = 10;

/** By what a line may meet the contact of another line. */
function identities({ Id, Hash, Email, Phone, AltPhone }: ContactInput): string[] {
  const phones = [Phone, AltPhone].map((phone) => (phone ?? '').replaceAll(/\D/g, '').slice(-PHONE_DIGITS));
  return [
    ...(Id ? [`id ${Id}`] : []),
    ...(Hash ? [`hash ${Hash}`] : []),
    ...(Email ? [`e-mail ${fold(Email)}`] : []),
    ...phones.filter(Boolean).map((phone) => `phone ${phone}`),
  ];
}

/**
 * Gives the rows in batches to `handle`, several at a time. Rows that may be the same contact are never in one batch
 * nor at work at once, and the later one comes after the earlier one.
 */
export async function inBatches(
  rows: AsyncIterable<Row>,
  { lanes, handle }: { lanes: number; handle: (batch: readonly Row[]) => Promise<void> },
): Promise<void> {
  const working = new Set<Promise<void>>();
  /** Of the rows in the batch and at work. */
  const busy = new Set<string>();
  let batch: Row[] = [];

  async function start(): Promise<void> {
    if (!batch.length) return;
    const [rowsNow, held] = [batch, batch.flatMap(({ given }) => identities(given))];
    batch = [];
    while (working.size >= lanes) await Promise.race(working);
    const work = handle(rowsNow).finally(() => {
      working.delete(work);
      for (const identity of held) busy.delete(identity);
    });
    // A failure is told where it is awaited: at the latest when all are done.
    work.catch(() => undefined);
    working.add(work);
  }

  for await (const row of rows) {
    const own = identities(row.given);
    if (own.some((identity) => busy.has(identity))) {
      await start();
      await Promise.all(working);
    }
    batch.push(row);
    for (const identity of own) busy.add(identity);
    if (batch.length === MOST_CONTACTS) await start();
  }
  await start();
  await Promise.all(working);
}
