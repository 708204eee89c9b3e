import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { isEqual, jsonByteLength } from '../../shared/objects.ts';
import type { FieldError } from '../../shared/failure.ts';
import { toUtc } from '../../shared/time/time.ts';
import { fold } from '../../shared/text/text.ts';
import { type ListLimit, describeLimit, totalBytes } from '../list-limits.ts';
import { EntryErrors, NewIds, type ReservedIds, formulaNames } from './apply-fields.ts';
import { applyDimension, applyPartTemplate, applyProposalTemplate, applyRevenueCategory } from './apply-lists.ts';
import { type EntryContext, applyPart } from './apply-part.ts';
import { applyService } from './apply-service.ts';
import { checkAssemblies, itemsFirst } from './assemblies.ts';
import { isAvailable } from './availability.ts';
import {
  type IdentifiedEntries,
  type IdentifiedEntry,
  KINDS,
  PartCategories,
  bookReferences,
  identifyEntries,
  ownerOf,
  partsField,
  recordName,
} from './entries.ts';
import type { BookIdKind } from './id-kinds.ts';
import type { BookInput, BookKind, BookRecord, PriceBook } from './record.ts';

export interface PlanScope {
  /** The owner of the services in the input: an organization, or the account (`null`). */
  readonly organizationId: number | null;
  /** Whether the caller may change what belongs to the whole account: not with a key of one organization. */
  readonly accountWide: boolean;
  readonly customFields: readonly CustomField[];
  readonly now: Date;
  readonly ids: ReservedIds;
}

/** A new (`before` undefined) or changed record, and the path of its entry: `Services[2]`. */
export interface BookChange<Kind extends BookKind = BookKind> {
  readonly kind: Kind;
  readonly field: string;
  readonly before: BookRecord<Kind> | undefined;
  readonly after: BookRecord<Kind>;
}

export type BookPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | {
      readonly kind: 'ready';
      readonly book: PriceBook;
      /** Sorted so that records follow those they refer to, and assemblies their items. */
      readonly changes: readonly BookChange[];
      /** The new ids that the plan requires. If `scope.ids` has fewer, the plan is a trial: plan again with these. */
      readonly needs: Partial<Record<BookIdKind, number>>;
      /** The ids of the services in the input, in its order. */
      readonly serviceIds: readonly number[];
    };

/**
 * Applies entries to a price book. Entries match records by Id, else by name; by name an organization only means its
 * own services and proposal templates. Validates the result as a whole and returns all errors at once. Applying the
 * same input again changes nothing.
 */
export function planBook(book: PriceBook, input: BookInput, scope: PlanScope): BookPlan {
  const { organizationId, customFields } = scope;
  const errors: FieldError[] = [];
  const ids = new NewIds(scope.ids);
  const now = toUtc(scope.now.getTime());
  const categories = new PartCategories(book.parts.values(), ids);
  const entries = identifyEntries(book, input, { organizationId, ids, errors });
  const references = bookReferences(book, entries, scope, categories);
  const names = formulaNames(customFields);
  const context: EntryContext = { references, categories, formulaNames: names, ids, now, organizationId };

  const applied = applyAll(book, entries, context, errors);
  const next: PriceBook = {
    services: withApplied(book.services, applied.services),
    parts: withApplied(book.parts, applied.parts),
    partTemplates: withApplied(book.partTemplates, applied.partTemplates),
    dimensions: withApplied(book.dimensions, applied.dimensions),
    revenueCategories: withApplied(book.revenueCategories, applied.revenueCategories),
    proposalTemplates: withApplied(book.proposalTemplates, applied.proposalTemplates),
  };
  const changes = toChanges(applied);
  errors.push(...checkBook(next, changes, scope.accountWide));
  if (errors.length) return { kind: 'invalid', errors };
  const serviceIds = entries.services.map(({ id }) => id);
  return { kind: 'ready', book: next, changes: sortChanges(next, changes), needs: ids.needs, serviceIds };
}

type AppliedBook = { readonly [Kind in BookKind]: AppliedRecords<BookRecord<Kind>> };

/** Applies the entries; records come before those that depend on their new state. */
function applyAll(
  book: PriceBook,
  entries: IdentifiedEntries,
  context: EntryContext,
  errors: FieldError[],
): AppliedBook {
  const revenueCategories = applyEntries(entries.revenueCategories, applyRevenueCategory, context, errors);
  const partTemplates = applyEntries(entries.partTemplates, applyPartTemplate, context, errors);
  const withTemplates = { ...context, partTemplates: withApplied(book.partTemplates, partTemplates) };
  const parts = applyEntries(entries.parts, applyPart, withTemplates, errors);
  const services = applyEntries(entries.services, applyService, context, errors);
  applyServiceParts(book, entries, services, parts);
  const dimensions = applyEntries(entries.dimensions, applyDimension, context, errors);
  const withServices = { ...context, services: withApplied(book.services, services) };
  const proposalTemplates = applyEntries(entries.proposalTemplates, applyProposalTemplate, withServices, errors);
  setUpdatedAt(revenueCategories, context.now);
  setUpdatedAt(proposalTemplates, context.now);
  return { revenueCategories, partTemplates, parts, services, dimensions, proposalTemplates };
}

interface Applied<Of> {
  readonly field: string;
  readonly before: Of | undefined;
  readonly after: Of;
}
type AppliedRecords<Of> = Map<number, Applied<Of>>;

/**
 * Applies the entries of one kind. Two entries may mean the same record, like a part of several services, if they
 * agree.
 */
function applyEntries<Kind extends BookKind, Context>(
  entries: readonly IdentifiedEntry<Kind>[],
  apply: (entry: IdentifiedEntry<Kind>, errors: EntryErrors, context: Context) => BookRecord<Kind>,
  context: Context,
  errors: FieldError[],
): AppliedRecords<BookRecord<Kind>> {
  const applied: AppliedRecords<BookRecord<Kind>> = new Map();
  for (const entry of entries) {
    const { id, path, before } = entry;
    const own = new EntryErrors(path, errors);
    const earlier = applied.get(id);
    const after = apply(earlier ? { ...entry, before: earlier.after } : entry, own, context);
    if (!earlier) applied.set(id, { field: path, before, after });
    else
      own.add(
        '',
        !isEqual(earlier.after, after) && `contradicts ${earlier.field}, which names the same record`,
        'mismatch',
      );
  }
  return applied;
}

const isChanged = <Of>({ before, after }: Applied<Of>): boolean => !before || !isEqual(before, after);

const withApplied = <Of>(records: ReadonlyMap<number, Of>, applied: AppliedRecords<Of>): ReadonlyMap<number, Of> =>
  new Map([...records, ...[...applied].flatMap(([id, one]) => (isChanged(one) ? [[id, one.after] as const] : []))]);

/** Sorts the kinds so that records follow those they refer to. */
function toChanges(applied: AppliedBook): BookChange[] {
  const ofKind = <Kind extends BookKind>(kind: Kind): BookChange<Kind>[] =>
    [...(applied[kind] as AppliedRecords<BookRecord<Kind>>).values()]
      .filter(isChanged)
      .map((one) => ({ kind, ...one }));
  return [
    ...ofKind('revenueCategories'),
    ...ofKind('partTemplates'),
    ...ofKind('parts'),
    ...ofKind('services'),
    ...ofKind('dimensions'),
    ...ofKind('proposalTemplates'),
  ];
}

/** Sorts each kind by id, but items before assemblies. */
function sortChanges(book: PriceBook, changes: readonly BookChange[]): BookChange[] {
  const partRanks = new Map(itemsFirst(book.parts).order.map((id, index) => [id, index]));
  const rank = ({ kind, after }: BookChange) => (kind === 'parts' ? (partRanks.get(after.Id) ?? 0) : after.Id);
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  return [...byKind.values()].flatMap((ofKind) => ofKind.sort((a, b) => rank(a) - rank(b)));
}

function setUpdatedAt<Of extends { readonly UpdatedAt: string | null }>(
  applied: AppliedRecords<Of>,
  UpdatedAt: string,
): void {
  for (const [id, one] of applied)
    if (one.before && isChanged(one)) applied.set(id, { ...one, after: { ...one.after, UpdatedAt } });
}

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

/**
 * Limits a service to the parts in its entry, unless it already has exactly these or the entry has its own limits. A
 * new part that only services list is limited to them; a limited part is opened to the service. An empty list is
 * ignored, because typed clients always send one.
 */
function applyServiceParts(
  book: PriceBook,
  entries: IdentifiedEntries,
  services: AppliedRecords<ServiceRecord>,
  parts: AppliedRecords<PartRecord>,
): void {
  const listed = entries.parts.filter(({ path }) => path.startsWith('Parts['));
  const limited = entries.parts.filter(
    ({ entry }) => entry.LimitedServiceIds !== undefined || entry.LimitedServices !== undefined,
  );
  const open = new Set([...listed, ...limited].map(({ id }) => id));
  const isNewOfServices = (id: number) => !parts.get(id)?.before && !open.has(id);
  for (const { id, path, entry } of entries.services) {
    const list = `${path}.${partsField(entry)}[`;
    const partIds = new Set(entries.parts.filter((part) => part.path.startsWith(list)).map((part) => part.id));
    const service = services.get(id);
    if (!partIds.size || !service) continue;
    const hasLimits = entry.LimitedPartIds !== undefined || entry.LimitedParts !== undefined;
    if (!hasLimits && !hasExactly(book, service.before, partIds))
      services.set(id, { ...service, after: { ...service.after, LimitedPartIds: ascending(partIds) } });
    for (const partId of partIds) {
      const part = parts.get(partId);
      const limits = part?.after.LimitedServiceIds ?? [];
      if (!part || (limits.length === 0 && !isNewOfServices(partId)) || limits.includes(id)) continue;
      parts.set(partId, { ...part, after: { ...part.after, LimitedServiceIds: ascending([...limits, id]) } });
    }
  }
}

/** Whether a service has exactly these parts, with or without inactive ones. */
function hasExactly(book: PriceBook, service: ServiceRecord | undefined, partIds: ReadonlySet<number>): boolean {
  if (!service) return false;
  const available = [...book.parts.values()].filter((part) => isAvailable(service, part));
  const active = available.filter(({ IsActive }) => IsActive);
  return [available, active].some((parts) => parts.length === partIds.size && parts.every(({ Id }) => partIds.has(Id)));
}

/** Errors of the book as a whole. */
function checkBook(book: PriceBook, changes: readonly BookChange[], accountWide: boolean): FieldError[] {
  const parts = changes.filter(({ kind }) => kind === 'parts');
  return [
    ...checkAssemblies(book.parts, new Map(parts.map(({ after, field }) => [after.Id, field]))),
    ...findDuplicateNames(book, changes),
    ...checkLimits(book, changes),
    ...(accountWide ? [] : accountErrors(changes)),
  ];
}

/** A name, ignoring case and accents, belongs to only one record per kind and owner. */
function findDuplicateNames(book: PriceBook, changes: readonly BookChange[]): FieldError[] {
  const toKey = (kind: BookKind, record: object) =>
    `${kind}#${ownerOf(kind, record)}#${fold(recordName(kind, record))}`;
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const idsByName = new Map<string, number[]>();
  for (const kind of kinds)
    for (const record of book[kind].values()) {
      const key = toKey(kind, record);
      const ids = idsByName.get(key);
      if (ids) ids.push(record.Id);
      else idsByName.set(key, [record.Id]);
    }
  return changes.flatMap(({ kind, field, after }) => {
    if (!recordName(kind, after)) return [];
    const other = idsByName.get(toKey(kind, after))?.find((id) => id !== after.Id);
    const { noun, nameField } = KINDS[kind];
    return other === undefined
      ? []
      : [{ field: `${field}.${nameField}`, code: 'duplicate', message: `is already used by ${noun} ${other}` }];
  });
}

/** Lists that are too long to be read at once; one that already was may change, but not grow. */
function checkLimits(book: PriceBook, changes: readonly BookChange[]): FieldError[] {
  return [...Map.groupBy(changes, ({ kind }) => kind)].flatMap(([kind, ofKind]) => {
    const owners = Map.groupBy(ofKind, ({ after }) => ownerOf(kind, after));
    const exceeded = [...owners].find(([owner, ofOwner]) => exceeds(book, kind, owner, ofOwner));
    if (!exceeded) return [];
    const [owner] = exceeded;
    const holder = owner === null ? 'the price book' : 'an organization';
    return [
      {
        field: KINDS[kind].list,
        code: 'limit',
        message: `exceeds the limit of ${holder}: ${describeLimit(limitOf(kind, owner))}`,
      },
    ];
  });
}

const limitOf = (kind: BookKind, owner: number | null): ListLimit =>
  owner === null ? KINDS[kind].limit : KINDS[kind].ownLimit;

function exceeds(book: PriceBook, kind: BookKind, owner: number | null, changes: readonly BookChange[]): boolean {
  const { readTogether } = KINDS[kind];
  const limit = limitOf(kind, owner);
  const all = [...(book[kind].values() as Iterable<object>)];
  const own = all.filter((record) => ownerOf(kind, record) === owner);
  const isMore = changes.some(({ before }) => !before);
  if (isMore && own.length > limit.entries) return true;
  const added = changes.reduce(
    (sum, { before, after }) => sum + jsonByteLength(after) - (before ? jsonByteLength(before) : 0),
    0,
  );
  return added > 0 && totalBytes(readTogether ? all : own) > limit.bytes;
}

/** A key of one organization cannot change what belongs to the whole account. */
const accountErrors = (changes: readonly BookChange[]): FieldError[] =>
  changes.flatMap(({ kind, field, before, after }) => {
    if (ownerOf(kind, after) !== null) return [];
    const { noun } = KINDS[kind];
    const change = before ? `changes ${noun} ${after.Id}` : `makes a new ${noun}`;
    return [{ field, code: 'forbidden', message: `${change} of the whole account. Use a key of the account` }];
  });
