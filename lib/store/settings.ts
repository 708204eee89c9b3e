import type { Change, Item } from './changes.ts';
import type { TableReader } from './client.ts';
import { layout } from './layout.ts';

/** The small lists of an account; one Query reads a whole kind. */
export type SettingKind = 'CancelReason' | 'TaskCategory' | 'LeadSourceCategory' | 'Feature' | 'NamedTaxRate' | 'Channel' | 'CustomField';

/** One entry of a small list; `Value` is the resource as its own operation returns it. */
export interface Setting<Value = Record<string, unknown>> {
  readonly Kind: SettingKind;
  readonly Id: number;
  readonly Value: Value;
}

/** The item that keeps an entry. */
export const settingItem = (account: string, { Kind, Id, Value }: Setting): Item => ({ ...layout.setting.key({ account, kind: Kind, id: Id }), Kind, Id, Value });

const named = (Kind: SettingKind, names: readonly string[], field = 'Name'): Setting[] =>
  names.map((name, index) => ({ Kind, Id: index + 1, Value: { Id: index + 1, [field]: name } }));

/** What a new account starts with; everything can be changed with the company file. */
const defaults: readonly Setting[] = [
  ...named('CancelReason', ['Customer canceled', 'Customer not home', 'Weather', 'No longer needed', 'Chose another company', 'Scheduling error'], 'Reason'),
  ...named('TaskCategory', ['Follow-up', 'Estimate', 'Billing', 'Complaint', 'Warranty']),
  ...named('LeadSourceCategory', ['Internet', 'Referral', 'Advertising', 'Repeat customer', 'Other']),
  ...named('Feature', ['Scheduling', 'Proposals', 'Invoicing', 'Payments', 'Tasks', 'Marketing', 'Subscriptions', 'Downloads', 'Events']),
  { Kind: 'NamedTaxRate', Id: 1, Value: { Id: 1, Name: 'No tax', TaxRate: 0 } },
];

/** The changes that store them. */
export const defaultSettings = (account: string): Change[] => defaults.map((setting) => ({ put: settingItem(account, setting) }));

/** The entries of one kind, by id; no kind holds more than a page (1 MB) of them. */
export async function listSettings<Value>(table: TableReader, account: string, kind: SettingKind): Promise<Value[]> {
  const range = { partition: layout.setting.of({ account }), from: `${kind}#`, to: `${kind}#~` };
  return (await table.query(range)).items.map((item) => item['Value'] as Value);
}
