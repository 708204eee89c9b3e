import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { FieldServiceError } from '../../../lib/client/errors.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { type ContactRow, type LineError, inBatches } from '../contacts-csv/batches.ts';
import { readColumns } from '../contacts-csv/columns.ts';
import { formatLineErrors, readContactLines } from '../contacts-csv/contact-row.ts';
import { surveyFile } from '../contacts-csv/csv-file.ts';
import type { ImportOptions } from '../definitions/imports.ts';
import { CommandError, ReportedError, UsageError, formatList, print, showProgress } from '../output.ts';
import { type Api, connect } from './connect.ts';
import { needsTable } from './needs-table.ts';
import { listOrganizations, organizationId } from './organizations.ts';

/** Calls in flight: a fifth of what a key is allowed. */
const MAX_BATCHES = 5;

/**
 * Sends the rows with an Idempotency-Key made of file and lines: the same file again within 24 hours changes nothing.
 * Refused rows are reported, and the others sent without them.
 */
async function send(fs: Api, hash: string, rows: readonly ContactRow[], errors: LineError[]): Promise<number> {
  if (!rows.length) return 0;
  const lines = rows.map(({ line }) => line);
  const idempotencyKey = createHash('sha256')
    .update(`${hash} ${lines.join(' ')}`)
    .digest('base64url');
  const DistributeLead = rows.every(({ contact }) => !contact.OrganizationId);
  try {
    await fs.call(
      'contacts/addupdate',
      { Matches: rows.map(({ contact }) => contact), DistributeLead },
      { idempotencyKey },
    );
    return rows.length;
  } catch (error) {
    if (!(error instanceof FieldServiceError) || ![400, 404, 409].includes(error.status)) throw error;
    const refused = error.fields.flatMap(({ Field, Message }) => {
      const [, index, name = ''] = /^Matches\[(\d+)\]\.?(.*)$/.exec(Field) ?? [];
      const line = index === undefined ? undefined : rows[Number(index)]?.line;
      return line === undefined ? [] : [{ Line: line, Field: name, Message }];
    });
    if (refused.length) {
      errors.push(...refused);
      return await send(
        fs,
        hash,
        rows.filter(({ line }) => !refused.some(({ Line }) => Line === line)),
        errors,
      );
    }
    const [row, ...others] = rows;
    if (row && !others.length) {
      errors.push({ Line: row.line, Field: '', Message: error.message.replace(/^contacts\/addupdate: /, '') });
      return 0;
    }
    // The failure does not say which row it refers to.
    let sent = 0;
    for (const each of rows) sent += await send(fs, hash, [each], errors);
    return sent;
  }
}

/** `import contacts.csv` over HTTP, by contacts/addupdate, 25 lines per call. */
export async function importContactsOverHttp(files: readonly string[], options: ImportOptions): Promise<void> {
  if (options.runs || options.undo !== undefined)
    throw new CommandError(
      `${needsTable(`import --${options.runs ? 'runs' : 'undo'}`).message} An import over HTTP is no run: each of its ` +
        'calls is one by itself.',
    );
  if (!files.length) throw new UsageError('Name the file to import.');
  const [given = ''] = files;
  if (options.from !== undefined || options.mapping)
    throw new CommandError(
      `${needsTable('import --from').message} Without a checkout, import contacts by fs import contacts.csv, and ` +
        'what they owe by fs api invoice/import and payment/import.',
    );
  if (files.length > 1 || !given.toLowerCase().endsWith('.csv'))
    throw new CommandError('Over HTTP one file of contacts (.csv) can be imported. Company files need the table.');
  const { organization, skipUnknown = false, ignoreComputed = false, again = false, dryRun = false, json } = options;
  const file = resolve(given);
  const { headers, lines: Lines, hash } = await surveyFile(file);
  const fs = await connect(options);
  const organizations = await listOrganizations(fs);
  const { Matches } = await fs.call('customfields/all', {});
  const known = Matches as readonly CustomField[];
  const { columns, errors: wrong } = readColumns(headers, known, { skipUnknown, ignoreComputed });
  if (wrong.length) throw new CommandError(`${file}:1: ${wrong.join(' ')}`);
  const OrganizationId = organization === undefined ? undefined : organizationId(organizations, organization);
  const Errors: LineError[] = [];
  const Changed: LineError[] = [];
  const progress = showProgress();
  let [Imported, done] = [0, 0];
  const advance = (count: number): void => progress.update((done += count), Lines);

  async function* readRows(): AsyncGenerator<ContactRow> {
    for await (const row of readContactLines(file, columns, { organizations, organization: OrganizationId })) {
      if ('contact' in row) {
        Changed.push(...(row.changed ?? []));
        yield row;
      } else {
        Errors.push(...row.errors);
        advance(1);
      }
    }
  }

  // A different key for --again, so that the API imports the lines once more.
  const salted = again ? `${hash} ${Date.now()}` : `${hash} ${OrganizationId ?? ''}`;
  try {
    if (dryRun) for await (const _ of readRows()) advance(1);
    else
      await inBatches(readRows(), {
        limit: MAX_BATCHES,
        handle: async (batch) => {
          // Leads without an organization are assigned one by postal code, the others are not.
          for (const isNamed of [true, false]) {
            const rows = batch.filter(({ contact }) => !!contact.OrganizationId === isNamed);
            const sent = await send(fs, salted, rows, Errors);
            Imported += sent;
          }
          advance(batch.length);
        },
      });
  } finally {
    progress.end();
  }
  report(given, { errors: Errors, changed: Changed }, { counts: { Lines, ...(dryRun ? {} : { Imported }) }, json });
}

function report(
  file: string,
  { errors, changed }: { readonly errors: readonly LineError[]; readonly changed: readonly LineError[] },
  { counts, json }: { readonly counts: Readonly<Record<string, number>>; readonly json: boolean | undefined },
): void {
  const Errors = errors.toSorted((a, b) => a.Line - b.Line);
  const Failed = new Set(Errors.map(({ Line }) => Line)).size;
  const lines = [...formatLineErrors(file, Errors), ...formatLineErrors(file, changed)];
  const text = [...lines, formatList({ ...counts, Failed })].join('\n');
  print({ ...counts, Errors, ...(changed.length ? { Changed: changed } : {}) }, { json, text });
  if (Errors.length) throw new ReportedError();
}
