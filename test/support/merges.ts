import type { Contact } from '../../lib/entities/contacts.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { MessageProgress } from '../../lib/shared/queues.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import type { PatientTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { goOnWithMerge } from '../../lib/workflows/contacts/move-merged-records.ts';
import { dying, toolTable } from './erasures.ts';
import { contactIn } from './stack/branches.ts';
import { type TestAccount, drainEvents, testStack, testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

export const scan = () => {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  return openScan({ tableName, endpoint });
};

/** What `fs check` finds in an account, once the workers have seen every change. */
export async function problemsOf(account: string): Promise<string[]> {
  await drainEvents();
  const found: string[] = [];
  await checkTable(testTable(), scan(), {
    accounts: [account],
    repair: false,
    now: () => new Date(),
    settleMilliseconds: 200,
    onFinding: ({ kind, key, message }) => void found.push(`${kind} ${key.PK} ${key.SK}: ${message}`),
  });
  return found;
}

/** Calls of a test of merges, which must succeed, and the worker's work. */
export function mergesOf({ call, accountId }: TestAccount) {
  const send = async (operation: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await call(operation, body, { headers: { 'Idempotency-Key': randomUUID() } });
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer.body;
  };
  /** Does the worker's work, without a wait for calls under way. */
  const goOn = (kept: number, merged: number, table: PatientTable = toolTable()): Promise<MessageProgress> =>
    goOnWithMerge(accountStore(table, accountId), layout.contactMerge.key({ account: accountId, id: kept, merged }), {
      now: new Date(),
      deadline: Date.now() + 60_000,
      settleMilliseconds: 0,
    });
  return {
    send,
    goOn,
    add: async (body: object): Promise<Contact> => contactIn(await call('contacts/addupdate', body)),
    locate: async (IdSearch: number): Promise<Contact> => contactIn(await call('contacts/locate', { IdSearch })),
    /** Does it to the end, by processes that are killed after ever more writes. */
    async finish(kept: number, merged: number, kills = 40): Promise<void> {
      for (let writes = 0; writes < kills; writes++)
        await goOn(kept, merged, dying(toolTable(), writes)).catch(() => undefined);
      expect(await goOn(kept, merged)).toEqual({ kind: 'done' });
    },
  };
}
