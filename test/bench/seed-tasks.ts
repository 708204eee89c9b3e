import { type TaskRecord, taskEntity } from '../../lib/entities/tasks.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { taskChanges } from '../../lib/store/tasks.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** The n-th task: 300 are due a day, five a contact, every tenth is done. */
function taskNumber(id: number): TaskRecord {
  const blank = taskEntity.blank({
    Id: id,
    OrganizationId: 1,
    ContactId: 1 + Math.floor((id - 1) / 5),
    Created: START,
  });
  const Due = START + Math.floor((id - 1) / 300) * DAY + (id % 300) * 60_000;
  return {
    ...blank,
    Description: 'Call back about the estimate.',
    TaskType: id % 6,
    Category: 'Estimate',
    Due,
    CompletedAt: id % 10 ? null : START,
  };
}

/** Puts tasks `from` to `through`, in batches instead of one by one; each has changed a second after the one before. */
export async function seedTasks(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  for (let first = from; first <= through; first += 250) {
    const tasks = Array.from({ length: Math.min(250, through - first + 1) }, (_, index) => taskNumber(first + index));
    const changes = tasks.map(
      (after) => taskChanges({ account }, { before: undefined, after, now: new Date(START + after.Id * 1000) }).change,
    );
    await table.putMany(changes.flatMap((change) => ('put' in change ? [change.put] : [])));
  }
  await table.putMany([{ ...layout.lease.key({ account, kind: 'Task' }), Last: through }]);
}
