import type { Account, ProposalSettings } from '../../../lib/entities/accounts.ts';
import * as z from 'zod';
import { WHOLE_ACCOUNT, findStoredMessageSettings } from '../../../lib/store/message-settings.ts';
import { writeImportedMessages } from '../../../lib/workflows/messages/import-settings.ts';
import { DEFAULT_PROPOSAL_SETTINGS, findAccount } from '../../../lib/store/accounts/accounts.ts';
import { resource } from '../../../lib/resources/fields.ts';
import { layout } from '../../../lib/store/keys.ts';
import { type EntryResult, compareEntry } from './diff.ts';
import { type Entry, type RowKind, entryFormat } from './entry-format.ts';
import { messagesField, messagesInput, messagesSchema, messagesToFile } from './messages.ts';
import type { AccountContext } from './section.ts';

/** The fields of the file that belong to the account itself. */
export const accountFields = () => ({
  company: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .optional(),
  proposals: z
    .strictObject(
      {
        expireAfterDays: z
          .int('must be a whole number of days')
          .min(0, 'must be 0 (never) or more')
          .max(3_650, 'must be at most 3650')
          .nullish(),
      },
      'must be a mapping: `expireAfterDays: 30`',
    )
    .nullish(),
  refuseOwnedPostalCodes: z.boolean('must be true or false').nullish(),
  messages: messagesSchema().nullish(),
});

export type AccountEntry = z.infer<z.ZodObject<ReturnType<typeof accountFields>>>;

/** An absent field keeps its value; `null` restores that of a new account. */
function applyProposals(input: AccountEntry['proposals'], before: ProposalSettings): ProposalSettings {
  if (input === undefined) return before;
  if (input === null) return DEFAULT_PROPOSAL_SETTINGS;
  const { expireAfterDays = before.ExpireAfterDays } = input;
  return { ExpireAfterDays: expireAfterDays ?? DEFAULT_PROPOSAL_SETTINGS.ExpireAfterDays };
}

const proposalSettings = (account: Account | undefined): ProposalSettings =>
  account?.Proposals ?? DEFAULT_PROPOSAL_SETTINGS;

/** The account's own fields as one entry. */
export const accountRow: RowKind = {
  noun: 'account',
  identity: () => 'settings',
  format: entryFormat(
    resource('Account', () => ({})),
    { messages: messagesField },
    { required: [] },
  ),
};

/** The account's own fields, without those that have the value of a new account. */
export async function exportAccount({ store }: AccountContext): Promise<Entry> {
  const [found, stored] = await Promise.all([findAccount(store), findStoredMessageSettings(store, WHOLE_ACCOUNT)]);
  const { ExpireAfterDays } = proposalSettings(found);
  const messages = messagesToFile(stored);
  return {
    company: found?.Name ?? '',
    ...(ExpireAfterDays ? { proposals: { expireAfterDays: ExpireAfterDays } } : {}),
    ...(found?.RefuseOwnedCodes === undefined ? {} : { refuseOwnedPostalCodes: found.RefuseOwnedCodes }),
    ...(messages ? { messages } : {}),
  };
}

/** Commits the account's own fields; returns a result for each field of the file. */
export async function importAccount(context: AccountContext, input: AccountEntry): Promise<EntryResult[]> {
  const own = await importOwnFields(context, input);
  return input.messages === undefined ? own : [...own, await importMessages(context, input.messages)];
}

async function importMessages({ store, now }: AccountContext, input: Entry | null): Promise<EntryResult> {
  const write = { organization: WHOLE_ACCOUNT, input: input && messagesInput(input), now };
  const { before, after } = await writeImportedMessages(store, write);
  const toFile = (record: typeof before) => messagesToFile(record) ?? {};
  return compareEntry('messages', 'messages', toFile(before), toFile(after));
}

async function importOwnFields({ store }: AccountContext, input: AccountEntry): Promise<EntryResult[]> {
  const found = await findAccount(store);
  const before = { Name: found?.Name ?? '', Proposals: proposalSettings(found) };
  const after = { Name: input.company ?? before.Name, Proposals: applyProposals(input.proposals, before.Proposals) };
  const days = ({ Proposals }: typeof before) => ({ expireAfterDays: Proposals.ExpireAfterDays });
  const refuse = input.refuseOwnedPostalCodes;
  const field = 'refuseOwnedPostalCodes';
  const results = [
    ...(input.company === undefined
      ? []
      : [compareEntry('company', after.Name, { company: before.Name }, { company: after.Name })]),
    ...(refuse === undefined
      ? []
      : [compareEntry(field, field, { [field]: found?.RefuseOwnedCodes ?? null }, { [field]: refuse })]),
    ...(input.proposals === undefined ? [] : [compareEntry('proposals', 'proposals', days(before), days(after))]),
  ];
  if (results.some(({ Change }) => Change === 'updated'))
    await store.table.commit([
      {
        update: layout.account.key({ account: store.account }),
        set: { ...after, ...(typeof refuse === 'boolean' ? { RefuseOwnedCodes: refuse } : {}) },
        remove: refuse === null ? ['RefuseOwnedCodes'] : [],
        if: 'present',
      },
    ]);
  return results;
}
