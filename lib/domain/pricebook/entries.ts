import type { PartRecord } from '../../entities/parts.ts';
import type { IdName } from '../../resources/addresses.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { FieldError } from '../../shared/failure.ts';
import { fold } from '../../shared/text/text.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { LIST_LIMITS, type ListLimit } from '../list-limits.ts';
import { EntryErrors, type NewIds, numericFields } from './apply-fields.ts';
import type { BookIdKind } from './id-kinds.ts';
import type { BookEntry, BookInput, BookKind, BookRecord, PriceBook } from './record.ts';

interface KindRules {
  readonly noun: string;
  /** The name of the list in error paths. */
  readonly list: string;
  readonly idKind: BookIdKind;
  readonly nameField: 'Name' | 'OptionName';
  /** For all records of one owner, which are read at once. */
  readonly limit: ListLimit;
  /** For an organization's records, if they are read together with the account's. */
  readonly ownLimit: ListLimit;
  /** Whether the byte limit applies to the records of all owners together, because they are read together. */
  readonly readTogether: boolean;
  /** Whether an organization may have records of its own; otherwise all belong to the account. */
  readonly owned: boolean;
}

const rules = (
  noun: string,
  list: string,
  idKind: BookIdKind,
  {
    nameField = 'Name',
    limit = LIST_LIMITS.bookEntries,
    ownLimit = limit,
    readTogether = false,
    owned = false,
  }: Partial<KindRules> = {},
): KindRules => ({ noun, list, idKind, nameField, limit, ownLimit, readTogether, owned });

export const KINDS: Readonly<Record<BookKind, KindRules>> = {
  services: rules('service', 'Services', 'Service', {
    limit: LIST_LIMITS.services,
    ownLimit: LIST_LIMITS.ownServices,
    owned: true,
  }),
  parts: rules('part', 'Parts', 'Part', { limit: LIST_LIMITS.parts }),
  partTemplates: rules('part template', 'PartTemplates', 'PartTemplate', { nameField: 'OptionName' }),
  dimensions: rules('dimension', 'Dimensions', 'Dimension'),
  revenueCategories: rules('branding revenue category', 'BrandingRevenueCategories', 'BrandingRevenueCategory'),
  proposalTemplates: rules('proposal template', 'ProposalTemplates', 'ProposalTemplate', {
    limit: LIST_LIMITS.proposalTemplates,
    readTogether: true,
    owned: true,
  }),
};

const entryName = (kind: BookKind, entry: object): string | null | undefined =>
  (entry as Record<string, string | null | undefined>)[KINDS[kind].nameField];

export const recordName = (kind: BookKind, record: object): string => entryName(kind, record) ?? '';

/** The organization that owns a record; `null` for the account. */
export const ownerOf = (kind: BookKind, record: object): number | null =>
  (KINDS[kind].owned && (record as { readonly OrganizationId?: number | null }).OrganizationId) || null;

/** An entry with its path in the input: `Services[2]`. */
interface LocatedEntry<Kind extends BookKind> {
  readonly path: string;
  readonly entry: BookEntry[Kind];
}

/** An entry and the record to which it is applied; `before` is undefined for a new record. */
export interface IdentifiedEntry<Kind extends BookKind> extends LocatedEntry<Kind> {
  readonly id: number;
  readonly before: BookRecord<Kind> | undefined;
}
export type IdentifiedEntries = { readonly [Kind in BookKind]: readonly IdentifiedEntry<Kind>[] };

/** The field with a service's parts, which the base and detailed variants name differently. */
export const partsField = (entry: ServiceEntry): 'AvailableParts' | 'AllAvailableParts' =>
  entry.AvailableParts?.length ? 'AvailableParts' : 'AllAvailableParts';

/**
 * Finds the record of every entry: by Id, else by name, ignoring case and accents. Other entries are new records;
 * entries with the same new name are one record. The parts within services are among the parts.
 */
export function identifyEntries(
  book: PriceBook,
  input: BookInput,
  { organizationId, ids, errors }: { organizationId: number | null; ids: NewIds; errors: FieldError[] },
): IdentifiedEntries {
  function locate<Kind extends BookKind>(
    entries: readonly BookEntry[Kind][] | null | undefined,
    list: string,
  ): LocatedEntry<Kind>[] {
    return (entries ?? []).map((entry, index) => ({ path: `${list}[${index}]`, entry }));
  }

  function identify<Kind extends BookKind>(
    kind: Kind,
    entries: readonly LocatedEntry<Kind>[],
  ): IdentifiedEntry<Kind>[] {
    const { noun, idKind, nameField, owned } = KINDS[kind];
    const visible = visibleRecords(book, kind, organizationId);
    const records = new Map(visible.map((record) => [record.Id, record]));
    // By name, an organization means only its own records: without an Id it cannot change anything for others.
    const nameable = visible.filter((record) => !owned || ownerOf(kind, record) === organizationId);
    const idByName = new Map(nameable.map((record) => [fold(recordName(kind, record)), record.Id]));
    return entries.flatMap(({ path, entry }) => {
      const own = new EntryErrors(path, errors);
      if (entry.Id) {
        const before = records.get(entry.Id);
        own.add('Id', !before && `names an unknown ${noun}: ${entry.Id}`, 'not_found');
        return before ? [{ path, entry, id: entry.Id, before }] : [];
      }
      const name = fold(entryName(kind, entry)?.trim() ?? '');
      own.add(nameField, !name && 'is required, or Id', 'required');
      if (!name) return [];
      const id = idByName.get(name) ?? ids.take(idKind);
      idByName.set(name, id);
      return [{ path, entry, id, before: records.get(id) }];
    });
  }

  const services = locate<'services'>(input.services, 'Services');
  const serviceParts = services.flatMap(({ path, entry }) =>
    locate<'parts'>(entry[partsField(entry)], `${path}.${partsField(entry)}`),
  );
  const listed = <Kind extends BookKind>(kind: Kind) => locate<Kind>(input[kind], KINDS[kind].list);
  return {
    services: identify('services', services),
    parts: identify('parts', [...listed('parts'), ...serviceParts]),
    partTemplates: identify('partTemplates', listed('partTemplates')),
    dimensions: identify('dimensions', listed('dimensions')),
    revenueCategories: identify('revenueCategories', listed('revenueCategories')),
    proposalTemplates: identify('proposalTemplates', listed('proposalTemplates')),
  };
}

/** The records that exist for an organization, the nearest last: with equal names the later one is meant. */
function visibleRecords<Kind extends BookKind>(
  book: PriceBook,
  kind: Kind,
  organizationId: number | null,
): BookRecord<Kind>[] {
  const records = [...book[kind].values()] as BookRecord<Kind>[];
  const shared = records.filter((record) => ownerOf(kind, record) === null);
  if (organizationId === null) return [...records.filter((record) => ownerOf(kind, record) !== null), ...shared];
  return [...shared, ...records.filter((record) => ownerOf(kind, record) === organizationId)];
}

/** What entries may refer to: by id, or by folded name. */
export interface Referable {
  readonly noun: string;
  readonly ids: { has(id: number): boolean };
  readonly names: ReadonlyMap<string, number>;
  /** The names as written, for suggestions. */
  spellings(): Iterable<string>;
}
export type References = Readonly<Record<BookKind | 'customFields' | 'partCategories', Referable>>;

/** What entries may refer to once all are applied. */
export function bookReferences(
  book: PriceBook,
  entries: IdentifiedEntries,
  { organizationId, customFields }: { organizationId: number | null; customFields: readonly CustomField[] },
  partCategories: PartCategories,
): References {
  function referable<Kind extends BookKind>(kind: Kind): Referable {
    const records = visibleRecords(book, kind, organizationId);
    const nameable = records.filter((record) => [null, organizationId].includes(ownerOf(kind, record)));
    const names = new Map(nameable.map((record) => [fold(recordName(kind, record)), record.Id]));
    for (const { entry, id, before } of entries[kind]) {
      const name = fold((entryName(kind, entry) ?? (before ? recordName(kind, before) : '')).trim());
      if (name && (!names.has(name) || !before)) names.set(name, id);
    }
    const ids = new Set([...records.map(({ Id }) => Id), ...entries[kind].map(({ id }) => id)]);
    const spellings = () => [
      ...nameable.map((record) => recordName(kind, record)),
      ...entries[kind].flatMap(({ entry }) => entryName(kind, entry)?.trim() || []),
    ];
    return { noun: KINDS[kind].noun, ids, names, spellings };
  }
  return {
    services: referable('services'),
    parts: referable('parts'),
    partTemplates: referable('partTemplates'),
    dimensions: referable('dimensions'),
    revenueCategories: referable('revenueCategories'),
    proposalTemplates: referable('proposalTemplates'),
    customFields: customFieldReferences(customFields),
    partCategories,
  };
}

/** Numeric custom fields by shortcode, else by name: only a number can override a number. */
function customFieldReferences(customFields: readonly CustomField[]): Referable {
  const numeric = numericFields(customFields);
  const names = new Map<string, number>();
  for (const { Id, Name } of numeric) names.set(fold(Name), Id);
  for (const { Id, Shortcode } of numeric) if (Shortcode) names.set(fold(Shortcode), Id);
  const spellings = () => numeric.flatMap(({ Name, Shortcode }) => [Name, Shortcode].filter(Boolean));
  return { noun: 'custom field of type Number', ids: new Set(numeric.map(({ Id }) => Id)), names, spellings };
}

/** The most errors of a request that suggest a name; each search takes up to 2 ms. */
const MAX_HINTS = 20;

/** A field of an entry with its value. */
type FieldValue<Value> = readonly [field: string, value: Value | null | undefined];

/** The id that an entry refers to, by id before name: `undefined` if it does not refer to any, `null` if it clears. */
export function resolveReference(
  referable: Referable,
  errors: EntryErrors,
  [idField, id]: FieldValue<number>,
  [nameField, name]: FieldValue<string>,
): number | null | undefined {
  const { noun, ids, names } = referable;
  if (id) {
    errors.add(idField, !ids.has(id) && `names an unknown ${noun}: ${id}`, 'not_found');
    return id;
  }
  const trimmed = name?.trim();
  if (trimmed) {
    const found = names.get(fold(trimmed));
    if (found !== undefined) return found;
    const hint = errors.count < MAX_HINTS ? didYouMean(trimmed, referable.spellings()) : '';
    errors.add(nameField, `names an unknown ${noun}: ${trimmed}${hint && `. ${hint}`}`, 'not_found');
    return undefined;
  }
  return id === null || name === null || name === '' ? null : undefined;
}

/** The revenue category of a service or part, by its id, or by the id or name of the nested resource. */
export function resolveRevenueCategory(
  { revenueCategories }: References,
  errors: EntryErrors,
  {
    BrandingRevenueCategoryId: id,
    BrandingRevenueCategory: category,
  }: {
    readonly BrandingRevenueCategoryId?: number | null | undefined;
    readonly BrandingRevenueCategory?:
      | { readonly Id?: number | null | undefined; readonly Name?: string | null | undefined }
      | null
      | undefined;
  },
): number | null | undefined {
  return resolveReference(
    revenueCategories,
    errors,
    [id ? 'BrandingRevenueCategoryId' : 'BrandingRevenueCategory.Id', id ?? (category === null ? null : category?.Id)],
    ['BrandingRevenueCategory.Name', category?.Name],
  );
}

/** The ids in a list, ascending and distinct; `undefined` if the entry has no list. */
export function resolveReferences(
  referable: Referable,
  errors: EntryErrors,
  [idField, ids]: FieldValue<readonly number[]>,
  [nameField, names]: FieldValue<readonly string[]>,
): number[] | undefined {
  if (ids === undefined && names === undefined) return undefined;
  const byId = ids !== undefined && (names === undefined || ids !== null);
  const none = ['', undefined] as const;
  const found = byId
    ? (ids ?? []).map((id, index) => resolveReference(referable, errors, [`${idField}[${index}]`, id], none))
    : (names ?? []).map((name, index) => resolveReference(referable, errors, none, [`${nameField}[${index}]`, name]));
  return [...new Set(found.filter((id) => typeof id === 'number'))].sort((a, b) => a - b);
}

export type PartCategoryField = 'PartCategory' | 'PartSubcategory1' | 'PartSubcategory2';

/** A category exists as long as a part has it. The same name, ignoring case, is one category, even as a subcategory. */
export class PartCategories implements Referable {
  readonly noun = 'part category';
  readonly #byName = new Map<string, IdName>();
  readonly #byId = new Map<number, IdName>();
  readonly #ids: NewIds;

  constructor(parts: Iterable<PartRecord>, ids: NewIds) {
    this.#ids = ids;
    for (const { PartCategory, PartSubcategory1, PartSubcategory2 } of parts)
      for (const category of [PartCategory, PartSubcategory1, PartSubcategory2]) if (category) this.#add(category);
  }

  #add(category: IdName): IdName {
    this.#byName.set(fold(category.Name), category);
    this.#byId.set(category.Id, category);
    return category;
  }

  get ids(): { has(id: number): boolean } {
    return this.#byId;
  }

  get names(): ReadonlyMap<string, number> {
    return new Map([...this.#byName].map(([name, { Id }]) => [name, Id]));
  }

  spellings(): string[] {
    return [...this.#byName.values()].map(({ Name }) => Name);
  }

  /**
   * The category of an entry, by id before name; a new name creates one. `undefined`, `null`: as in resolveReference.
   */
  resolve(entry: PartEntry, field: PartCategoryField, errors: EntryErrors): IdName | null | undefined {
    const category = entry[field];
    const id = entry[`${field}Id`] ?? category?.Id;
    if (id) {
      const known = this.#byId.get(id);
      errors.add(
        entry[`${field}Id`] ? `${field}Id` : `${field}.Id`,
        !known && `names an unknown ${this.noun}: ${id}`,
        'not_found',
      );
      return known;
    }
    const text = category?.Name ?? (field === 'PartCategory' ? entry.Category : undefined);
    const name = text?.trim();
    if (name) return this.#byName.get(fold(name)) ?? this.#add({ Id: this.#ids.take('PartCategory'), Name: name });
    return category === null || entry[`${field}Id`] === null || text !== undefined ? null : undefined;
  }
}
