import { isEqual, omit } from '../../../lib/shared/objects.ts';
import { dateText, dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { type Entry, type FieldFormat, type RowKind, expandKey } from './entry-format.ts';
import { entryIdentities, entryName } from './section.ts';

/**
 * Takes back an import of an entry: restores the fields that differ before and after it, if they are still as the
 * import left them.
 */

/** What happens to an entry or a row in it. */
export interface Outcome {
  readonly Kind: string;
  readonly Name: string;
  /** `retired`: the import made it, and it is no longer used. `kept`: other records may name what the import made. */
  readonly kind: 'restored' | 'retired' | 'kept' | 'left';
  /** The fields that are set, or left. */
  readonly fields: readonly string[];
  /** Why fields are left. */
  readonly why: string;
}

export interface TakenBack {
  /** What an import sets, without what identifies the entry. */
  readonly fields: Entry;
  readonly outcomes: readonly Outcome[];
}

/** An entry as `export` writes it, or `undefined`. */
export interface Versions {
  readonly before: Entry | undefined;
  readonly after: Entry;
  readonly present: Entry | undefined;
}

const NOTHING: TakenBack = { fields: {}, outcomes: [] };

/** Fields that retire what an import made. */
const RETIRING = ['active', 'endDate', 'postalCodes'] as const;

const retiredValues = (today: string) => ({
  active: { value: false, isRetired: (value: unknown) => value === false },
  endDate: {
    value: dateText(dayNumber(today) - 1),
    isRetired: (value: unknown) => typeof value === 'string' && value < today,
  },
  postalCodes: { value: null, isRetired: (value: unknown) => value === undefined },
});

/** The identifying fields that the entry has. */
export const identifying = ({ format }: RowKind, entry: Entry): Entry =>
  Object.fromEntries(
    [format.keyField, 'email', 'slug', 'of'].flatMap((name) =>
      entry[name] === undefined ? [] : [[name, entry[name]]],
    ),
  );

/** Takes back what an import did to an entry. `today`: YYYY-MM-DD. */
export function takeBack(kind: RowKind, versions: Versions, today: string): TakenBack {
  const { before, after, present } = versions;
  const of = { Kind: kind.noun, Name: entryName(kind, after) };
  if (!present)
    return before
      ? { fields: {}, outcomes: [{ ...of, kind: 'left', fields: [], why: 'has another name now' }] }
      : NOTHING;
  const rows = takeRowsBack(kind, { before: before ?? {}, after, present }, today);
  const own = before ? restore(kind, { before, after, present }) : retire(kind, { after, present }, today);
  return {
    fields: { ...own.fields, ...rows.fields },
    outcomes: [...own.outcomes.map((each) => ({ ...of, ...each })), ...rows.outcomes],
  };
}

interface OwnTakenBack {
  readonly fields: Entry;
  readonly outcomes: readonly Omit<Outcome, 'Kind' | 'Name'>[];
}

const changedSince = (fields: readonly string[]): OwnTakenBack['outcomes'] =>
  fields.length ? [{ kind: 'left', fields, why: `was changed since: ${fields.join(', ')}` }] : [];

const set = (kind: 'restored' | 'retired', fields: Entry): OwnTakenBack['outcomes'] =>
  Object.keys(fields).length ? [{ kind, fields: Object.keys(fields), why: '' }] : [];

type PresentVersions = { readonly [Name in keyof Versions]: Entry };

/** The fields of an entry that existed before the import, without its rows. */
function restore({ format }: RowKind, { before, after, present }: PresentVersions): OwnTakenBack {
  const rows = format.rowKinds();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !rows.has(name));
  const fields: Record<string, unknown> = {};
  const changed: string[] = [];
  for (const name of names) {
    const [was, became, is] = [before[name], after[name], present[name]];
    if (isEqual(was, became) || isEqual(is, was)) continue;
    const field = format.fieldFormat(name);
    const { value, others } = field?.restoreKey
      ? restoreKeys(field.restoreKey, [was, became, is], name)
      : isEqual(is, became)
        ? { value: was ?? field?.absent ?? null, others: [] }
        : { value: undefined, others: [name] };
    if (value !== undefined) fields[name] = value;
    changed.push(...others);
  }
  return { fields, outcomes: [...set('restored', fields), ...changedSince(changed)] };
}

/** Restores the keys of a mapping one by one. */
function restoreKeys(
  restoreKey: NonNullable<FieldFormat['restoreKey']>,
  values: readonly unknown[],
  field: string,
): { value: Entry | undefined; others: string[] } {
  const [before = {}, after = {}, present = {}] = values as readonly (Entry | undefined)[];
  const value: Record<string, unknown> = {};
  const others: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, became, is] = [before[name], after[name], present[name]];
    if (isEqual(was, became) || isEqual(is, was)) continue;
    if (isEqual(is, became)) value[name] = restoreKey(was);
    else others.push(`${field}.${name}`);
  }
  return { value: Object.keys(value).length ? value : undefined, others };
}

/**
 * An entry that the import made stays, because other records may name it. If it has a field for that, it is retired so
 * that nobody can choose it any more, unless somebody has changed it since. Entries that a killed import did not reach
 * are not changes.
 */
function retire({ format }: RowKind, { after, present }: Omit<PresentVersions, 'before'>, today: string): OwnTakenBack {
  const retired = retiredValues(today);
  const own = RETIRING.filter((name) => format.fieldFormat(name));
  const open = own.filter((name) => !retired[name].isRetired(present[name]));
  const compared = Object.keys(omit(present, ...format.rowKinds().keys(), ...own));
  const changed = [...compared, ...open].filter((name) => !isEqual(present[name], after[name]));
  if (changed.length) return { fields: {}, outcomes: changedSince(changed) };
  const fields = Object.fromEntries(open.map((name) => [name, retired[name].value]));
  const isChosen = own.some((name) => name !== 'postalCodes');
  const kept: OwnTakenBack['outcomes'] = isChosen ? [] : [{ kind: 'kept', fields: [], why: '' }];
  return { fields, outcomes: [...set('retired', fields), ...kept] };
}

/** Rows of an entry are records of their own. */
function takeRowsBack({ format, ...of }: RowKind, versions: PresentVersions, today: string): TakenBack {
  const fields: Record<string, unknown> = {};
  const outcomes: Outcome[] = [];
  const owner = entryName({ format, ...of }, versions.after);
  for (const [name, kind] of format.rowKinds()) {
    const [before, after, present] = [versions.before, versions.after, versions.present].map((entry) =>
      rowsById(kind, entry[name]),
    );
    const changed = [...(after ?? [])].flatMap(([id, row]) => {
      if (isEqual(before?.get(id), row)) return [];
      const is = present?.get(id);
      const taken = takeBack(kind, { before: before?.get(id), after: row, present: is }, today);
      outcomes.push(...taken.outcomes.map((each) => ({ ...each, Name: `${each.Name} of ${owner}` })));
      return is && Object.keys(taken.fields).length ? [{ ...identifying(kind, is), ...taken.fields }] : [];
    });
    if (changed.length) fields[name] = changed;
  }
  return { fields, outcomes };
}

function rowsById(kind: RowKind, list: unknown): Map<string, Entry> {
  const rows = ((list ?? []) as readonly unknown[]).map((row) => expandKey(row, kind.format.keyField) as Entry);
  const identities = entryIdentities(kind, rows);
  return new Map(rows.map((row, index) => [identities[index] ?? '', row]));
}
