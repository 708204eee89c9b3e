import { settingEntity } from '../entities/accounts.ts';
import { type Entry, type PlannedSetting, type Setting, type SettingKind, completeEntry } from '../domain/settings.ts';
import { jsonByteLength } from '../shared/objects.ts';
import { MAX_TRANSACTION_BYTES } from '../shared/limits.ts';
import { CachedValues } from './dynamodb/cached-values.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { listRange } from './dynamodb/records.ts';
import { layout } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

export type { Setting, SettingKind } from '../domain/settings.ts';

const toItem = ({ account }: StoreAccount, { Kind, Id, V, Value }: Setting): Item => ({
  ...layout.setting.key({ account, kind: Kind, id: Id }),
  Kind,
  Id,
  V,
  Value,
});

/** The cast is safe: only entries of its resource are stored. */
const toSetting = <Value>(item: Item): Setting<Value> => settingEntity.readDeclared(item) as Setting<Value>;

const defaultNames: Partial<Record<SettingKind, readonly string[]>> = {
  CancelReason: [
    'Customer canceled',
    'Customer not home',
    'Weather',
    'No longer needed',
    'Chose another company',
    'Scheduling error',
  ],
  TaskCategory: ['Follow-up', 'Estimate', 'Billing', 'Complaint', 'Warranty'],
  LeadSourceCategory: ['Internet', 'Referral', 'Advertising', 'Repeat customer', 'Other'],
  Feature: [
    'Scheduling',
    'Proposals',
    'Invoicing',
    'Payments',
    'Tasks',
    'Marketing',
    'Subscriptions',
    'Downloads',
    'Events',
  ],
};

/** The changes that store the small lists of a new account; the company file can change all of them. */
export function defaultSettings(store: StoreAccount): Change[] {
  const settings = Object.entries(defaultNames).flatMap(([kind, names]) =>
    names.map((name, index): Setting => {
      const Id = index + 1;
      const Value = kind === 'CancelReason' ? { Id, Reason: name } : { Id, Name: name };
      return { Kind: kind as SettingKind, Id, V: 1, Value };
    }),
  );
  const noTax: Setting = { Kind: 'NamedTaxRate', Id: 1, V: 1, Value: { Id: 1, Name: 'No tax', TaxRate: 0 } };
  return [...settings, noTax].map((setting) => ({ put: toItem(store, setting) }));
}

/** The entries of one kind with their versions, by id. */
export async function listSettingsWithVersions<Value = Entry>(
  { account, table }: StoreReader,
  kind: SettingKind,
  { consistent = true } = {},
): Promise<Setting<Value>[]> {
  const range = { partition: layout.setting.of({ account }), from: `${kind}#`, to: `${kind}#~`, consistent };
  return (await listRange(table, range)).map(toSetting<Value>);
}

/** The entries with these ids, skipping missing ones. */
export async function findSettings<Value = Entry>(
  { account, table }: StoreReader,
  kind: SettingKind,
  ids: readonly number[],
): Promise<Setting<Value>[]> {
  const keys = [...new Set(ids)].map((id) => layout.setting.key({ account, kind, id }));
  const [only] = keys;
  const items = keys.length === 1 && only ? [await table.get(only)] : await table.getMany(keys);
  return items.flatMap((item) => (item ? [toSetting<Value>(item)] : []));
}

/** The values of one kind, by id; some may be a second old. */
export const listSettings = async <Value>(store: StoreReader, kind: SettingKind): Promise<Value[]> =>
  (await listSettingsWithVersions<Value>(store, kind, { consistent: false })).map(({ Value }) => Value);

type PlannedSettings = readonly Pick<PlannedSetting, 'change' | 'before' | 'after'>[];

/** Stores planned entries, each only if it is unchanged since it was read; nothing for unchanged entries. */
export const settingChanges = (store: StoreAccount, planned: PlannedSettings): Change[] =>
  planned
    .filter(({ change }) => change !== 'same')
    .map(({ before, after }) => ({
      put: toItem(store, after),
      if: before ? { equals: { V: before.V || undefined } } : 'absent',
    }));

/** The same in as few transactions as possible, in order; the entries do not depend on each other. */
export const settingTransactions = (store: StoreAccount, planned: PlannedSettings): Change[][] =>
  splitTransactions(settingChanges(store, planned));

/** Leaves room for the saved response, which shares the transaction. */
const MAX_CHANGES = 90;
const MAX_BYTES = MAX_TRANSACTION_BYTES - 1_000_000;

function splitTransactions(changes: readonly Change[]): Change[][] {
  const transactions: Change[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = jsonByteLength(change);
    const last = transactions.at(-1);
    if (last && last.length < MAX_CHANGES && bytes + size <= MAX_BYTES) {
      last.push(change);
      bytes += size;
    } else {
      transactions.push([change]);
      bytes = size;
    }
  }
  return transactions;
}

const lists = new CachedValues<SettingKind, readonly unknown[]>({
  name: (kind) => kind,
  isConfigured: true,
  read: async (store, kind, options) =>
    (await listSettingsWithVersions(store, kind, options)).map(({ Value }) => completeEntry(kind, Value)),
});

/** The values of one kind, by id, in the form that a call needs. */
export const settingsOf = <Value>(store: StoreReader, kind: SettingKind): Promise<Value[]> =>
  lists.read(store, kind) as Promise<Value[]>;
