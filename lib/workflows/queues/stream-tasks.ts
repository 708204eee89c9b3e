import { type Attributes, type StreamRecord, changeAccount, entityKindOf, recordActor } from '../../events/change.ts';
import {
  type BatchOptions,
  type BatchOutcome,
  type FailedRecord,
  type Progress,
  convertRecords,
} from '../../shared/batch.ts';
import { InternalError } from '../../shared/failure.ts';
import { retry } from '../../shared/promises.ts';
import { type TableWriter, asActor } from '../../store/dynamodb/table.ts';
import { isTransient, mayRecover } from '../../store/dynamodb/errors.ts';
import { parkRecord } from '../parked-records.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';

/** Work that follows from the change of a record. */
interface StreamTask {
  readonly index: number;
  readonly account: string;
  /** The id of the record. */
  readonly id: number;
  /** The request that caused the work. */
  readonly requestId: string | undefined;
}

interface TaskKind {
  readonly entity: 'Proposal' | 'Contact' | 'Series';
  /** Whether the record in its current state, or its change, may need work. */
  readonly isDue: (image: Attributes, before: Attributes | undefined) => boolean;
  /** Does the work of a record by its id, and returns how much was done. Safe to repeat. */
  readonly run: (store: StoreWriter, id: number) => Promise<number>;
}

/**
 * Does one kind of work for a batch of the stream, once per record. Records may come twice, late, to several workers at
 * once, or after a worker was killed. A record whose work cannot be done is parked.
 */
export async function runStreamTasks(
  worker: TableWriter,
  records: readonly StreamRecord[],
  { now }: Pick<BatchOptions, 'now'>,
  kind: TaskKind,
): Promise<BatchOutcome> {
  const { converted, poison } = convertRecords(records, (record, index) => toTask(record, index, kind));
  const parked: FailedRecord[] = [];
  const park = async (failed: FailedRecord) => {
    await parkRecord('background-work', records[failed.index] as StreamRecord, failed.error, now);
    parked.push(failed);
  };
  let queued = 0;
  let index = 0;
  try {
    for (const failed of poison) {
      index = failed.index;
      await park(failed);
    }
    for (const task of distinctTasks(converted)) {
      index = task.index;
      const { requestId } = task;
      const table = requestId ? asActor(worker, { Key: '', Name: 'background-work', RequestId: requestId }) : worker;
      try {
        queued += await kind.run(accountStore(table, task.account), task.id);
      } catch (error) {
        if (isTransient(error) || mayRecover(error)) throw error;
        await park({ index, error });
      }
    }
  } catch (error) {
    return { queued, parked, putAside: 0, failures: [{ index, error }] };
  }
  return { queued, parked, putAside: 0, failures: [] };
}

function toTask(record: StreamRecord, index: number, { entity, isDue }: TaskKind): StreamTask | undefined {
  const { NewImage: image, OldImage: before } = record.dynamodb ?? {};
  if (!image || entityKindOf(record) !== entity || !isDue(image, before)) return undefined;
  const account = changeAccount(record);
  const id = Number(image['Id']?.N);
  if (!Number.isInteger(id)) throw new InternalError(`a stream record of a ${entity.toLowerCase()} without a whole Id`);
  return { index, account, id, requestId: recordActor(record)?.RequestId };
}

/** Each record once, at its first change. */
const distinctTasks = (tasks: readonly StreamTask[]): StreamTask[] =>
  [...Map.groupBy(tasks, ({ account, id }) => `${account}#${id}`).values()].flatMap(([task]) => task ?? []);

/** Transactions per record, because other accounts wait for it. */
const MAX_TRANSACTIONS = 25;

/**
 * Makes transactions until nothing is left. Stops at the deadline or limit: its work changed the record, and that
 * change comes here again. Throws if it could do nothing.
 */
export async function workOff(
  next: () => Promise<Progress>,
  { deadline }: Pick<BatchOptions, 'deadline'>,
): Promise<number> {
  let queued = 0;
  for (let transactions = 1; ; transactions++) {
    try {
      const progress = await retry(next, { isTransient, deadline });
      queued += progress.queued;
      if (progress.left === 0 || transactions === MAX_TRANSACTIONS || Date.now() > deadline) return queued;
    } catch (error) {
      if (!isTransient(error) || queued === 0) throw error;
      return queued;
    }
  }
}
