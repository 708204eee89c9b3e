import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { Change } from '../../../lib/store/changes.ts';
import type { TableWriter } from '../../../lib/store/client.ts';
import { upsertContacts, type UpsertInput } from '../../../lib/store/contact-upsert.ts';
import { importedLines, rememberLines, type ImportedFile } from '../../../lib/store/imports.ts';
import { patiently } from '../patiently.ts';
import { CommandError } from '../output.ts';
import { inBatches, type Row } from './batches.ts';
import { columnsOf, type Column } from './columns.ts';
import { readCsv, type CsvRecord } from './csv.ts';
import { remembering } from './remembering.ts';
import { contactOf, type NamedOrganization } from './row.ts';

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
  const { columns, faults } = columnsOf(headers, options.customFields, { skip: options.skipUnknownColumns });
  if (faults.length) throw new CommandError(`${file}:1: ${faults.join(' ')}`);
  const source: ImportedFile = { account, hash: `${hash}${organization === undefined ? '' : `-${organization}`}` };
  const done = await importedLines(table, source);
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
    if ('given' in contact) {
      const { Notes, ...given } = contact.given;
      const OrganizationId = given.OrganizationId ?? organization;
      return {
        line,
        given: {
          ...given,
          ...(OrganizationId ? { OrganizationId } : {}),
          ...(Notes && !done.has(line) ? { Notes } : {}),
        },
      };
    }
    for (const { field, message } of contact.faults) fail(line, field, message);
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
      const inputs = left.map(({ given }): UpsertInput => ({
        given,
        criteria: undefined,
        distribute: !given.OrganizationId,
      }));
      const upsert = await upsertContacts(table, { accountId: account, organizationId: null }, inputs, now);
      if (upsert.kind === 'ready') {
        const fresh = left.map(({ line }) => line).filter((line) => !done.has(line));
        await table.commit([...upsert.changes, ...(fresh.length ? [rememberLines(source, fresh, now)] : [])]);
        const { created, updated } = written(upsert.changes);
        return { created, updated, unchanged: left.length - created - updated, errors };
      }
      const at = (index: number) => left[index]?.line ?? 0;
      const refused: LineError[] =
        upsert.kind === 'faults'
          ? upsert.faults.map(({ index, field, message }) => ({ Line: at(index), Field: field, Message: message }))
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
    const { created, updated, unchanged, errors, skipped } = await patiently(async (count) => {
      // Another run of the same file may have been first.
      const others = count > 1 ? await importedLines(table, source) : new Set<number>();
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
