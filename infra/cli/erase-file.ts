import { resolve } from 'node:path';
import { erasureReport } from '../../lib/domain/contacts/erasure-report.ts';
import { type ErasureOptions, type ErasureResult, eraseContacts } from '../../lib/workflows/erasure/erase-contact.ts';
import type { PatientTable } from '../../lib/store/dynamodb/table.ts';
import { readLines, surveyFile } from './contacts-csv/csv-file.ts';
import { requireFile } from './input-file.ts';
import { CommandError, ReportedError, errorSentence, print } from './output.ts';

const isId = (cell: string): boolean => /^[1-9]\d{0,9}$/.test(cell) && Number(cell) < 2 ** 31;

/** The contact ids of a file: those of its column Id, or one a line. */
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

/** What became of one contact of the file. */
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

/** Erases the contacts of a file, with one wait for calls under way; a line a contact. */
export async function eraseFile(
  table: PatientTable,
  ids: readonly number[],
  options: Omit<ErasureOptions, 'contactId'> & { readonly json: boolean | undefined },
): Promise<void> {
  const rows: FileErasure[] = [];
  await eraseContacts(table, ids, options, (id, outcome) => {
    const row = toRow(id, outcome);
    rows.push(row);
    process.stderr.write(`contact ${id}: ${row.Error ?? 'erased'}\n`);
  });
  const failed = rows.filter(({ Error }) => Error !== undefined);
  const counts = `${rows.length - failed.length} of ${rows.length} contacts are erased.`;
  print(rows, { json: options.json, text: `${counts} --json prints what was removed and what stays of each.` });
  if (failed.length) throw new ReportedError();
}
