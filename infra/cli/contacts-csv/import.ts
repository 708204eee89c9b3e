import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { omit } from '../../../lib/shared/objects.ts';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { findImportedLines, importedLinesChange } from '../../../lib/store/imports.ts';
import type { ContactUpsert } from '../../../lib/workflows/contacts/match-contacts.ts';
import { type UpsertPlan, isOfOneContact, planUpserts } from '../../../lib/workflows/contacts/save-contacts.ts';
import { CommandError } from '../output.ts';
import { type ContactRow, type LineError, inBatches } from './batches.ts';
import { type Column, readColumns } from './columns.ts';
import { type OrganizationName, readContactLines } from './contact-row.ts';
import { surveyFile } from './csv-file.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

export interface ContactsImport {
  readonly store: StoreWriter;
  readonly file: string;
  readonly organizations: readonly OrganizationName[];
  readonly customFields: readonly CustomField[];
  /** The organization of every contact that names none; by default, the owner of the contact's postal code. */
  readonly organization?: number | undefined;
  readonly skipUnknownColumns?: boolean;
  /** Skips columns of a download that the API computes. */
  readonly ignoreComputed?: boolean;
  /** Imports lines again that an earlier run imported, without their notes, which already exist. */
  readonly again?: boolean;
  /** Checks every line and writes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** The creation time of the contacts; now by default. */
  readonly now?: Date;
}

/** How many lines of a file were imported, and how. */
export interface ContactsImported {
  readonly Lines: number;
  Created: number;
  Updated: number;
  Unchanged: number;
  /** Imported by an earlier run. */
  Skipped: number;
  /** Skipped columns that are unknown or that the API computes; absent if there are none. */
  readonly SkippedColumns?: readonly string[];
  readonly Errors: LineError[];
  /** Values that are stored, but not as written; absent if there are none. */
  Changed?: LineError[];
}

/** What the steps of an import share. */
interface ImportRun extends ContactsImport {
  /** A hash of the file, and of what it is read as. */
  readonly source: string;
  readonly columns: readonly Column[];
  /** Lines that an earlier run imported. */
  readonly imported: ReadonlySet<number>;
  readonly result: ContactsImported;
  /** Counts lines as done. */
  readonly advance: (lines: number) => void;
}

/** Batches in progress at a time; more would wait for each other's CPU, not for the table. */
const MAX_BATCHES = 2;

/**
 * Imports a CSV file of contacts by the rules of contacts/addupdate, 25 per transaction. An invalid line does not stop
 * the others. Each transaction also records its lines as imported, so an interrupted run can be continued.
 */
export async function importContacts(options: ContactsImport): Promise<ContactsImported> {
  const { store, file, organization, onProgress } = options;
  const { headers, lines, hash } = await surveyFile(file);
  const { columns, errors } = readColumns(headers, options.customFields, {
    skipUnknown: options.skipUnknownColumns ?? false,
    ignoreComputed: options.ignoreComputed ?? false,
  });
  if (errors.length) throw new CommandError(`${file}:1: ${errors.join(' ')}`);

  const source = `${hash}${organization === undefined ? '' : `-${organization}`}`;
  const imported = await findImportedLines(store, source);
  const SkippedColumns = columns.flatMap(({ kind, header }) => (kind === 'skipped' ? [header] : []));
  const counts = { Lines: lines, Created: 0, Updated: 0, Unchanged: 0, Skipped: 0 };
  const result: ContactsImported = { ...counts, ...(SkippedColumns.length ? { SkippedColumns } : {}), Errors: [] };
  let done = 0;
  const advance = (count: number) => onProgress?.((done += count), lines);
  const run = { ...options, source, columns, imported, result, advance };

  if (options.dryRun) for await (const _ of readRows(run)) advance(1);
  else await inBatches(readRows(run), { limit: MAX_BATCHES, handle: (batch) => importBatch(run, batch) });
  result.Errors.sort((a, b) => a.Line - b.Line);
  return result;
}

/** The valid lines of the file that are still to be imported; reports the invalid ones. */
async function* readRows(run: ImportRun): AsyncGenerator<ContactRow> {
  const { file, columns, organizations, organization, imported, again, result, advance } = run;
  for await (const row of readContactLines(file, columns, { organizations, organization })) {
    const isKnown = imported.has(row.line);
    if (isKnown && !again) result.Skipped++;
    else if ('errors' in row) result.Errors.push(...row.errors);
    else {
      if (row.changed) (result.Changed ??= []).push(...row.changed);
      yield isKnown ? { ...row, contact: omit(row.contact, 'Notes') } : row;
      continue;
    }
    advance(1);
  }
}

async function importBatch(run: ImportRun, batch: readonly ContactRow[]): Promise<void> {
  const { store, source, imported, result } = run;
  const counts = await retryUnavailable(async (attempt) => {
    // After a conflict or a lost reply, another run for the same file, or this one, may have imported some of the
    // lines.
    const others = attempt > 1 ? await findImportedLines(store, source) : new Set<number>();
    const remaining = batch.filter(({ line }) => imported.has(line) || !others.has(line));
    return { ...(await importRows(run, remaining)), skipped: batch.length - remaining.length };
  });
  result.Created += counts.created;
  result.Updated += counts.updated;
  result.Unchanged += counts.unchanged;
  result.Skipped += counts.skipped;
  result.Errors.push(...counts.errors);
  run.advance(batch.length);
}

interface RowCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly errors: LineError[];
}

const addCounts = (errors: readonly LineError[], parts: readonly RowCounts[]): RowCounts => ({
  created: parts.reduce((sum, { created }) => sum + created, 0),
  updated: parts.reduce((sum, { updated }) => sum + updated, 0),
  unchanged: parts.reduce((sum, { unchanged }) => sum + unchanged, 0),
  errors: [...errors, ...parts.flatMap((part) => part.errors)],
});

/** Imports the rows in one transaction; a row that addupdate refuses is reported and omitted. */
async function importRows(run: ImportRun, rows: readonly ContactRow[]): Promise<RowCounts> {
  const { store, source, imported, now = new Date() } = run;
  const errors: LineError[] = [];
  let remaining = rows;
  while (remaining.length) {
    const upserts = remaining.map(({ contact }): ContactUpsert => ({
      input: contact,
      criteria: undefined,
      distribute: contact.OrganizationId ? false : 'always',
    }));
    const upsert = await planUpserts(upserts, { store, caller: { account: store.account, organizationId: null }, now });
    if (upsert.kind === 'ready') {
      const lines = remaining.map(({ line }) => line).filter((line) => !imported.has(line));
      await store.table.commit([
        ...upsert.changes,
        ...(lines.length ? [importedLinesChange(store, source, lines, now)] : []),
      ]);
      return { ...countContacts(upsert.changes, remaining.length), errors };
    }
    if (isOfOneContact(upsert) && remaining.length > 1) {
      const middle = Math.ceil(remaining.length / 2);
      return addCounts(errors, [
        await importRows(run, remaining.slice(0, middle)),
        await importRows(run, remaining.slice(middle)),
      ]);
    }
    const refused = lineErrors(upsert, remaining);
    errors.push(...refused);
    remaining = remaining.filter(({ line }) => !refused.some(({ Line }) => Line === line));
  }
  return { created: 0, updated: 0, unchanged: 0, errors };
}

function lineErrors(upsert: Exclude<UpsertPlan, { kind: 'ready' }>, rows: readonly ContactRow[]): LineError[] {
  const lineError = (index: number, Field: string, Message: string) => ({
    Line: rows[index]?.line ?? 0,
    Field,
    Message,
  });
  switch (upsert.kind) {
    case 'invalid':
      return upsert.errors.map(({ index, field, message }) => lineError(index, field, message));
    case 'missing':
      return [lineError(upsert.index, 'Id', 'Contact not found')];
    case 'ambiguous': {
      const ids = upsert.candidates.map(({ Id }) => Id).join(', ');
      return [lineError(upsert.index, '', `matches contacts ${ids}; add a column Id with one of them`)];
    }
  }
}

/** How many contacts the changes create and how many they update; the other rows change nothing. */
export function countContacts(changes: readonly Change[], rows: number) {
  const versions = changes.flatMap((change) =>
    'put' in change && change.put['E'] === 'Contact' ? [change.put['V']] : [],
  );
  const created = versions.filter((version) => version === 1).length;
  return { created, updated: versions.length - created, unchanged: rows - versions.length };
}
