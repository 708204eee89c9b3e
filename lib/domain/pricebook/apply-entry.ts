import type { PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { BrandingRevenueCategory } from '../../resources/pricing.ts';
import type { Input } from '../../resources/resource.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { toUtc } from '../../shared/format-moments.ts';
import { parseMoment, parseRangeEnd } from '../../shared/read-moments.ts';
import { fold } from '../../shared/text.ts';
import type { PartCategories } from './categories.ts';
import { checkFormula } from './checks.ts';
import type { BookKind, BookRecord, PriceBook } from './record.ts';
import {
  type EntryInput,
  type Identified,
  type Ids,
  type References,
  customFieldReferences,
  identify,
  namesAfter,
} from './references.ts';
import type { BookIdKind, BookInput, PlanScope } from './types.ts';

/** What an entry of each kind is. */
export interface BookEntry {
  readonly services: ServiceEntry;
  readonly parts: PartEntry;
  readonly partTemplates: Input<typeof PartTemplate>;
  readonly dimensions: DimensionEntry;
  readonly revenueCategories: Input<typeof BrandingRevenueCategory>;
  readonly proposalTemplates: ProposalTemplateEntry;
}

/** The entries of each kind with the thing that each speaks of. */
export type AppliedEntries = { readonly [Kind in BookKind]: readonly Identified<BookEntry[Kind], BookRecord<Kind>>[] };

/** How a kind is called: in sentences, in faults, among ids; and the field of its name. */
export const KINDS: {
  readonly [Kind in BookKind]: { what: string; list: string; idKind: BookIdKind; name: 'Name' | 'OptionName' };
} = {
  services: { what: 'service', list: 'Services', idKind: 'Service', name: 'Name' },
  parts: { what: 'part', list: 'Parts', idKind: 'Part', name: 'Name' },
  partTemplates: { what: 'part template', list: 'PartTemplates', idKind: 'PartTemplate', name: 'OptionName' },
  dimensions: { what: 'dimension', list: 'Dimensions', idKind: 'Dimension', name: 'Name' },
  revenueCategories: {
    what: 'branding revenue category',
    list: 'BrandingRevenueCategories',
    idKind: 'BrandingRevenueCategory',
    name: 'Name',
  },
  proposalTemplates: { what: 'proposal template', list: 'ProposalTemplates', idKind: 'ProposalTemplate', name: 'Name' },
};

/** The name of a thing or of an entry. */
export const entryName = (kind: BookKind, of: object): string =>
  String((of as Record<string, unknown>)[KINDS[kind].name] ?? '');
const nameSaidIn = (kind: BookKind, of: object) => (of as Record<string, string | null | undefined>)[KINDS[kind].name];

/** The field in which a service brings its parts: typed clients of the detailed variant have another name for it. */
export const partsField = (entry: ServiceEntry): 'AvailableParts' | 'AllAvailableParts' =>
  entry.AvailableParts?.length ? 'AvailableParts' : 'AllAvailableParts';

const placed = <Entry>(entries: readonly Entry[] | null | undefined, list: string): EntryInput<Entry>[] =>
  (entries ?? []).map((entry, index) => ({ field: `${list}[${index}]`, entry }));

/** All entries: the parts that services bring stand among the parts. */
function entriesOf(input: BookInput): { [Kind in BookKind]: EntryInput<BookEntry[Kind]>[] } {
  const services = placed(input.services, 'Services');
  const brought = services.flatMap(({ field, entry }) =>
    placed<PartEntry>(entry[partsField(entry)], `${field}.${partsField(entry)}`),
  );
  return {
    services,
    parts: [...placed(input.parts, 'Parts'), ...brought],
    partTemplates: placed(input.partTemplates, 'PartTemplates'),
    dimensions: placed(input.dimensions, 'Dimensions'),
    revenueCategories: placed(input.revenueCategories, 'BrandingRevenueCategories'),
    proposalTemplates: placed(input.proposalTemplates, 'ProposalTemplates'),
  };
}

/** Whose a thing is: an organization's, or (`null`) the account's. */
export function entryOwner(kind: BookKind, record: object): number | null {
  const { OrganizationId } = record as { readonly OrganizationId?: number | null };
  return kind === 'services' || kind === 'proposalTemplates' ? OrganizationId || null : null;
}

/**
 * What of a kind can be spoken of, the nearest last: an organization's own things come after those of the account, so
 * that of two of one name they are meant; those of other organizations do not exist for it.
 */
function visible<Kind extends BookKind>(
  book: PriceBook,
  kind: Kind,
  organizationId: number | null,
): BookRecord<Kind>[] {
  const records = [...book[kind].values()] as BookRecord<Kind>[];
  const own = records.filter((record) => entryOwner(kind, record) === organizationId);
  if (organizationId === null) return [...records.filter((record) => entryOwner(kind, record) !== null), ...own];
  return [
    ...records.filter((record) => entryOwner(kind, record) === null),
    ...(kind === 'services' || kind === 'proposalTemplates' ? own : []),
  ];
}

/** Finds out what every entry speaks of, and what then can be named by others. */
export function applyEntries(
  book: PriceBook,
  input: BookInput,
  { scope, ids, categories }: { scope: PlanScope; ids: Ids; categories: PartCategories },
): { told: AppliedEntries; references: References; errors: FieldError[] } {
  const entries = entriesOf(input);
  const errors: FieldError[] = [];
  const { organizationId } = scope;

  function found<Kind extends BookKind>(kind: Kind): Identified<BookEntry[Kind], BookRecord<Kind>>[] {
    const seen = visible(book, kind, organizationId);
    const records = new Map(seen.map((record) => [record.Id, record]));
    const shared = kind !== 'services' && kind !== 'proposalTemplates';
    // By name an entry speaks of its owner's own: an organization's call that says no Id changes nothing for others.
    const named = seen.filter((record) => shared || entryOwner(kind, record) === organizationId);
    const names = new Map(named.map((record) => [fold(entryName(kind, record)), record.Id]));
    const { what, idKind, name } = KINDS[kind];
    const input = entries[kind] as EntryInput<BookEntry[Kind]>[];
    const result = identify(input, {
      what,
      ids,
      idKind,
      records,
      names,
      nameOf: (entry) => nameSaidIn(kind, entry),
      nameField: name,
    });
    errors.push(...result.errors);
    return result.found;
  }
  const told: AppliedEntries = {
    services: found('services'),
    parts: found('parts'),
    partTemplates: found('partTemplates'),
    dimensions: found('dimensions'),
    revenueCategories: found('revenueCategories'),
    proposalTemplates: found('proposalTemplates'),
  };

  function referable<Kind extends BookKind>(kind: Kind) {
    const records = visible(book, kind, organizationId);
    const nameable = records.filter((record) => [null, organizationId].includes(entryOwner(kind, record)));
    const said = told[kind] as readonly Identified<BookEntry[Kind], BookRecord<Kind>>[];
    const names = namesAfter(nameable, said, {
      said: (entry) => nameSaidIn(kind, entry),
      kept: (record) => entryName(kind, record),
    });
    return {
      what: KINDS[kind].what,
      ids: new Set([...records.map(({ Id }) => Id), ...said.map(({ id }) => id)]),
      names,
    };
  }
  const references: References = {
    services: referable('services'),
    parts: referable('parts'),
    partTemplates: referable('partTemplates'),
    dimensions: referable('dimensions'),
    revenueCategories: referable('revenueCategories'),
    proposalTemplates: referable('proposalTemplates'),
    customFields: customFieldReferences(scope.customFields),
    partCategories: {
      what: 'part category',
      ids: categories.ids,
      get names() {
        return categories.names;
      },
    },
  };
  return { told, references, errors };
}

/** What is said of a field: absent (`undefined`) leaves it, `null` clears it. */
type Said = Readonly<Record<string, unknown>>;

/** The other name by which a field is known in the other variant of a resource: kept name → other name. */
export type Aliases = Readonly<Record<string, string>>;

/** The name by which an entry says a field: the kept name, else its alias, else the kept name. */
export function nameInput(entry: object, name: string, aliases: Aliases): string {
  const alias = aliases[name];
  return (entry as Said)[name] === undefined && alias && (entry as Said)[alias] !== undefined ? alias : name;
}

/** `thing` with the fields `names` as an entry says them; what it clears is as in `blank`. Texts named so are trimmed. */
export function applyFields<Thing extends object>(
  record: Thing,
  entry: object,
  { names, blank, aliases = {} }: { names: readonly (keyof Thing & string)[]; blank: Thing; aliases?: Aliases },
): Thing {
  const changed: Record<string, unknown> = {};
  for (const name of names) {
    const value = (entry as Said)[nameInput(entry, name, aliases)];
    if (value === undefined) continue;
    changed[name] = value === null ? blank[name] : trimmed.has(name) ? (value as string).trim() : value;
  }
  return { ...record, ...changed };
}

/** Names and categories are compared, found and sorted; spaces around them are never meant. */
const trimmed: ReadonlySet<string> = new Set(['Name', 'Category', 'Group', 'OptionName', 'UnitOfMeasure']);

/** A moment as a thing keeps it: UTC; an `end` given as a date is the last second of that day. */
export function momentInput(
  text: string | null | undefined,
  before: string | null,
  { field, zone, end = false }: { field: string; zone: string; end?: boolean },
): { value: string | null; errors: FieldError[] } {
  if (text === undefined) return { value: before, errors: [] };
  if (!text) return { value: null, errors: [] };
  const read = end ? parseRangeEnd(text, zone) : parseMoment(text, zone);
  return read.ok
    ? { value: toUtc(read.at), errors: [] }
    : { value: before, errors: [{ field, message: `must be a date and time. ${read.reason}` }] };
}

/** What bands of services and quantity prices of parts have in common: they hold where AtLeast ≤ quantity < LessThan. */
export interface Band {
  readonly Id: number;
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
}

/** A thing has at most this many, so that it stays one item of the table and one screen of a person. */
const MAX_BANDS = 100;

/** Bands as an entry gives them, in its order: the given ones are all that there are then. */
export interface BandInputs<Of extends Band> {
  readonly input: readonly object[];
  readonly before: readonly Of[];
  readonly blank: Of;
  readonly kind: BookIdKind;
  readonly ids: Ids;
  /** Where they stand: `Services[2].PricingBands`. */
  readonly field: string;
  readonly names: ReadonlySet<string>;
}

const order = (one: Band, other: Band): number => one.AtLeast - other.AtLeast;
const decimals4 = (value: number): boolean => Number(value.toFixed(4)) === value;

/** Overlaps, each told of at the band that begins later: gaps are allowed, there the plain price holds. */
function overlaps(bands: readonly Band[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const sorted = bands.map((band, index) => ({ band, index })).sort((a, b) => order(a.band, b.band));
  let furthest: { readonly index: number; readonly end: number } | undefined;
  for (const { band, index } of sorted) {
    if (furthest && band.AtLeast < furthest.end) {
      const reach = furthest.end === Infinity ? 'has no end' : `goes to ${furthest.end}`;
      const message = `overlaps ${field}[${furthest.index}], which ${reach}`;
      errors.push({ field: `${field}[${index}].AtLeast`, message });
    }
    const end = band.LessThan ?? Infinity;
    if (!furthest || end > furthest.end) furthest = { index, end };
  }
  return errors;
}

/** What is wrong with bands, in the order given. */
function checkBands(bands: readonly Band[], field: string, names: ReadonlySet<string>): FieldError[] {
  const errors = bands.flatMap(({ AtLeast, LessThan, Price, Formula }, index): FieldError[] => {
    const at = `${field}[${index}]`;
    return [
      ...(AtLeast < 0 ? [{ field: `${at}.AtLeast`, message: 'must be at least 0' }] : []),
      ...(LessThan !== null && LessThan <= AtLeast
        ? [{ field: `${at}.LessThan`, message: `must be more than AtLeast, which is ${AtLeast}` }]
        : []),
      // The base variant says double, the detailed one decimal: what both can say is kept, so that both say the same.
      ...(decimals4(Price) ? [] : [{ field: `${at}.Price`, message: 'must have at most 4 decimals' }]),
      ...checkFormula(Formula, names, `${at}.Formula`),
    ];
  });
  const many = bands.length > MAX_BANDS ? [{ field, message: `must have at most ${MAX_BANDS} elements` }] : [];
  return [...many, ...errors, ...overlaps(bands, field)];
}

/**
 * The bands after an entry: a given one is one there is by Id, else by AtLeast, and keeps what is not said of it; or a
 * new one. In the order of AtLeast.
 */
export function applyBands<Of extends Band>(options: BandInputs<Of>): { bands: Of[]; errors: FieldError[] } {
  const { input, before, blank, kind, ids, field, names } = options;
  const errors: FieldError[] = [];
  const seen = new Map<number, number>();
  const said = Object.keys(blank).filter((name) => name !== 'Id') as (keyof Of & string)[];
  const bands = input.map((entry, index) => {
    const { Id, AtLeast } = entry as { Id?: number | null; AtLeast?: number | null };
    const known = Id
      ? before.find((band) => band.Id === Id)
      : before.find(
          (band) => band.AtLeast === (AtLeast ?? 0) && !input.some((other) => (other as Band).Id === band.Id),
        );
    if (Id && !known) errors.push({ field: `${field}[${index}].Id`, message: `is of no band here: there is no ${Id}` });
    const twin = known && seen.get(known.Id);
    if (Id && twin !== undefined)
      errors.push({ field: `${field}[${index}].Id`, message: `is also that of ${field}[${twin}]` });
    if (known) seen.set(known.Id, index);
    const of = known && twin === undefined ? known : { ...blank, Id: Id && !known ? Id : ids.take(kind) };
    return applyFields<Of>(of, entry, { names: said, blank });
  });
  return { bands: [...bands].sort(order), errors: [...errors, ...checkBands(bands, field, names)] };
}
