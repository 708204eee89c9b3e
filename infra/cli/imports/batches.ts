import type { ContactInput } from '../../../lib/domain/contacts/apply-input.ts';
import { fold } from '../../../lib/shared/text/text.ts';

/** A row of a file in the form to be written: the input of contacts/addupdate. */
export interface ContactRow {
  /** Distinguishes the rows of a file. */
  readonly line: number;
  /** The line of the file, if several rows come from one line. */
  readonly fileLine?: number;
  readonly contact: ContactInput;
}

/** The limit of contacts/addupdate: a transaction has at most 100 changes. */
const MAX_CONTACTS = 25;
/** Phone numbers with and without a country code share these last digits. */
const PHONE_DIGITS = 10;

/** Keys by which two lines may be about the same contact. */
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

/** The most rows that wait for an earlier one, so that a file with a single phone number is not read into memory. */
const MAX_WAITING = 1_000;

interface KeyedRow<Row> {
  readonly row: Row;
  readonly keys: readonly string[];
}

interface Handling<Row> {
  readonly limit: number;
  readonly handle: (batch: readonly Row[]) => Promise<void>;
}

/** The batches in progress, the next one, and waiting rows. */
class Batches<Row extends ContactRow> {
  readonly #limit: number;
  readonly #handle: Handling<Row>['handle'];
  readonly #inProgress = new Set<Promise<void>>();
  /** The keys of rows in the next batch and in progress. */
  readonly #busyKeys = new Set<string>();
  #next: KeyedRow<Row>[] = [];
  #waiting: KeyedRow<Row>[] = [];
  #waitingKeys = new Set<string>();
  #isReleased = false;
  #failure: { readonly error: unknown } | undefined;

  constructor({ limit, handle }: Handling<Row>) {
    this.#limit = limit;
    this.#handle = handle;
  }

  async take(row: Row): Promise<void> {
    await this.#addWaiting();
    await this.#add({ row, keys: matchKeys(row.contact) });
    while (this.#waiting.length >= MAX_WAITING) await this.#settle();
  }

  /** Resolves when all rows are handled. Throws the first failure of a batch. */
  async end(): Promise<void> {
    while (this.#next.length || this.#waiting.length) await this.#settle();
    await Promise.all(this.#inProgress);
    if (this.#failure) throw this.#failure.error;
  }

  async #add(keyed: KeyedRow<Row>): Promise<void> {
    if (keyed.keys.some((key) => this.#busyKeys.has(key) || this.#waitingKeys.has(key))) {
      this.#waiting.push(keyed);
      for (const key of keyed.keys) this.#waitingKeys.add(key);
      return;
    }
    this.#next.push(keyed);
    for (const key of keyed.keys) this.#busyKeys.add(key);
    if (this.#next.length === MAX_CONTACTS) await this.#start();
  }

  async #start(): Promise<void> {
    if (!this.#next.length) return;
    while (this.#inProgress.size >= this.#limit) await Promise.race(this.#inProgress);
    if (this.#failure) throw this.#failure.error;
    const batch = this.#next;
    this.#next = [];
    const work = this.#handle(batch.map(({ row }) => row))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => {
        this.#inProgress.delete(work);
        for (const { keys } of batch) for (const key of keys) this.#busyKeys.delete(key);
        this.#isReleased = true;
      });
    this.#inProgress.add(work);
  }

  /** Adds rows that waited for a finished batch; the others keep waiting, in order. */
  async #addWaiting(): Promise<void> {
    if (!this.#isReleased) return;
    const before = this.#waiting;
    [this.#waiting, this.#waitingKeys, this.#isReleased] = [[], new Set(), false];
    for (const keyed of before) await this.#add(keyed);
  }

  /** Sends the next batch and adds rows that waited for a finished one. */
  async #settle(): Promise<void> {
    await this.#start();
    if (this.#inProgress.size) await Promise.race(this.#inProgress);
    await this.#addWaiting();
  }
}

/**
 * Passes rows in batches to `handle`, at most `limit` at a time. Rows that may be the same contact are never in the
 * same batch or in progress at the same time; the later one waits for the earlier one, but rows after it do not. Every
 * tenth row of a file may share an e-mail, as couples do, and stopping for each would make batches of ten, one at a
 * time. A failing batch ends the work with its failure.
 */
export async function inBatches<Row extends ContactRow>(
  rows: AsyncIterable<Row>,
  handling: Handling<Row>,
): Promise<void> {
  const batches = new Batches(handling);
  for await (const row of rows) await batches.take(row);
  await batches.end();
}
