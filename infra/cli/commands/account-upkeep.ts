import type { Account } from '../../../lib/entities/accounts.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import { findAllAccounts } from '../../../lib/store/administration/account-administration.ts';
import {
  type RemovalReport,
  removeAccounts,
  waitBeforeRemoval,
} from '../../../lib/store/administration/account-removal.ts';
import { CURRENT_SCHEMA } from '../../../lib/store/accounts/schema.ts';
import { findRetentionDays, writeRetention } from '../../../lib/store/events/events.ts';
import { migrateAccount } from '../../../lib/store/administration/migrations.ts';
import { writeAuditEntry } from '../../../lib/store/requests/audit.ts';
import { MAX_RETENTION_DAYS } from '../../../lib/domain/retention.ts';
import { findKeptDays, writeKeptDays } from '../../../lib/store/message-settings.ts';
import { findRetention, writeRetentionRules } from '../../../lib/store/accounts/retention.ts';
import { removeParkedRecords } from '../../../lib/workflows/parked-records.ts';
import { removeUploadedFiles } from '../../../lib/workflows/uploads/remove-uploads.ts';
import type { CliCommand } from '../command.ts';
import { CommandError, formatList, formatTable, print } from '../output.ts';
import { accountIds, findPassCost, openTablePass, resumeOption, yesOption } from '../table-pass.ts';
import { openAccount, openTarget, openTargetFiles, targetName } from '../target.ts';
import { type DaysOrNever, daysOrNever, wholeNumber, repeated } from '../values.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { oneOrAll } from './accounts.ts';

const REMOVAL_COST =
  'Deleting makes a second pass, for what was written during the first, and 1 write unit for each KB that it removes.';

interface RemoveOptions {
  /** Names of accounts. */
  readonly yes?: readonly string[];
  readonly resume?: string;
  readonly json?: boolean;
}

/** Throws unless the account may be deleted now. */
function requireRemovable(found: Account): void {
  const wait = waitBeforeRemoval(found, new Date());
  if (wait === undefined)
    throw new CommandError(`${found.Name} is in use. Suspend it first: account suspend ${found.AccountId}.`);
  if (wait > 0)
    throw new CommandError(`Calls may still be under way. Try again in ${Math.ceil(wait / SECOND)} seconds.`);
}

async function remove(ids: readonly string[], { yes = [], resume, json }: RemoveOptions): Promise<void> {
  const accounts = accountIds(ids);
  const names = new Map<string, string>();
  for (const account of accounts) {
    const { found } = await openAccount({ account });
    requireRemovable(found);
    names.set(account, found.Name);
  }
  const unconfirmed = [...names.values()].filter((name) => !yes.includes(name));
  if (unconfirmed.length)
    throw new CommandError(
      `This deletes all data of ${unconfirmed.join(', ')} for good. ${await findPassCost(REMOVAL_COST)}` +
        `To confirm, give ${unconfirmed.length > 1 ? 'their names' : 'its name'}: ` +
        `${unconfirmed.map((name) => `--yes ${JSON.stringify(name)}`).join(' ')}.`,
    );
  const files = openTargetFiles();
  const purpose = ['delete', targetName(), accounts];
  const pass = await openTablePass({ yes: true, beside: REMOVAL_COST, resume, purpose });
  const removedFiles = new Map<string, { Parked: number; Files: number }>();
  const { segments, checkpoint } = pass;
  const reports = await removeAccounts(openTarget(), pass.scan, accounts, {
    now: new Date(),
    segments,
    checkpoint,
    async removeFiles(account) {
      if (!files) return;
      const Parked = await removeParkedRecords(files, account);
      removedFiles.set(account, { Parked, Files: await removeUploadedFiles(files, account) });
    },
    onPass: pass.restart,
  });
  pass.end();
  const toResult = ({ account, keys: Keys, items: Items, records: Records }: RemovalReport) => {
    const { Parked, Files } = removedFiles.get(account) ?? { Parked: 0, Files: 0 };
    return { AccountId: account, Name: names.get(account) ?? '', Keys, Items, Parked, Files, Records };
  };
  const results = reports.map(toResult);
  const text = results.map(({ Name, Items, Keys, Records }) => {
    const records = Object.keys(Records).length ? `\n${formatList(Records)}` : '';
    return `${Name} is deleted: ${Items} items and ${Keys} keys.${records}`;
  });
  print(oneOrAll(results), { json, text: text.join('\n') });
}

interface RetentionOptions {
  readonly calls?: DaysOrNever;
  readonly notes?: DaysOrNever;
  readonly files?: DaysOrNever;
  readonly events?: number;
  readonly messages?: number;
  readonly json?: boolean;
}

/** An absent option keeps its rule; `never` removes it. */
const ruleOf = (option: DaysOrNever | undefined, before: number | undefined): number | undefined =>
  option === undefined ? before : option === 'never' ? undefined : option;

async function retention(id: string, { calls, notes, files, events, messages, json }: RetentionOptions): Promise<void> {
  const { store } = await openAccount({ account: id });
  const before = await findRetention(store);
  const rules = {
    CallDays: ruleOf(calls, before.CallDays),
    NoteDays: ruleOf(notes, before.NoteDays),
    FileDays: ruleOf(files, before.FileDays),
  };
  if (calls !== undefined || notes !== undefined || files !== undefined) await writeRetentionRules(store, rules);
  if (events !== undefined) await writeRetention(store, events);
  if (messages !== undefined) await writeKeptDays(store, messages);
  if ([calls, notes, files, events, messages].some((rule) => rule !== undefined))
    await writeAuditEntry(store, {
      Kind: 'account.retention',
      Data: { Before: { ...before }, After: { ...rules, EventDays: events, MessageDays: messages } },
      command: 'account retention',
    });
  const current = {
    AccountId: store.account,
    CallDays: rules.CallDays ?? null,
    NoteDays: rules.NoteDays ?? null,
    FileDays: rules.FileDays ?? null,
    EventDays: await findRetentionDays(store),
    MessageDays: await findKeptDays(store),
  };
  const lines = Object.entries(current).map(([field, days]) => [field, days ?? 'kept for good']);
  print(current, { json, text: formatList(Object.fromEntries(lines) as Record<string, string | number>) });
}

/** Reads the whole table, because accounts of schema 1 are in no list. */
async function findEveryAccount(yes: boolean): Promise<string[]> {
  const pass = await openTablePass({ yes });
  const accounts = await findAllAccounts(pass.scan);
  pass.end();
  return accounts;
}

async function migrate(
  id: string | undefined,
  { yes = false, json }: { yes?: boolean; json?: boolean },
): Promise<void> {
  const table = openTarget();
  const accounts = id ? [id] : await findEveryAccount(yes);
  const results = [];
  for (const account of accounts) {
    const result = await migrateAccount(accountStore(table, account));
    if (result.kind === 'absent') throw new CommandError(`Account ${account} not found.`);
    if (result.kind === 'refused') throw new CommandError(result.message);
    const from = result.kind === 'migrated' ? result.from : CURRENT_SCHEMA;
    results.push({
      AccountId: account,
      From: from,
      To: CURRENT_SCHEMA,
      Items: result.kind === 'migrated' ? result.items : 0,
    });
  }
  print(results, { json, text: results.length ? formatTable(results) : 'No accounts.' });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'account delete',
    description: 'Delete suspended accounts, at most 20, with all their data, for good; reads the whole table, twice',
    takes: (command) =>
      resumeOption(command.argument('<accounts...>')).option(
        '--yes <name>',
        'the name of an account, to confirm; once for each',
        repeated,
      ),
    onWholeTable: remove,
  },
  {
    words: 'account retention',
    description: 'Show or set for how many days an account keeps calls, notes, files, events and messages',
    takes: (command) =>
      command
        .argument('<account>')
        .option('--calls <days>', 'remove older calls and their notes; never keeps them', daysOrNever)
        .option('--notes <days>', 'remove older notes of contacts', daysOrNever)
        .option('--files <days>', 'remove older uploaded files', daysOrNever)
        .option('--events <days>', 'events queued from now on, 1 to 90', wholeNumber(1, 90))
        .option('--messages <days>', 'e-mails and texts from now on', wholeNumber(1, MAX_RETENTION_DAYS)),
    onWholeTable: retention,
  },
  {
    words: 'account migrate',
    description:
      'Bring accounts of earlier versions into the form of this one (default: all accounts; reads the whole table)',
    takes: (command) => yesOption(command.argument('[account]')),
    onWholeTable: migrate,
  },
];
