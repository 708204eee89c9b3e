import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ContactInput } from '../../../lib/domain/contacts/apply-input.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { fold } from '../../../lib/shared/text.ts';
import type { Change, Item } from '../../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { type ImportedFile, findImportedLines, writeImportedLines } from '../../../lib/store/imports.ts';
import { type Key, layout } from '../../../lib/store/keys.ts';
import { type UpsertInput, upsertContacts } from '../../../lib/workflows/contacts/upsert-contacts.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/retry.ts';
import { CommandError } from '../output.ts';
import { type Column, columnsOf } from './columns.ts';
import { type CsvRecord, readCsv } from './csv.ts';
import { type NamedOrganization, contactOf } from './row.ts';

export interface ContactsImport {
  readonly table: TableWriter;
  readonly account: string;
  readonly file: string;
  readonly organizations: readonly NamedOrganization[];
  readonly customFields: readonly CustomField[];
  /** Where every contact belongs that names no organization; `undefined` goes by postal code. */
  readonly organization: number | undefined;
  readonly skipUnknownColumns: boolean;
  /** Lines imported before are imported again, but for their notes, which are there already. */
  readonly again: boolean;
  /** Looks at every line and writes nothing. */
  readonly dryRun: boolean;
  readonly onProgress: (done: number, of: number) => void;
  /** When the contacts came, if not now. */
  readonly now?: Date;
}

/** A line that was not imported. */
export interface LineError {
  readonly Line: number;
  readonly Field: string;
  readonly Message: string;
}

/** What became of the lines of a file. */
export interface ContactsImported {
  readonly Lines: number;
  Created: number;
  Updated: number;
  Unchanged: number;
  /** Imported by an earlier run. */
  Skipped: number;
  readonly Errors: LineError[];
}

/** Batches at work at once: more of them wait for each other's CPU, not for the table. */
const LANES = 2;

async function* textOf(file: string, seen: (bytes: Buffer) => void = () => undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (error) {
      throw new CommandError(`${file} is not UTF-8: save it as "CSV UTF-8".`, { cause: error });
    }
  };
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    seen(bytes);
    yield decode(bytes);
  }
  yield decode();
}

/**
 * One pass over the file before anything is written: its header, how many lines follow, and what tells the file from
 * any other.
 */
async function survey(file: string): Promise<{ headers: readonly string[]; lines: number; hash: string }> {
  const hash = createHash('sha256');
  let header: CsvRecord | undefined;
  let lines = -1;
  for await (const record of readCsv(textOf(file, (bytes) => void hash.update(bytes)))) {
    header ??= record;
    lines++;
  }
  if (!header) throw new CommandError(`${file} is empty: its first line must name the columns.`);
  if (header.fault) throw new CommandError(`${file}:1: ${header.fault}`);
  return { headers: header.cells.map((cell) => cell.trim()), lines, hash: hash.digest('base64url') };
}

/** How many of a batch's contacts the changes make, and how many they change. */
function written(changes: readonly Change[]): { created: number; updated: number } {
  const versions = changes.flatMap((change) =>
    'put' in change && change.put['E'] === 'Contact' ? [change.put['V'] as number] : [],
  );
  const created = versions.filter((version) => version === 1).length;
  return { created, updated: versions.length - created };
}

/**
 * Imports a CSV file of contacts by the rules of contacts/addupdate, 25 a transaction. A line at fault stops no other.
 * What is imported is remembered in the same transaction, so that a run that ends anywhere goes on where it ended.
 */
export async function importContacts(options: ContactsImport): Promise<ContactsImported> {
  const { account, file, organization, again, dryRun, onProgress } = options;
  const table = remembering(options.table, account);
  const { headers, lines, hash } = await survey(file);
  const { columns, errors } = columnsOf(headers, options.customFields, { skip: options.skipUnknownColumns });
  if (errors.length) throw new CommandError(`${file}:1: ${errors.join(' ')}`);
  const source: ImportedFile = { account, hash: `${hash}${organization === undefined ? '' : `-${organization}`}` };
  const done = await findImportedLines(table, source);
  const result: ContactsImported = { Lines: lines, Created: 0, Updated: 0, Unchanged: 0, Skipped: 0, Errors: [] };
  let told = 0;
  const progress = (count: number) => onProgress((told += count), lines);

  const fail = (line: number, field: string, message: string) =>
    void result.Errors.push({ Line: line, Field: field, Message: message });

  async function* rows(): AsyncGenerator<Row> {
    for await (const record of readCsv(textOf(file))) {
      if (record.line === 1) continue;
      const row = rowOf(record, columns);
      if (row) yield row;
      else progress(1);
    }
  }

  function rowOf({ line, cells, fault }: CsvRecord, known: readonly Column[]): Row | undefined {
    if (done.has(line) && !again) return void result.Skipped++;
    if (fault) return void fail(line, '', fault);
    if (cells.length > known.length)
      return void fail(line, '', `has ${cells.length} cells, but there are ${known.length} columns`);
    const contact = contactOf(known, cells, options.organizations);
    if ('contactInput' in contact) {
      const { Notes, ...contactInput } = contact.contactInput;
      const OrganizationId = contactInput.OrganizationId ?? organization;
      return {
        line,
        contactInput: {
          ...contactInput,
          ...(OrganizationId ? { OrganizationId } : {}),
          ...(Notes && !done.has(line) ? { Notes } : {}),
        },
      };
    }
    for (const { field, message } of contact.errors) fail(line, field, message);
    return undefined;
  }

  /** Imports what of the batch can be; the lines at fault are told and left out. */
  async function attempt(
    batch: readonly Row[],
  ): Promise<{ created: number; updated: number; unchanged: number; errors: LineError[] }> {
    const errors: LineError[] = [];
    let left = batch;
    while (left.length) {
      const now = options.now ?? new Date();
      const inputs = left.map(({ contactInput }): UpsertInput => ({
        contactInput,
        criteria: undefined,
        distribute: !contactInput.OrganizationId,
      }));
      const upsert = await upsertContacts(table, { accountId: account, organizationId: null }, inputs, now);
      if (upsert.kind === 'ready') {
        const fresh = left.map(({ line }) => line).filter((line) => !done.has(line));
        await table.commit([...upsert.changes, ...(fresh.length ? [writeImportedLines(source, fresh, now)] : [])]);
        const { created, updated } = written(upsert.changes);
        return { created, updated, unchanged: left.length - created - updated, errors };
      }
      const at = (index: number) => left[index]?.line ?? 0;
      const refused: LineError[] =
        upsert.kind === 'invalid'
          ? upsert.errors.map(({ index, field, message }) => ({ Line: at(index), Field: field, Message: message }))
          : upsert.kind === 'missing'
            ? [{ Line: at(upsert.index), Field: 'Id', Message: 'names no contact there is' }]
            : [
                {
                  Line: at(upsert.index),
                  Field: '',
                  Message: `fits contacts ${upsert.candidates.map(({ Id }) => Id).join(', ')}; name one by its Id`,
                },
              ];
      errors.push(...refused);
      left = left.filter(({ line }) => !refused.some(({ Line }) => Line === line));
    }
    return { created: 0, updated: 0, unchanged: 0, errors };
  }

  async function handle(batch: readonly Row[]): Promise<void> {
    const { created, updated, unchanged, errors, skipped } = await retryUnavailable(async (count) => {
      // Another run of the same file may have been first.
      const others = count > 1 ? await findImportedLines(table, source) : new Set<number>();
      const left = batch.filter(({ line }) => done.has(line) || !others.has(line));
      return { ...(await attempt(left)), skipped: batch.length - left.length };
    });
    result.Created += created;
    result.Updated += updated;
    result.Unchanged += unchanged;
    result.Skipped += skipped;
    result.Errors.push(...errors);
    progress(batch.length);
  }

  if (dryRun) for await (const _ of rows()) progress(1);
  else await inBatches(rows(), { lanes: LANES, handle });
  result.Errors.sort((a, b) => a.Line - b.Line);
  return result;
}

/** A line of the file that could be a contact. */
export interface Row {
  readonly line: number;
  readonly contactInput: ContactInput;
}

/** contacts/addupdate takes as many at once: a transaction holds 100 changes. */
const MAX_CONTACTS = 25;
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
    const [rowsNow, held] = [batch, batch.flatMap(({ contactInput }) => identities(contactInput))];
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
    const own = identities(row.contactInput);
    if (own.some((identity) => busy.has(identity))) {
      await start();
      await Promise.all(working);
    }
    batch.push(row);
    for (const identity of own) busy.add(identity);
    if (batch.length === MAX_CONTACTS) await start();
  }
  await start();
  await Promise.all(working);
}

/** Milliseconds for which an import trusts what it has read of postal codes and tags. */
const TRUSTED = 10_000;

/**
 * A table that remembers who owns which postal codes and what tags there are: line after line of a file asks for the
 * same ones, and asking for them is half of all that an import asks. A tag that is not there is asked for again, since
 * a line before may have made it.
 */
export function remembering(table: TableWriter, account: string, now = Date.now): TableWriter {
  const tags = layout.tagName.of({ account });
  const shares = layout.postalShare.of({ account, share: 0 }).slice(0, -10);
  const known = new Map<string, { readonly item: Item | undefined; readonly until: number }>();
  const isPostal = ({ PK }: Key) => PK.startsWith(shares);
  const textOf = ({ PK, SK }: Key) => `${PK}\n${SK}`;
  const recall = (key: Key) => {
    const found = known.get(textOf(key));
    return found && found.until > now() ? found : undefined;
  };
  const remember = (key: Key, item: Item | undefined) => void known.set(textOf(key), { item, until: now() + TRUSTED });

  return {
    ...table,
    async get(key, options) {
      if (!isPostal(key)) return await table.get(key, options);
      const before = recall(key);
      if (before) return before.item;
      const item = await table.get(key, options);
      remember(key, item);
      return item;
    },
    async getMany(keys, options) {
      const had = keys.flatMap((key) => recall(key)?.item ?? []);
      const left = had.length ? keys.filter((key) => !recall(key)) : keys;
      const found = left.length ? await table.getMany(left, options) : [];
      for (const item of found) if (item.PK === tags) remember(item, item);
      return [...had, ...found];
    },
  };
}
