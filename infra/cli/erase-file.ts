import { resolve } from 'node:path';
import { erasureReport } from '../../lib/domain/contacts/erasure-report.ts';
import {
  type ErasureOptions,
  type ErasureResult,
  type StartOptions,
  eraseContacts,
} from '../../lib/workflows/erasure/erase-contact.ts';
import { requestErasure } from '../../lib/workflows/erasure/go-on-with-erasure.ts';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';
import type { PatientStore } from '../../lib/store/store.ts';
import { readLines, surveyFile } from './contacts-csv/csv-file.ts';
import { requireFile } from './input-file.ts';
import { CommandError, ReportedError, errorSentence, print } from './output.ts';

const isId = (cell: string): boolean => /^[1-9]\d{0,9}$/.test(cell) && Number(cell) < 2 ** 31;

/** The contact ids in a file: its column Id, or one per line. */
export async function readContactIds(file: string): Promise<number[]> {
  requireFile(file);
  const { headers } = await surveyFile(resolve(file));
  const named = headers.findIndex((header) => /^(?:contact)? ?id$/i.test(header));
  const [first = ''] = headers;
  if (named < 0 && !isId(first))
    throw new CommandError(`${file}:1: The first line must name a column Id, or be the first id.`);
  const ids = named < 0 ? [Number(first)] : [];
  for await (const { line, cells } of readLines(resolve(file), headers.length)) {
    const cell = (cells[Math.max(0, named)] ?? '').trim();
    if (!isId(cell)) throw new CommandError(`${file}:${line}: ${JSON.stringify(cell)} is no contact id.`);
    ids.push(Number(cell));
  }
  return [...new Set(ids)];
}

/** The result for one contact of the file. */
interface FileErasure {
  readonly ContactId: number;
  readonly Error?: string;
}

function toRow(ContactId: number, outcome: PromiseSettledResult<ErasureResult>): FileErasure {
  if (outcome.status === 'rejected') return { ContactId, Error: errorSentence(outcome.reason) };
  const { erasure, unfinished } = outcome.value;
  const report = erasureReport({ ...erasure }, unfinished);
  return { ...report, ...(unfinished.length ? { Error: `${unfinished.join(' ')} Run it again.` } : {}) };
}

/**
 * Erases the contacts in a file within this process, with a single wait for calls in progress; prints a line per
 * contact.
 */
export async function eraseFile(
  store: PatientStore,
  ids: readonly number[],
  options: Omit<ErasureOptions, 'contactId'> & { readonly json: boolean | undefined },
): Promise<void> {
  const rows: FileErasure[] = [];
  await eraseContacts(store, ids, options, (id, outcome) => {
    const row = toRow(id, outcome);
    rows.push(row);
    process.stderr.write(`contact ${id}: ${row.Error ?? 'erased'}\n`);
  });
  printRows(rows, 'are erased. --json prints what was removed and what stays of each.', options.json);
}

const REQUESTED =
  'no longer exist for any call. A worker erases all that is left of them, without this command; erase of one of them ' +
  'prints its report.';

/** Requests the erasure of the contacts in a file from the worker; prints a line per contact. */
export async function requestFile(
  store: PatientStore,
  ids: readonly number[],
  { json, ...options }: Omit<StartOptions, 'contactId'> & { readonly json: boolean | undefined },
): Promise<void> {
  const rows = await mapWithConcurrency(ids, REQUESTS_AT_ONCE, async (contactId) => {
    const request = requestErasure(store, { ...options, contactId });
    const [outcome] = await Promise.allSettled([request.then((erasure) => ({ erasure, unfinished: [] }))]);
    const row = toRow(contactId, outcome);
    process.stderr.write(`contact ${contactId}: ${row.Error ?? 'begun'}\n`);
    return row;
  });
  printRows(rows, REQUESTED, json);
}

const REQUESTS_AT_ONCE = 4;

function printRows(rows: readonly FileErasure[], done: string, json: boolean | undefined): void {
  const failed = rows.filter(({ Error }) => Error !== undefined);
  print(rows, { json, text: `${rows.length - failed.length} of ${rows.length} contacts ${done}` });
  if (failed.length) throw new ReportedError();
}
