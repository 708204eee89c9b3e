import { NamedTaxRate } from '../entities/tax-rates.ts';
import { IdName } from '../resources/addresses.ts';
import { CancelReason } from '../resources/appointments.ts';
import { type Campaign, Channel } from '../resources/channels.ts';
import { CustomField, type CustomFieldOption } from '../resources/custom-fields.ts';
import { type Resource, emptyOf } from '../resources/fields.ts';
import { add } from '../shared/money.ts';
import { isEqual, jsonByteLength } from '../shared/objects.ts';
import { type FieldError, type IndexedError, collectErrors } from '../shared/failure.ts';
import { fold, formatBytes } from '../shared/text/text.ts';
import { type CampaignInput, MAX_CHANNEL_BYTES, applyCampaignInputs, countNewCampaigns } from './campaigns.ts';
import { isFormulaName } from './formula-names.ts';
import { LIST_LIMITS, describeLimit, exceedsLimit } from './list-limits.ts';

/** The small lists of an account, and the resource of their entries. */
export interface SettingValues {
  readonly CancelReason: CancelReason;
  readonly TaskCategory: IdName;
  readonly LeadSourceCategory: Channel;
  readonly Feature: IdName;
  readonly NamedTaxRate: NamedTaxRate;
  readonly Channel: Channel;
  readonly CustomField: CustomField;
}
export type SettingKind = keyof SettingValues;

/** The resource of an entry of any kind. */
export type Entry = Readonly<Record<string, unknown>>;

/** A stored entry and its version `V` (0 if stored before versions existed). */
export interface Setting<Value = Entry> {
  readonly Kind: SettingKind;
  readonly Id: number;
  readonly V: number;
  readonly Value: Value;
}

interface SettingRule {
  readonly noun: string;
  /** The field that must be unique, ignoring case. */
  readonly name: 'Name' | 'Reason';
  /** Names only need to be unique among entries with the same scope. */
  readonly scope?: (entry: Entry) => unknown;
  readonly resource: Resource;
  readonly errors?: (entry: Entry, others: readonly Entry[]) => FieldError[];
}

/** Names that are defined in every formula. */
const FORMULA_NAMES = ['quantity', 'base', 'unit'];
const DROPDOWN = 4;
const CHECKBOX_LIST = 5;
const optionKey = ({ Value, Label }: Partial<CustomFieldOption>): string => Value || Label || '';

function customFieldErrors(entry: Entry, others: readonly Entry[]): FieldError[] {
  const { Shortcode, Options, Type } = entry as CustomField;
  const key = Shortcode.toLowerCase();
  const isTaken =
    Shortcode && (others as readonly CustomField[]).some((other) => other.Shortcode.toLowerCase() === key);
  const isInFormulas = Type === 1 && Shortcode !== '';
  return collectErrors(
    ['Shortcode', isTaken && `${Shortcode} is used by another custom field`, 'duplicate'],
    [
      'Shortcode',
      isInFormulas &&
        !isFormulaName(Shortcode) &&
        'must be letters, digits and _, and not start with a digit, because formulas read the field by it',
      'format',
    ],
    [
      'Shortcode',
      isInFormulas &&
        FORMULA_NAMES.includes(key) &&
        `must not be ${FORMULA_NAMES.join(', ')}: these have a meaning in formulas`,
      'unknown_value',
    ],
    [
      'Options',
      [DROPDOWN, CHECKBOX_LIST].includes(Type) && !Options.length && 'must hold at least one option',
      'required',
    ],
    ['Options', Options.some((option) => !optionKey(option)) && 'must each have a Label or a Value', 'required'],
    ['Options', new Set(Options.map(optionKey)).size < Options.length && 'must differ from each other', 'duplicate'],
  );
}

const isPercentage = (rate: unknown): boolean => typeof rate === 'number' && rate >= 0 && rate <= 100;

function taxRateErrors(entry: Entry): FieldError[] {
  const { TaxRate, Parts } = entry as unknown as NamedTaxRate;
  const total = add(...Parts.map((part) => part.TaxRate));
  return collectErrors(
    ['TaxRate', !isPercentage(TaxRate) && 'must be a percentage from 0 to 100', 'range'],
    [
      'Parts',
      !Parts.every((part) => part.Name.trim() && isPercentage(part.TaxRate)) && 'must each have a Name and a TaxRate',
      'required',
    ],
    ['TaxRate', Parts.length > 0 && total !== TaxRate && `must be ${total}, the sum of its parts`, 'mismatch'],
  );
}

export const settingRules: Readonly<Record<SettingKind, SettingRule>> = {
  CancelReason: { noun: 'cancel reason', name: 'Reason', resource: CancelReason },
  TaskCategory: { noun: 'task category', name: 'Name', resource: IdName },
  LeadSourceCategory: { noun: 'lead source category', name: 'Name', resource: Channel },
  Feature: { noun: 'feature', name: 'Name', resource: IdName },
  NamedTaxRate: { noun: 'tax rate', name: 'Name', resource: NamedTaxRate, errors: taxRateErrors },
  Channel: { noun: 'channel', name: 'Name', resource: Channel },
  CustomField: {
    noun: 'custom field',
    name: 'Name',
    scope: ({ TableType }) => TableType,
    resource: CustomField,
    errors: customFieldErrors,
  },
};

/** The complete resource of an entry, which may be stored with only some of its fields. */
export const completeEntry = <Kind extends SettingKind>(kind: Kind, entry: Entry): SettingValues[Kind] & Entry =>
  ({ ...emptyOf(settingRules[kind].resource), ...entry }) as SettingValues[Kind] & Entry;

const campaignInputs = (entry: Entry) => (entry['Campaigns'] ?? []) as CampaignInput[];
const countCampaignIds = (before: Entry, input: Entry): number =>
  countNewCampaigns((before['Campaigns'] ?? []) as Campaign[], campaignInputs(input));

/** Options keep their ids by Value or Label; new ones get the next ids. */
function numberOptions(
  before: readonly CustomFieldOption[],
  inputs: readonly Partial<CustomFieldOption>[],
): CustomFieldOption[] {
  const ids = new Map(before.map((option) => [optionKey(option), option.Id]));
  let lastId = Math.max(0, ...[...before, ...inputs].map(({ Id }) => Id ?? 0));
  return inputs.map((option) => ({
    Id: option.Id ?? ids.get(optionKey(option)) ?? ++lastId,
    Label: option.Label ?? '',
    Value: option.Value ?? '',
  }));
}

/** Fields that are applied separately. The Value of a custom field belongs to the records that have the field. */
const APART = new Set(['Id', 'Value', 'Campaigns', 'Options']);

/** Applies an input: absent fields stay, `null` clears, campaigns are merged individually, options are replaced. */
function applyEntryInput(
  kind: SettingKind,
  before: Entry,
  input: Entry,
  campaignIds: readonly number[],
): { entry: Entry; errors: FieldError[] } {
  const { name, resource } = settingRules[kind];
  const blank: Entry = emptyOf(resource);
  const fields = Object.keys(blank).filter((field) => !APART.has(field) && input[field] !== undefined);
  const toValue = (field: string) => {
    const value = input[field] ?? blank[field];
    return field === name ? String(value).trim() : value;
  };
  const entry = { ...before, ...Object.fromEntries(fields.map((field) => [field, toValue(field)])) };
  if (kind === 'CustomField' && input['Options'] !== undefined) {
    const options = (input['Options'] ?? []) as CustomFieldOption[];
    return {
      entry: { ...entry, Options: numberOptions(before['Options'] as CustomFieldOption[], options) },
      errors: [],
    };
  }
  if (kind !== 'Channel') return { entry, errors: [] };
  const { campaigns, errors } = applyCampaignInputs(
    before['Campaigns'] as Campaign[],
    campaignInputs(input),
    campaignIds,
  );
  return { entry: { ...entry, Campaigns: campaigns }, errors };
}

export interface PlannedSetting {
  readonly change: 'created' | 'updated' | 'same';
  readonly before: Setting | undefined;
  /** Has the next version, or the version of `before` if nothing changes. */
  readonly after: Setting;
  /** The names of changed fields; for a new entry, of those that are not empty. */
  readonly changed: readonly string[];
}

type SettingsPlan =
  | { readonly kind: 'planned'; readonly entries: readonly PlannedSetting[] }
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedError[] };

const entryId = ({ Id }: Entry): number => (typeof Id === 'number' ? Id : 0);

/** What must be unique among the entries of a kind: scope and folded name. */
function identityOf(kind: SettingKind, entry: Entry): string {
  const { name, scope } = settingRules[kind];
  return JSON.stringify([scope?.(entry) ?? null, fold(String(entry[name] ?? '').trim())]);
}

/** Finds the stored entry of an input: by Id, else by name. */
function entryFinder(kind: SettingKind, stored: readonly Setting[]): (input: Entry) => Setting | undefined {
  const byId = new Map(stored.map((setting) => [setting.Id, setting]));
  const byName = new Map(stored.map((setting) => [identityOf(kind, completeEntry(kind, setting.Value)), setting]));
  return (input) =>
    entryId(input) ? byId.get(entryId(input)) : byName.get(identityOf(kind, completeEntry(kind, input)));
}

/** How many campaign ids a plan of channels requires. */
export function campaignsToCreate(stored: readonly Setting[], inputs: readonly Entry[]): number {
  const find = entryFinder('Channel', stored);
  return inputs.reduce((sum, input) => sum + countCampaignIds(find(input)?.Value ?? {}, input), 0);
}

/** Checks an entry against all entries of its kind, by id. */
function entryChecker(kind: SettingKind, all: ReadonlyMap<number, Entry>): (id: number, entry: Entry) => FieldError[] {
  const { name, noun, errors } = settingRules[kind];
  const idsByIdentity = Map.groupBy(all.keys(), (id) => identityOf(kind, all.get(id) ?? {}));
  return (id, entry) => {
    const sameName = idsByIdentity.get(identityOf(kind, entry)) ?? [];
    const isTooLarge = kind === 'Channel' && jsonByteLength(entry) > MAX_CHANNEL_BYTES;
    const others = () => [...all].flatMap(([other, value]) => (other === id ? [] : [value]));
    return [
      ...collectErrors(
        [name, entry[name] === '' && 'is required', 'required'],
        [name, sameName.length > 1 && `is used by another ${noun}`, 'duplicate'],
        [
          'Campaigns',
          isTooLarge && `are too many: a channel has at most ${formatBytes(MAX_CHANNEL_BYTES)}`,
          'too_long',
        ],
      ),
      ...(errors?.(entry, others()) ?? []),
    ];
  };
}

function planEntry(
  kind: SettingKind,
  before: Setting | undefined,
  Id: number,
  input: Entry,
  campaignIds: readonly number[],
): { planned: PlannedSetting; errors: readonly FieldError[] } {
  const previous: Entry = completeEntry(kind, before?.Value ?? { Id });
  const { entry: Value, errors } = applyEntryInput(kind, previous, input, campaignIds);
  const changed = Object.keys(Value).filter((field) => field !== 'Id' && !isEqual(Value[field], previous[field]));
  const change = before ? (changed.length ? 'updated' : 'same') : 'created';
  const after: Setting = { Kind: kind, Id, V: (before?.V ?? 0) + (change === 'same' ? 0 : 1), Value };
  return { planned: { change, before, after, changed }, errors };
}

/**
 * Plans the upsert of entries of one kind by Id, else by name; all others stay. New entries get the next ids. Planning
 * again on the result changes nothing. `campaignIds` must be as many as `campaignsToCreate` counts.
 */
export function planSettings(
  kind: SettingKind,
  stored: readonly Setting[],
  inputs: readonly Entry[],
  campaignIds: readonly number[] = [],
): SettingsPlan {
  const { noun, name } = settingRules[kind];
  const all = new Map(stored.map(({ Id, Value }): [number, Entry] => [Id, completeEntry(kind, Value)]));
  const freeIds = [...campaignIds];
  const planned = new Map<number, PlannedSetting>();
  const errors: IndexedError[] = [];
  const find = entryFinder(kind, stored);
  const found = new Set<Setting>();
  let lastId = Math.max(0, ...stored.map(({ Id }) => Id));
  for (const [index, input] of inputs.entries()) {
    const before = find(input);
    if (!before && entryId(input)) {
      errors.push({ index, field: 'Id', code: 'not_found', message: `must be the Id of an existing ${noun}` });
    } else if (before && found.has(before)) {
      errors.push({ index, field: name, code: 'duplicate', message: `repeats ${noun} ${before.Id}` });
    } else {
      if (before) found.add(before);
      const ids = freeIds.splice(0, countCampaignIds(before?.Value ?? {}, input));
      const result = planEntry(kind, before, before?.Id ?? ++lastId, input, ids);
      planned.set(index, result.planned);
      all.set(result.planned.after.Id, result.planned.after.Value);
      errors.push(...result.errors.map((error) => ({ index, ...error })));
    }
  }
  const check = entryChecker(kind, all);
  for (const [index, { after }] of planned)
    errors.push(...check(after.Id, after.Value).map((error) => ({ index, ...error })));
  const limit = kind === 'Channel' ? LIST_LIMITS.channels : LIST_LIMITS.settings;
  const storedEntries = stored.map(({ Value }) => completeEntry(kind, Value));
  if (exceedsLimit(limit, storedEntries, all.values())) {
    const message = `exceeds the limit of ${noun} entries in an account: ${describeLimit(limit)}`;
    errors.push({ index: inputs.length - 1, field: '', code: 'limit', message });
  }
  return errors.length ? { kind: 'invalid', errors } : { kind: 'planned', entries: [...planned.values()] };
}
