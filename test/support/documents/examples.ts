import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { listClasses, classChanges } from '../../../lib/store/organizations/accounting-classes.ts';
import { newCallbackChanges } from '../../../lib/store/events/callbacks.ts';
import { listWebhooks, removedWebhookChange } from '../../../lib/store/events/webhooks.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { layout } from '../../../lib/store/keys.ts';
import { findContact } from '../../../lib/store/contacts/contacts.ts';
import { listAgents, agentChanges } from '../../../lib/store/organizations/service-agents.ts';
import { findTask, taskChanges } from '../../../lib/store/tasks.ts';
import { findEmailOwners, findUsersWithVersion, userChanges } from '../../../lib/store/organizations/users.ts';
import { putExampleDownload } from '../downloads.ts';
import { contactItem, someContact } from '../contacts.ts';
import { putExampleFigures } from '../figures.ts';
import { reopenProposal } from '../evidence.ts';
import { putExampleMessage, turnMessages } from '../messages.ts';
import { writeBook } from '../price-book.ts';
import { prepareScheduling, reopenAppointment } from '../scheduling.ts';
import { putBlogs } from '../settings.ts';
import { type TestAccount, drainEvents, testAccount, testTable } from '../stack/stack.ts';
import { accountStore, storeOf } from '../../../lib/store/store.ts';

/** Opens task 1 again, where it is done. */
const reopenTask = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const table = testTable();
    const before = await findTask(storeOf(table, { account: accountId, organizationId: null }), 1);
    if (before?.CompletedAt != null)
      await table.commit([
        taskChanges({ account: accountId }, { before, after: { ...before, CompletedAt: null }, now: new Date() })
          .change,
      ]);
  });

/** Gives the example's user and her service agent other names, where they are there. */
const renameUser = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const table = testTable();
    const owners = await findEmailOwners(accountStore(table, accountId), 1, ['maria@example.com']);
    const [users, agents] = await Promise.all([
      findUsersWithVersion(accountStore(table, accountId), [...owners.values()]),
      listAgents(accountStore(table, accountId), 1),
    ]);
    const maria = agents.filter(({ Name }) => Name === 'Maria Lopez');
    await table.commit([
      ...users.flatMap(
        (user) => userChanges({ account: accountId }, user, { ...user, Email: `maria${user.Id}@example.com` }).changes,
      ),
      ...maria.map(
        (agent) =>
          agentChanges({ account: accountId }, agent, { ...agent, Name: `Maria ${agent.Id}`, Email: '' }).change,
      ),
    ]);
  });

/** Gives the example's accounting class another name and takes its postal codes, where it is there. */
const renameClass = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const table = testTable();
    for (const before of await listClasses(accountStore(table, accountId), 1)) {
      if (!before.PostalCodes.length) continue;
      const write = await classChanges(accountStore(table, accountId), before, {
        ...before,
        AccountingClass: `Class ${before.Id}`,
        PostalCodes: [],
      });
      if (write.kind === 'ready') await table.commit(write.changes);
    }
  });

const makeClass = async (account: TestAccount): Promise<void> =>
  void (await account.call('accountingclasses/create', { OrganizationId: 1, Name: 'Denver North' }));
export const reopenOrganization = async (account: TestAccount, OrganizationId = 2): Promise<void> =>
  void (await account.call('organizations/update', { OrganizationId, OpenSince: '2026-03-08' }));

/** Has the account count one organization, however many there are: examples name none where there is only one. */
export const countOne = ({ accountId }: TestAccount): Promise<void> =>
  testTable().commit([
    { update: layout.account.key({ account: accountId }), set: { Organizations: 1 }, if: 'present' },
  ]);

/** Webhook 1 alone, whose name leads nowhere, and a call of it with event 1. Nobody has been shown the secret. */
const makeWebhook = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const table = testTable();
    const now = new Date();
    const address = 'https://hooks.example.invalid/events';
    const webhook = { Id: 1, Url: address, Kinds: ['contact.created'], Created: now.getTime(), Disabled: null };
    const others = (await listWebhooks(accountStore(table, accountId))).filter(({ Id }) => Id !== 1);
    await table.commit([
      { put: { ...layout.webhook.key({ account: accountId, id: 1 }), ...webhook } },
      ...others.map(({ Id }) => removedWebhookChange({ account: accountId }, Id)),
      ...newCallbackChanges(
        { account: accountId },
        { id: 1, kind: 'contact.created', targets: [{ target: 'webhook-1', address }] },
        now,
      ),
    ]);
  });

/** Contact 1012, which is merged into no other one, and 1013, which is merged into contact 1. */
async function makeDuplicates({ accountId: account }: TestAccount): Promise<void> {
  const named = { Name: 'José García', Hash: 'd'.repeat(32) };
  const merge = { Id: 1, MergedId: 1013, OrganizationId: 1, StartedAt: Date.now(), State: 'merged', NoteId: 1 };
  const mergeKey = (merged: number) => layout.contactMerge.key({ account, id: 1, merged });
  /** In its next version, with what a later version of the code has stored in it. */
  const made = async (contact: ContactRecord) => {
    const item = contactItem(account, contact);
    const stored: Record<string, unknown> = (await testTable().get({ PK: item.PK, SK: item.SK })) ?? {};
    return { ...omit(stored, 'MergedInto', 'MergedLinksRevoked'), ...item, V: Number(stored['V'] ?? 0) + 1 };
  };
  await testTable().putMany(
    [
      await made(someContact(1012, named)),
      await made(someContact(1013, { ...named, MergedInto: 1, MergedLinksRevoked: 0 })),
      { ...mergeKey(1013), ...merge },
    ],
    [mergeKey(1012)],
  );
  await withoutMerged(account, 1012);
}

/** Takes a contact off the list of those merged into contact 1, where it is there. */
const withoutMerged = (account: string, id: number): Promise<void> =>
  retryOnConflict(async () => {
    const before = await findContact(accountStore(testTable(), account), 1);
    const MergedContacts = before?.MergedContacts.filter(({ Id }) => Id !== id) ?? [];
    if (!before || MergedContacts.length === before.MergedContacts.length) return;
    const set = { MergedContacts, V: before.V + 1 };
    const update = layout.contact.key({ account, id: 1 });
    await testTable().commit([{ update, set, if: { equals: { V: before.V } } }]);
  });

/**
 * What an operation uses up or cannot be done after, made as it was, so that its example can be sent again and again.
 */
const renewals: Record<string, (account: TestAccount) => Promise<void>> = {
  'contacts/merge': makeDuplicates,
  'contacts/unmerge': makeDuplicates,
  'task/update': reopenTask,
  'task/complete': reopenTask,
  'user/create': renameUser,
  'accountingclasses/create': renameClass,
  'accountingclasses/update': makeClass,
  'messages/preview': (account) => turnMessages(account, true),
  'messages/send': (account) => turnMessages(account, true),
  'organizations/cancel': (account) => reopenOrganization(account),
  'appointments/cancel': reopenAppointment,
  'proposal/update': reopenProposal,
  'proposal/accept': reopenProposal,
  'webhooks/create': makeWebhook,
  'webhooks/update': makeWebhook,
  'webhooks/delete': makeWebhook,
  'webhooks/rotatesecret': makeWebhook,
  'webhooks/test': makeWebhook,
  'webhooks/replay': makeWebhook,
};

/** Has the account as the example of an operation needs it. */
export const renew = async (account: TestAccount, operation: string): Promise<void> => renewals[operation]?.(account);

/** An account of the test's own with what the examples of the document name. */
export const exampleAccount = async (): Promise<TestAccount> => withExamples(await testAccount());

/**
 * Gives a new account what the examples of the document name: contact 1, task 1, an event, a start address, article 1,
 * service 1, part 1, dimension 1, invoice 1, a message, proposal 1, webhook 1 with a call of event 1, and a second organization
 * that does not count.
 */
export async function withExamples(made: TestAccount): Promise<TestAccount> {
  await made.call('organizations/create', { Name: 'Green Lawn Boulder' });
  await countOne(made);
  await made.call('contacts/addupdate', { Name: 'José García', Phone: '(804) 555-0143' });
  await made.call('task/create', { ContactId: 1, Description: 'Call back about the estimate.' });
  await made.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '23230' }, Radius: 25 });
  await putBlogs(made.accountId, [{ Title: 'Spring lawn care' }]);
  await writeBook(made.accountId, {
    parts: [{ Name: 'Screen cleaning' }],
    services: [
      { Name: 'Window Cleaning', BasePrice: 80, BaseDuration: 60 },
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
    ],
    dimensions: [{ Name: 'Width' }],
  });
  await made.call('invoice/import', {
    Invoice: { ContactId: 1, Lines: [{ Description: 'Window cleaning', Rate: 1000, Qty: 1 }] },
  });
  await made.call('proposal/create', {
    ContactId: 1,
    ServiceId: 1,
    Status: 'Open',
    DepositRate: 10,
    DepositRequired: true,
  });
  await prepareScheduling(made);
  await putExampleDownload(made.accountId);
  await putExampleFigures(made.accountId);
  await putExampleMessage(made);
  await drainEvents();
  await makeWebhook(made);
  return renewing(made);
}

/** The account, made for each call as its example needs it. */
export const renewing = (account: TestAccount): TestAccount => ({
  ...account,
  async call(operation, body, options) {
    await renew(account, operation);
    return account.call(operation, body, options);
  },
});
