import { createHash } from 'node:crypto';
import { Failure } from '../../../lib/shared/failure.ts';
import type { Loss } from '../../../lib/domain/imports/read-row.ts';
import type { NamedClient, Read } from '../../../lib/domain/imports/named-client.ts';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { importedLinesChange } from '../../../lib/store/imports.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import { contactOf } from './clients.ts';
import { type ImportFile, type SystemRun, countLost, lineReports, readRecords, reportLosses } from './run.ts';

/** What rows of visits, invoices and estimates share: each is one transaction and names its client. */

/** Rows in progress at a time: they wait for the table, not for each other. */
const MAX_ROWS = 8;

export const operator = ({ store, now }: SystemRun): WriteContext => ({
  store,
  caller: accountCaller(store.account, { role: 'Owner', keyName: 'fs import', keyId: 'fs' }),
  now,
});

/** A row that cannot be imported: the column and the reason. */
export class RowError extends Error {
  override readonly name = 'RowError';
  readonly losses: readonly Loss[];

  constructor(...losses: readonly Loss[]) {
    super('The row cannot be imported.');
    this.losses = losses;
  }
}

/** A row that is skipped although nothing is wrong with it. */
class RowLeftOut extends Error {
  override readonly name = 'RowLeftOut';
  readonly loss: Loss;

  constructor(loss: Loss) {
    super('The row is left out.');
    this.loss = loss;
  }
}

/** The change that ensures that a visit or estimate is imported only once, even by simultaneous runs. */
export function importedOnce(run: SystemRun, kind: string, reference: string, contact: number): Change {
  const hash = `${run.system.system}-${kind}-${createHash('sha256').update(reference).digest('base64url')}`;
  return importedLinesChange(run.store, hash, [contact], run.now);
}

/** The row as it was read; throws if it cannot be imported or is skipped. */
export function requireRow<Row extends object>(read: Read<Row>): Row {
  if ('errors' in read) throw new RowError(...read.errors);
  if ('leftOut' in read) throw new RowLeftOut(read.leftOut);
  return read;
}

/** Handles the rows of a file, several at a time; a failed row is reported and does not stop the others. */
export async function eachRow(
  run: SystemRun,
  file: ImportFile,
  handle: (cells: readonly string[], line: number) => Promise<void>,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  for await (const record of readRecords(file)) {
    countLost(file, record);
    const work = handle(record.cells, record.line)
      .catch((error: unknown) => {
        if (error instanceof RowError) file.report.Errors.push(...lineReports(record.line, error.losses));
        else if (error instanceof RowLeftOut) reportLosses(file, record.line, [error.loss]);
        else if (error instanceof Failure)
          file.report.Errors.push({ Line: record.line, Column: '', Reason: error.message });
        else broken ??= { error };
      })
      .finally(() => {
        inProgress.delete(work);
        run.advance(1);
      });
    inProgress.add(work);
    while (inProgress.size >= MAX_ROWS) await Promise.race(inProgress);
    if (broken) break;
  }
  await Promise.all(inProgress);
  if (broken) throw broken.error;
}

/** The client that a row names: one of the files, else of earlier imports. */
export async function findClient(
  run: SystemRun,
  named: NamedClient,
): Promise<{ readonly client: string; readonly contact: string }> {
  const { clients, addEarlierClients } = run;
  let found = clients.find(named);
  if ('problem' in found && found.isNone) {
    await addEarlierClients();
    found = clients.find(named);
  }
  if (!('problem' in found)) return found;
  const same = await onlyContact(run, found.references);
  if (same) return same;
  const who = [named.name, ...named.emails, ...named.phones].filter(Boolean).join(', ') || named.reference || 'The row';
  throw new RowError({ column: 'client', reason: `${who} ${found.problem}` });
}

/** Several clients that are one contact because their contacts were merged. */
async function onlyContact(run: SystemRun, references: readonly string[]) {
  const ids = new Set(await Promise.all(references.map((reference) => contactOf(run, reference))));
  const [client] = references;
  return client === undefined || ids.size > 1 || ids.has(undefined) ? undefined : { client, contact: client };
}

/** The contact of an imported client or property. */
export async function requireContact(run: SystemRun, { client, contact }: Awaited<ReturnType<typeof findClient>>) {
  const id = (await contactOf(run, contact)) ?? (await contactOf(run, client));
  const [found] = id === undefined ? [] : await findContacts(run.store, [id]);
  if (!found) throw new RowError({ column: 'client', reason: `${client} was not imported` });
  return found;
}
