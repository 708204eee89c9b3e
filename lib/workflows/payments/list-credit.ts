import type { Attributes, StreamRecord } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import { writeCreditEntries } from '../../store/contacts/credit-entries.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { runStreamTasks } from '../queues/stream-tasks.ts';

const hasCredit = (image: Attributes | undefined): boolean => Number(image?.['CreditBalance']?.N ?? 0) !== 0;

/** Keeps the lists of contacts with credit, for a batch of the stream: who gets the first credit, or uses the last. */
export const runCreditListTasks = (
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> =>
  runStreamTasks(table, records, options, {
    entity: 'Contact',
    isDue: (image, before) => hasCredit(image) !== hasCredit(before),
    run: (store, id) => retryOnConflict(() => writeCreditEntries(store, id)),
  });
