import { IMPORT_ACTOR } from '../../../lib/domain/imports/import-actor.ts';
import { createHash } from 'node:crypto';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { importedLinesChange } from '../../../lib/store/imports.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import type { SystemRun } from './run.ts';

export const operator = ({ store, now }: SystemRun): WriteContext => ({
  store,
  caller: accountCaller(store.account, { role: 'Owner', keyName: IMPORT_ACTOR, keyId: 'fs' }),
  now,
});

/** The change that ensures that a visit or estimate is imported only once, even by simultaneous runs. */
function importedOnce(run: SystemRun, kind: string, reference: string, contact: number): Change {
  const hash = `${run.system.system}-${kind}-${createHash('sha256').update(reference).digest('base64url')}`;
  return importedLinesChange(run.store, hash, [contact], run.now);
}

interface Once<Kept> {
  readonly kind: string;
  /** What a contact already has, by reference. */
  readonly find: (context: WriteContext, contact: number) => Promise<Map<string, Kept>>;
}

interface Made<Kept> {
  readonly record: Kept;
  readonly changes: readonly Change[];
}

/** Writes the record of a reference in one transaction, or finds it if this run or another one has written it. */
export function onceWriter<Kept>(run: SystemRun, { kind, find }: Once<Kept>) {
  const imported = new Map<number, Promise<Map<string, Kept>>>();
  const context = operator(run);
  return (
    reference: string,
    contact: ContactRecord,
    make: (context: WriteContext) => Promise<Made<Kept>>,
  ): Promise<{ readonly record: Kept; readonly count: 'Created' | 'Unchanged' }> =>
    retryUnavailable(async (attempt) => {
      const before = attempt > 1 ? undefined : imported.get(contact.Id);
      const loading = before ?? find(context, contact.Id);
      imported.set(contact.Id, loading);
      const known = await loading;
      const own = known.get(reference);
      if (own) return { record: own, count: 'Unchanged' };
      const { record, changes } = await make(context);
      await run.store.table.commit([...changes, importedOnce(run, kind, reference, contact.Id)]);
      known.set(reference, record);
      return { record, count: 'Created' };
    });
}
