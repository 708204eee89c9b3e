import type { Campaign } from '../resources/channels.ts';
import type { CustomField, CustomFieldOption } from '../resources/custom-fields.ts';
import { isEqual } from '../shared/equality.ts';
import { jsonByteLength } from '../shared/limits.ts';
import { fold } from '../shared/text.ts';
import { type CampaignInput, MAX_CHANNEL_BYTES, applyCampaignInputs, newCampaignNames } from './campaigns.ts';
import { isFormulaName } from './formula.ts';

/** The small lists of an account. */
export type SettingKind =
  'CancelReason' | 'TaskCategory' | 'LeadSourceCategory' | 'Feature' | 'NamedTaxRate' | 'Channel' | 'CustomField';

/** The resource that an entry is. */
export type Entry = Readonly<Record<string, unknown>>;

/** One entry of a small list as it is stored, in its version `V` (0 for one stored before there were versions). */
export interface Setting<Value = Entry> {
  readonly Kind: SettingKind;
  readonly Id: number;
  readonly V: number;
  readonly Value: Value;
}

export interface SettingError {
  readonly field: string;
  readonly message: string;
}

/** How the entries of one kind look and what they must fulfil. */
export interface SettingRule {
  /** What one is called, in sentences. */
  readonly what: string;
  /** The field by which entries are told apart, whatever its case. */
  readonly name: 'Name' | 'Reason';
  /** Names need only be unique among entries of the same scope. */
  readonly scope?: (entry: Entry) => unknown;
  /** The whole resource with nothing in it. */
  readonly blank: Entry;
  readonly errors?: (entry: Entry, others: readonly Entry[]) => SettingError[];
}

/** Names that formulas know already. */
const TAKEN = ['quantity', 'base', 'unit'];
const hasOptions = ({ Type }: CustomField) => Type === 4 || Type === 5;

function customFieldFaults(entry: Entry, others: readonly Entry[]): SettingError[] {
  const field = entry as CustomField;
  const { Shortcode, Options } = field;
  const taken =
    Shortcode !== '' &&
    (others as readonly CustomField[]).some((other) => other.Shortcode.toLowerCase() === Shortcode.toLowerCase());
  const inFormulas = field.Type === 1 && Shortcode !== '';
  const doubles = new Set(Options.map(({ Value, Label }) => Value || Label)).size < Options.length;
  const all: readonly (false | SettingError)[] = [
    taken && { field: 'Shortcode', message: `${Shortcode} is that of another custom field` },
    inFormulas &&
      !isFormulaName(Shortcode) && {
        field: 'Shortcode',
        message: 'must be letters, digits and _, not first a digit, since formulas read the field by it',
      },
    inFormulas &&
      TAKEN.includes(Shortcode.toLowerCase()) && {
        field: 'Shortcode',
        message: `must not be ${TAKEN.join(', ')}: formulas have these`,
      },
    hasOptions(field) && !Options.length && { field: 'Options', message: 'must hold what can be chosen' },
    Options.some(({ Label, Value }) => !Label && !Value) && {
      field: 'Options',
      message: 'must each have a Label or a Value',
    },
    doubles && { field: 'Options', message: 'must differ from each other' },
  ];
  return all.filter((fault) => fault !== false);
}

const rateFaults = ({ TaxRate }: Entry): SettingError[] =>
  typeof TaxRate === 'number' && TaxRate >= 0 && TaxRate <= 100
    ? []
    : [{ field: 'TaxRate', message: 'must be a percentage from 0 to 100' }];

const channel = { Id: 0, Name: '', Description: '', Campaigns: [] };
const customField: CustomField = {
  Id: 0,
  Name: '',
  Shortcode: '',
  FormField: '',
  Value: null,
  Type: 0,
  TableType: 0,
  Phase: null,
  Required: false,
  HelpText: '',
  CustomFieldCategory: '',
  CheckboxListOptionId: null,
  CheckboxListOptionName: '',
  Options: [],
};

export const settingRules: Readonly<Record<SettingKind, SettingRule>> = {
  CancelReason: { what: 'cancel reason', name: 'Reason', blank: { Id: 0, Reason: '' } },
  TaskCategory: { what: 'task category', name: 'Name', blank: { Id: 0, Name: '' } },
  LeadSourceCategory: { what: 'lead source category', name: 'Name', blank: channel },
  Feature: { what: 'feature', name: 'Name', blank: { Id: 0, Name: '' } },
  NamedTaxRate: { what: 'tax rate', name: 'Name', blank: { Id: 0, Name: '', TaxRate: 0 }, errors: rateFaults },
  Channel: { what: 'channel', name: 'Name', blank: channel },
  CustomField: {
    what: 'custom field',
    name: 'Name',
    scope: ({ TableType }) => TableType,
    blank: customField,
    errors: customFieldFaults,
  },
};

/** The whole resource of an entry, however little of it is stored. */
export const completeEntry = <Value = Entry>(kind: SettingKind, entry: Entry): Value =>
  ({ ...settingRules[kind].blank, ...entry }) as Value;

const campaignsOf = (entry: Entry) => (entry['Campaigns'] ?? []) as Campaign[];
const campaignsGiven = (entry: Entry) => (entry['Campaigns'] ?? []) as CampaignInput[];

/** How many campaign ids merging takes. */
export const campaignIdsFor = (before: Entry, entryInput: Entry): number =>
  newCampaignNames(campaignsOf(before), campaignsGiven(entryInput));

/** Choices keep their ids by what they stand for; new ones get the next. */
function numberOptions(
  before: readonly CustomFieldOption[],
  entryInput: readonly Partial<CustomFieldOption>[],
): CustomFieldOption[] {
  const key = ({ Value, Label }: Partial<CustomFieldOption>) => Value || Label || '';
  const known = new Map(before.map((option) => [key(option), option.Id]));
  let last = Math.max(0, ...before.map(({ Id }) => Id ?? 0), ...entryInput.map(({ Id }) => Id ?? 0));
  return entryInput.map((option) => ({
    Id: option.Id ?? known.get(key(option)) ?? ++last,
    Label: option.Label ?? '',
    Value: option.Value ?? '',
  }));
}

/** Fields that are not simply taken over; the Value of a custom field stands in things, not in its definition. */
const apart = new Set(['Id', 'Value', 'Campaigns', 'Options']);

/** A complete entry with what is given: absent stays, `null` clears, campaigns are merged one by one, options are replaced. */
export function applyEntryInput(
  kind: SettingKind,
  before: Entry,
  entryInput: Entry,
  campaignIds: readonly number[],
): { entry: Entry; errors: SettingError[] } {
  const { blank, name } = settingRules[kind];
  const simple = Object.keys(blank).filter((field) => !apart.has(field) && entryInput[field] !== undefined);
  const fields = Object.fromEntries(
    simple.map((field) => [
      field,
      field === name ? String(entryInput[field] ?? '').trim() : (entryInput[field] ?? blank[field]),
    ]),
  );
  const entry = { ...before, ...fields };
  if (kind === 'CustomField' && entryInput['Options'] !== undefined) {
    const options = numberOptions(
      before['Options'] as CustomFieldOption[],
      (entryInput['Options'] ?? []) as CustomFieldOption[],
    );
    return { entry: { ...entry, Options: options }, errors: [] };
  }
  if (kind !== 'Channel') return { entry, errors: [] };
  const { campaigns, errors } = applyCampaignInputs(campaignsOf(before), campaignsGiven(entryInput), campaignIds);
  return { entry: { ...entry, Campaigns: campaigns }, errors };
}

/** Most entries of one kind. */
const MAX_ENTRIES = 1_000;

/** What becomes of one given entry. */
export interface PlannedSetting {
  readonly change: 'created' | 'updated' | 'same';
  readonly before: Setting | undefined;
  /** In its next version; that of `before` when nothing changes. */
  readonly after: Setting;
  /** Names of the fields that change; all that are not empty in a new one. */
  readonly changed: readonly string[];
}

/** A fault of the given entry at `index`. */
export type IndexedSettingError = SettingError & { readonly index: number };

/** What becomes of the given entries, in their order; or why not. */
export type SettingsPlan =
  | { readonly kind: 'planned'; readonly entries: readonly PlannedSetting[] }
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedSettingError[] };

const idOf = ({ Id }: Entry): number => (typeof Id === 'number' ? Id : 0);

/** By what an entry is told from the others of its kind. */
function identity(kind: SettingKind, entry: Entry): string {
  const { name, scope } = settingRules[kind];
  return JSON.stringify([scope?.(entry) ?? null, fold(String(entry[name] ?? '').trim())]);
}

/** Finds the stored entry that a given one means: by Id, else by name. */
function finder(kind: SettingKind, stored: readonly Setting[]): (entryInput: Entry) => Setting | undefined {
  const byId = new Map(stored.map((setting) => [setting.Id, setting]));
  const byName = new Map(stored.map((setting) => [identity(kind, completeEntry(kind, setting.Value)), setting]));
  return (entryInput) =>
    idOf(entryInput) ? byId.get(idOf(entryInput)) : byName.get(identity(kind, completeEntry(kind, entryInput)));
}

/** How many campaign ids a plan will take. */
export function campaignsToCreate(stored: readonly Setting[], entryInput: readonly Entry[]): number {
  const find = finder('Channel', stored);
  return entryInput.reduce((sum, entry) => sum + campaignIdsFor(find(entry)?.Value ?? {}, entry), 0);
}

/** What is wrong with an entry among all those there will be. */
function faultFinder(kind: SettingKind, all: ReadonlyMap<number, Entry>): (id: number, entry: Entry) => SettingError[] {
  const { name, what, errors } = settingRules[kind];
  const bearers = Map.groupBy(all.keys(), (id) => identity(kind, all.get(id) ?? {}));
  return (id, entry) => {
    const twins = bearers.get(identity(kind, entry)) ?? [];
    const large = kind === 'Channel' && jsonByteLength(entry) > MAX_CHANNEL_BYTES;
    return [
      ...(entry[name] === '' ? [{ field: name, message: 'is required' }] : []),
      ...(twins.length > 1 ? [{ field: name, message: `is that of another ${what}` }] : []),
      ...(large
        ? [
            {
              field: 'Campaigns',
              message: `are too many: a channel with its campaigns holds ${MAX_CHANNEL_BYTES} bytes`,
            },
          ]
        : []),
      ...(errors?.(
        entry,
        [...all].flatMap(([other, value]) => (other === id ? [] : [value])),
      ) ?? []),
    ];
  };
}

function planEntry(
  kind: SettingKind,
  before: Setting | undefined,
  newId: number,
  entryInput: Entry,
  campaignIds: readonly number[],
) {
  const Id = before?.Id ?? newId;
  const was = completeEntry(kind, before?.Value ?? { Id });
  const { entry: Value, errors } = applyEntryInput(kind, was, entryInput, campaignIds);
  const changed = Object.keys(Value).filter((field) => field !== 'Id' && !isEqual(Value[field], was[field]));
  const change = before ? (changed.length ? 'updated' : 'same') : 'created';
  const after: Setting = { Kind: kind, Id, V: (before?.V ?? 0) + (change === 'same' ? 0 : 1), Value };
  return { planned: { change, before, after, changed } as const, errors };
}

/**
 * Plans the upsert of entries of one kind by Id, else by name; those not named stay. New entries get the next ids. Planned again on its own result,
 * every entry is the same. `campaignIds`: as many as `campaignsToMake` says.
 */
export function planSettings(
  kind: SettingKind,
  stored: readonly Setting[],
  entryInput: readonly Entry[],
  campaignIds: readonly number[] = [],
): SettingsPlan {
  const { what } = settingRules[kind];
  const after = new Map(stored.map(({ Id, Value }): [number, Entry] => [Id, completeEntry(kind, Value)]));
  const free = [...campaignIds];
  const planned = new Map<number, PlannedSetting>();
  const errors: IndexedSettingError[] = [];
  const find = finder(kind, stored);
  const taken = new Set<Setting>();
  let lastId = Math.max(0, ...stored.map(({ Id }) => Id));
  for (const [index, input] of entryInput.entries()) {
    const before = find(input);
    if (!before && idOf(input)) errors.push({ index, field: 'Id', message: `there is no ${what} ${idOf(input)}` });
    else if (before && taken.has(before))
      errors.push({ index, field: settingRules[kind].name, message: `${what} ${before.Id} is given twice` });
    else {
      if (before) taken.add(before);
      const ids = free.splice(0, campaignIdsFor(before?.Value ?? {}, input));
      const result = planEntry(kind, before, before ? 0 : ++lastId, input, ids);
      planned.set(index, result.planned);
      after.set(result.planned.after.Id, result.planned.after.Value);
      errors.push(...result.errors.map((fault) => ({ index, ...fault })));
    }
  }
  const faultsOf = faultFinder(kind, after);
  for (const [
    index,
    {
      after: { Id, Value },
    },
  ] of planned)
    errors.push(...faultsOf(Id, Value).map((fault) => ({ index, ...fault })));
  if (after.size > MAX_ENTRIES)
    errors.push({
      index: entryInput.length - 1,
      field: '',
      message: `is one too many: there may be ${MAX_ENTRIES} of a ${what}`,
    });
  return errors.length ? { kind: 'invalid', errors } : { kind: 'planned', entries: [...planned.values()] };
}
