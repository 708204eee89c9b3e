import { alike } from '../alike.ts';
import { MOST_CHANNEL_BYTES } from '../campaigns/figures.ts';
import { bytesOf } from '../sizes.ts';
import { fold } from '../words.ts';
import { completeEntry, settingRules, type Entry, type Fault, type Setting, type SettingKind } from './kinds.ts';
import { campaignIdsFor, mergeEntry } from './merge.ts';

/** Most entries of one kind. */
const MOST_ENTRIES = 1_000;

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
export type SettingFault = Fault & { readonly index: number };

/** What becomes of the given entries, in their order; or why not. */
export type SettingsPlan =
  | { readonly kind: 'planned'; readonly entries: readonly PlannedSetting[] }
  | { readonly kind: 'faulty'; readonly faults: readonly SettingFault[] };

const idOf = ({ Id }: Entry): number => (typeof Id === 'number' ? Id : 0);

/** By what an entry is told from the others of its kind. */
function identity(kind: SettingKind, entry: Entry): string {
  const { name, scope } = settingRules[kind];
  return JSON.stringify([scope?.(entry) ?? null, fold(String(entry[name] ?? '').trim())]);
}

/** Finds the stored entry that a given one means: by Id, else by name. */
function finder(kind: SettingKind, stored: readonly Setting[]): (given: Entry) => Setting | undefined {
  const byId = new Map(stored.map((setting) => [setting.Id, setting]));
  const byName = new Map(stored.map((setting) => [identity(kind, completeEntry(kind, setting.Value)), setting]));
  return (given) => (idOf(given) ? byId.get(idOf(given)) : byName.get(identity(kind, completeEntry(kind, given))));
}

/** How many campaign ids a plan will take. */
export function campaignsToMake(stored: readonly Setting[], given: readonly Entry[]): number {
  const find = finder('Channel', stored);
  return given.reduce((sum, entry) => sum + campaignIdsFor(find(entry)?.Value ?? {}, entry), 0);
}

/** What is wrong with an entry among all those there will be. */
function faultFinder(kind: SettingKind, all: ReadonlyMap<number, Entry>): (id: number, entry: Entry) => Fault[] {
  const { name, what, faults } = settingRules[kind];
  const bearers = Map.groupBy(all.keys(), (id) => identity(kind, all.get(id) ?? {}));
  return (id, entry) => {
    const twins = bearers.get(identity(kind, entry)) ?? [];
    const large = kind === 'Channel' && bytesOf(entry) > MOST_CHANNEL_BYTES;
    return [
      ...(entry[name] === '' ? [{ field: name, message: 'is required' }] : []),
      ...(twins.length > 1 ? [{ field: name, message: `is that of another ${what}` }] : []),
      ...(large ? [{ field: 'Campaigns', message: `are too many: a channel with its campaigns holds ${MOST_CHANNEL_BYTES} bytes` }] : []),
      ...(faults?.(entry, [...all].flatMap(([other, value]) => (other === id ? [] : [value]))) ?? []),
    ];
  };
}

function planEntry(kind: SettingKind, before: Setting | undefined, newId: number, given: Entry, campaignIds: readonly number[]) {
  const Id = before?.Id ?? newId;
  const was = completeEntry(kind, before?.Value ?? { Id });
  const { entry: Value, faults } = mergeEntry(kind, was, given, campaignIds);
  const changed = Object.keys(Value).filter((field) => field !== 'Id' && !alike(Value[field], was[field]));
  const change = before ? (changed.length ? 'updated' : 'same') : 'created';
  const after: Setting = { Kind: kind, Id, V: (before?.V ?? 0) + (change === 'same' ? 0 : 1), Value };
  return { planned: { change, before, after, changed } as const, faults };
}

/**
 * Plans the upsert of entries of one kind by Id, else by name; those not named stay. New entries get the next ids. Planned again on its own result,
 * every entry is the same. `campaignIds`: as many as `campaignsToMake` says.
 */
export function planSettings(kind: SettingKind, stored: readonly Setting[], given: readonly Entry[], campaignIds: readonly number[] = []): SettingsPlan {
  const { what } = settingRules[kind];
  const after = new Map(stored.map(({ Id, Value }): [number, Entry] => [Id, completeEntry(kind, Value)]));
  const free = [...campaignIds];
  const planned = new Map<number, PlannedSetting>();
  const faults: SettingFault[] = [];
  const find = finder(kind, stored);
  const taken = new Set<Setting>();
  let lastId = Math.max(0, ...stored.map(({ Id }) => Id));
  for (const [index, input] of given.entries()) {
    const before = find(input);
    if (!before && idOf(input)) faults.push({ index, field: 'Id', message: `there is no ${what} ${idOf(input)}` });
    else if (before && taken.has(before)) faults.push({ index, field: settingRules[kind].name, message: `${what} ${before.Id} is given twice` });
    else {
      if (before) taken.add(before);
      const ids = free.splice(0, campaignIdsFor(before?.Value ?? {}, input));
      const result = planEntry(kind, before, before ? 0 : ++lastId, input, ids);
      planned.set(index, result.planned);
      after.set(result.planned.after.Id, result.planned.after.Value);
      faults.push(...result.faults.map((fault) => ({ index, ...fault })));
    }
  }
  const faultsOf = faultFinder(kind, after);
  for (const [index, { after: { Id, Value } }] of planned) faults.push(...faultsOf(Id, Value).map((fault) => ({ index, ...fault })));
  if (after.size > MOST_ENTRIES) faults.push({ index: given.length - 1, field: '', message: `is one too many: there may be ${MOST_ENTRIES} of a ${what}` });
  return faults.length ? { kind: 'faulty', faults } : { kind: 'planned', entries: [...planned.values()] };
}
