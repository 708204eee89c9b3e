import { rerun } from '../../lib/store/rerun.ts';
import { findTask, storeTask } from '../../lib/store/tasks.ts';
import { putBlogs } from './settings.ts';
import { drainEvents, testAccount, testTable, type TestAccount } from './stack.ts';

/** Opens task 1 again, where it is done. */
const reopenTask = ({ accountId }: TestAccount): Promise<void> =>
  rerun(async () => {
    const table = testTable();
    const before = await findTask(table, { accountId, organizationId: null }, 1);
    if (before?.CompletedAt != null) await table.commit([storeTask(accountId, { before, after: { ...before, CompletedAt: null }, now: new Date() }).change]);
  });

/** What an operation uses up or cannot be done after, made as it was, so that its example can be sent again and again. */
const renewals: Record<string, (account: TestAccount) => Promise<void>> = { 'task/update': reopenTask, 'task/complete': reopenTask };

/** An account with what the examples of the document name: contact 1, task 1, an event, a start address, and article 1. */
export async function exampleAccount(): Promise<TestAccount> {
  const made = await testAccount();
  await made.call('contacts/addupdate', { Name: 'José García', Phone: '(217) 555-0143' });
  await made.call('task/create', { ContactId: 1, Description: 'Call back about the estimate.' });
  await made.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '62701' }, Radius: 25 });
  await putBlogs(made.accountId, [{ Title: 'Spring lawn care' }]);
  await drainEvents();
  return {
    ...made,
    async call(operation, body, options) {
      await renewals[operation]?.(made);
      return made.call(operation, body, options);
    },
  };
}
