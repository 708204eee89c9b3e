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

/**
 * Gives the rows in batches to `handle`, at most `limit` at a time. Rows that may be the same contact are never in one
 * batch nor in progress at once, and the later one comes after the earlier one.
 */
export async function inBatches(
  rows: AsyncIterable<ContactRow>,
  { limit, handle }: { limit: number; handle: (batch: readonly ContactRow[]) => Promise<void> },
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  /** Of the rows in the current batch and in progress. */
  const busyKeys = new Set<string>();
  let batch: ContactRow[] = [];

  async function startBatch(): Promise<void> {
    if (!batch.length) return;
    const current = batch;
    batch = [];
    while (inProgress.size >= limit) await Promise.race(inProgress);
    const work = handle(current).finally(() => {
      inProgress.delete(work);
      for (const { contact } of current) for (const key of matchKeys(contact)) busyKeys.delete(key);
    });
    // A failure surfaces where the batch is awaited: at the latest when all are done.
    work.catch(() => undefined);
    inProgress.add(work);
  }

  for await (const row of rows) {
    const keys = matchKeys(row.contact);
    if (keys.some((key) => busyKeys.has(key))) {
      await startBatch();
      await Promise.all(inProgress);
    }
    batch.push(row);
    for (const key of keys) busyKeys.add(key);
    if (batch.length === MAX_CONTACTS) await startBatch();
  }
  await startBatch();
  await Promise.all(inProgress);
}
