import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { FieldServiceError } from '../../../../lib/client/errors.ts';
import type { CustomField } from '../../../../lib/resources/custom-fields.ts';
import { importContactLines } from '../../contacts-csv/contacts-file.ts';
import { httpLayout as layout } from '../../contacts-csv/layout.ts';
import type { ContactRow } from '../../imports/batches.ts';
import { surveyFile } from '../../imports/csv-file.ts';
import { printReports } from '../../imports/report.ts';
import type { Attempt, Refusal, RowWriter } from '../../imports/write-rows.ts';
import { CommandError, UsageError, showProgress } from '../../output.ts';
import { type Api, connectTo } from '../../remote/connect.ts';
import { needsTable } from '../../remote/needs-table.ts';
import type { RequireApi } from '../../remote/profile.ts';
import type { ImportOptions } from './import-options.ts';
import { listOrganizations, organizationId } from '../../organizations-over-http.ts';

/** Calls in flight: a fifth of what a key is allowed. */
const MAX_BATCHES = 5;

/**
 * Sends rows in one call with an Idempotency-Key made of `hash` and lines: sending the same file again within 24 hours
 * changes nothing.
 */
async function send(fs: Api, hash: string, rows: readonly ContactRow[]): Promise<Attempt<ContactRow>> {
  const lines = rows.map(({ line }) => line);
  const idempotencyKey = createHash('sha256')
    .update(`${hash} ${lines.join(' ')}`)
    .digest('base64url');
  const Matches = rows.map(({ contact }) => contact);
  const DistributeLead = Matches.every(({ OrganizationId }) => !OrganizationId);
  try {
    await fs.call('contacts/addupdate', { Matches, DistributeLead }, { idempotencyKey });
    return { written: { created: rows.length, updated: 0, unchanged: 0, skipped: 0 } };
  } catch (error) {
    if (!(error instanceof FieldServiceError) || ![400, 404, 409].includes(error.status)) throw error;
    return refused(error, rows);
  }
}

/** The rows that a failure names. If it names none, or means all together, fewer of them may be accepted. */
function refused({ fields, message }: FieldServiceError, rows: readonly ContactRow[]): Attempt<ContactRow> {
  const refusals = fields.flatMap(({ Field, Message: reason }): Refusal<ContactRow>[] => {
    const [, index, column = ''] = /^Matches\[(\d+)\]\.?(.*)$/.exec(Field) ?? [];
    const row = index === undefined ? undefined : rows[Number(index)];
    return row ? [{ row, column, reason }] : [];
  });
  const isTooMuch = fields.some(
    ({ Code, Field }) => Code === 'limit' || (Code === 'duplicate' && Field.endsWith('.Id')),
  );
  if (refusals.length) return { refusals, isTooMuch };
  const reason = message.replace(/^contacts\/addupdate: /, '');
  return { refusals: rows.map((row) => ({ row, column: '', reason })), isTooMuch: true };
}

/** Leads without an organization are assigned by postal code, others are not, so each need their own calls. */
const byOrganization = (rows: readonly ContactRow[]): readonly (readonly ContactRow[])[] =>
  [true, false].map((isNamed) => rows.filter(({ contact }) => !!contact.OrganizationId === isNamed));

/** `import contacts.csv` over HTTP, by contacts/addupdate, 25 lines per call. */
export async function importContacts(
  requireApi: RequireApi,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
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
  const survey = await surveyFile(file);
  const fs = await connectTo(requireApi(options));
  const organizations = await listOrganizations(fs);
  const { Matches } = await fs.call('customfields/all', {});
  const customFields = Matches as readonly CustomField[];
  const OrganizationId = organization === undefined ? undefined : organizationId(organizations, organization);
  // A different key for --again, so that the API imports the lines once more.
  const hash = again ? `${survey.hash} ${Date.now()}` : `${survey.hash} ${OrganizationId ?? ''}`;
  const writer: RowWriter<ContactRow> = {
    limit: MAX_BATCHES,
    imported: new Set(),
    groups: byOrganization,
    attempt: (rows) => send(fs, hash, rows),
  };
  const progress = showProgress();
  const reading = { skipUnknownColumns: skipUnknown, ignoreComputed, dryRun, onProgress: progress.update };
  const report = await importContactLines(
    { file, organizations, customFields, organization: OrganizationId, ...reading },
    survey,
    () => Promise.resolve(writer),
  ).finally(progress.end);
  printReports([{ ...report, File: given }], { layout, isDryRun: dryRun, json });
}
