import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { findImportedLines, importedLinesChange } from '../../../lib/store/imports.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';
import { type UpsertPlan, isOfOneContact } from '../../../lib/workflows/contacts/save-contacts.ts';
import type { ContactRow } from './batches.ts';
import type { Attempt, Refusal, RowWriter, Written } from './write-rows.ts';

/** How the contacts of one file are written to the table. */
export interface TableRows<Row extends ContactRow> extends Pick<RowWriter<Row>, 'limit' | 'without'> {
  readonly store: StoreWriter;
  /** A hash of the file and of the way it is read. */
  readonly source: string;
  readonly now: Date;
  readonly plan: (rows: readonly Row[]) => Promise<UpsertPlan>;
  readonly onWritten?: (rows: readonly Row[], records: readonly ContactRecord[]) => void;
  /** The text for a contact that does not exist, and what to do if several match. */
  readonly missing: string;
  readonly severalAdvice: string;
}

const NONE: Written = { created: 0, updated: 0, unchanged: 0, skipped: 0 };

/**
 * Writes rows in one transaction, which also records their lines as imported: a run that ends anywhere continues where
 * it ended. Lines that an earlier run imported are written again if they are given, but not recorded again.
 */
export async function tableRows<Row extends ContactRow>(options: TableRows<Row>): Promise<RowWriter<Row>> {
  const { store, source, now, plan, onWritten, ...rest } = options;
  const imported = await findImportedLines(store, source);
  let others: ReadonlySet<number> = new Set();
  const attempt = (rows: readonly Row[]): Promise<Attempt<Row>> =>
    retryUnavailable(async (count) => {
      // After a conflict or a lost reply, another run for the same file, or this one, may have imported some of the
      // lines.
      if (count > 1) others = await findImportedLines(store, source);
      const remaining = rows.filter(({ line }) => imported.has(line) || !others.has(line));
      const skipped = rows.length - remaining.length;
      if (!remaining.length) return { written: { ...NONE, skipped } };
      const planned = await plan(remaining);
      if (planned.kind !== 'ready')
        return { refusals: refusals(planned, remaining, options), isTooMuch: isTooMuch(planned) };
      const lines = remaining.map(({ line }) => line).filter((line) => !imported.has(line));
      const remembered = lines.length ? [importedLinesChange(store, source, lines, now)] : [];
      await store.table.commit([...planned.changes, ...remembered]);
      onWritten?.(remaining, planned.records);
      return { written: { ...countContacts(planned.changes, remaining.length), skipped } };
    });
  return { ...rest, imported, attempt };
}

/** New tags and notes may exceed a transaction, and rows of merged contacts may mean the same contact. */
const isTooMuch = (plan: UpsertPlan): boolean =>
  isOfOneContact(plan) || (plan.kind === 'invalid' && plan.errors.some(({ code }) => code === 'limit'));

function refusals<Row extends ContactRow>(
  plan: Exclude<UpsertPlan, { kind: 'ready' }>,
  rows: readonly Row[],
  { missing, severalAdvice }: TableRows<Row>,
): Refusal<Row>[] {
  const refusal = (index: number, column: string, reason: string): Refusal<Row>[] => {
    const row = rows[index];
    return row ? [{ row, column, reason }] : [];
  };
  switch (plan.kind) {
    case 'invalid':
      return plan.errors.flatMap(({ index, field, message }) => refusal(index, field, message));
    case 'missing':
      return refusal(plan.index, 'Id', missing);
    case 'ambiguous': {
      const ids = plan.candidates.map(({ Id }) => Id).join(', ');
      return refusal(plan.index, '', `matches contacts ${ids}${severalAdvice}`);
    }
  }
}

/** How many contacts the changes create and how many they update; the other rows change nothing. */
function countContacts(changes: readonly Change[], rows: number): Omit<Written, 'skipped'> {
  const versions = changes.flatMap((change) =>
    'put' in change && change.put['E'] === 'Contact' ? [change.put['V']] : [],
  );
  const created = versions.filter((version) => version === 1).length;
  return { created, updated: versions.length - created, unchanged: rows - versions.length };
}
