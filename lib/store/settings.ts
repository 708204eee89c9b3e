import type { Entry, PlannedSetting, Setting, SettingKind } from '../domain/settings.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { RangePage, TableReader } from './dynamodb/client.ts';
import { layout } from './keys.ts';

export type { Setting, SettingKind } from '../domain/settings.ts';

/** The item that keeps an entry; a new one is in version 1. */
const settingItem = (
  account: string,
  { Kind, Id, V = 1, Value }: Omit<Setting, 'V'> & { readonly V?: number },
): Item => ({ ...layout.setting.key({ account, kind: Kind, id: Id }), Kind, Id, V, Value });

const named = (Kind: SettingKind, names: readonly string[], field = 'Name'): Setting[] =>
  names.map((name, index) => ({ Kind, Id: index + 1, V: 1, Value: { Id: index + 1, [field]: name } }));

/** What a new account starts with; everything can be changed with the company file. */
const defaults: readonly Setting[] = [
  ...named(
    'CancelReason',
    [
      'Customer canceled',
      'Customer not home',
      'Weather',
      'No longer needed',
      'Chose another company',
      'Scheduling error',
    ],
    'Reason',
  ),
  ...named('TaskCategory', ['Follow-up', 'Estimate', 'Billing', 'Complaint', 'Warranty']),
  ...named('LeadSourceCategory', ['Internet', 'Referral', 'Advertising', 'Repeat customer', 'Other']),
  ...named('Feature', [
    'Scheduling',
    'Proposals',
    'Invoicing',
    'Payments',
    'Tasks',
    'Marketing',
    'Subscriptions',
    'Downloads',
    'Events',
  ]),
  { Kind: 'NamedTaxRate', Id: 1, V: 1, Value: { Id: 1, Name: 'No tax', TaxRate: 0 } },
];

/** The changes that store them. */
export const defaultSettings = (account: string): Change[] =>
  defaults.map((setting) => ({ put: settingItem(account, setting) }));

const settingOf = <Value>(item: Item): Setting<Value> => ({
  Kind: item['Kind'] as SettingKind,
  Id: item['Id'] as number,
  V: (item['V'] as number | undefined) ?? 0,
  Value: item['Value'] as Value,
});

/**
 * The entries of one kind with their versions, by id, as they are at this moment: one request, unless they are longer
 * than 1 MB.
 */
export async function listSettingsWithVersions<Value = Entry>(
  table: TableReader,
  account: string,
  kind: SettingKind,
  { consistent = true } = {},
): Promise<Setting<Value>[]> {
  const range = { partition: layout.setting.of({ account }), from: `${kind}#`, to: `${kind}#~`, consistent };
  const entries: Setting<Value>[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: RangePage = await table.query({ ...range, after: after || undefined });
    entries.push(...page.items.map(settingOf<Value>));
    after = page.next;
  }
  return entries;
}

/** The entries of these ids, as far as they exist, as they are at this moment. */
export async function findSettings<Value = Entry>(
  table: TableReader,
  account: string,
  kind: SettingKind,
  ids: readonly number[],
): Promise<Setting<Value>[]> {
  const keys = [...new Set(ids)].map((id) => layout.setting.key({ account, kind, id }));
  const [only] = keys;
  const items = keys.length === 1 && only ? [await table.get(only)] : await table.getMany(keys);
  return items.flatMap((item) => (item ? [settingOf<Value>(item)] : []));
}

/** The entries of one kind, by id; some may be a second old. */
export const listSettings = async <Value>(table: TableReader, account: string, kind: SettingKind): Promise<Value[]> =>
  (await listSettingsWithVersions<Value>(table, account, kind, { consistent: false })).map(({ Value }) => Value);

/**
 * The changes that store what was planned, each only where its entry still is what was read; none where nothing
 * changes.
 */
export const settingChanges = (
  account: string,
  planned: readonly Pick<PlannedSetting, 'change' | 'before' | 'after'>[],
): Change[] =>
  planned.flatMap(({ change, before, after }): Change[] =>
    change === 'same'
      ? []
      : [{ put: settingItem(account, after), if: before ? { equals: { V: before.V || undefined } } : 'absent' }],
  );

const lists = new TtlCache<unknown[]>();

/** One of the account's small lists, up to 30 seconds old. */
export const listRecentSettings = <Value>(
  table: TableReader,
  account: string,
  kind: SettingKind,
  now: Date,
): Promise<Value[]> =>
  lists.recall(`${account}#${kind}`, now, () => listSettings(table, account, kind)) as Promise<Value[]>;
