import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { BrandingRevenueCategory } from '../../resources/pricing.ts';
import type { ProposalTemplate } from '../../resources/proposals.ts';
import { isEqual } from '../../shared/equality.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { toUtc } from '../../shared/format-moments.ts';
import { fold } from '../../shared/text.ts';
import { KINDS, entryName, entryOwner, applyEntries } from './apply-entry.ts';
import { applyPart } from './apply-part.ts';
import { SERVICE_OVERRIDES, type EntryContext, applyServiceParts, applyService } from './apply-service.ts';
import { applyDimension, applyPartTemplate, applyProposalTemplate, applyRevenueCategory } from './apply-template.ts';
import { checkAssemblies, itemsFirst } from './assemblies.ts';
import { PartCategories } from './categories.ts';
import { formulaNames } from './checks.ts';
import {
  type BookKind,
  type BookRecord,
  type PartRecord,
  type PriceBook,
  type ServiceRecord,
  blankPart,
  blankService,
} from './record.ts';
import { type Identified, Ids } from './references.ts';
import type { BookChange, BookPlan, BookInput, PlanScope } from './types.ts';

/** What is new or different of a kind. */
const changed = <Kind extends BookKind>(
  kind: Kind,
  settled: ReadonlyMap<number, ResolvedBook<BookRecord<Kind>>>,
): BookChange<Kind>[] =>
  [...settled.values()].flatMap(({ field, before, after }) =>
    before && isEqual(before, after) ? [] : [{ kind, field, before, after }],
  );

/** A map with the things of the changes in it. */
const withChanges = <Kind extends BookKind>(
  records: PriceBook[Kind],
  changes: readonly BookChange<Kind>[],
): PriceBook[Kind] =>
  new Map([...records, ...changes.map(({ after }) => [after.Id, after] as const)] as [
    number,
    never,
  ][]) as unknown as PriceBook[Kind];

/** The same changes with the moment of the change in what keeps it. */
const dated = <Kind extends 'revenueCategories' | 'proposalTemplates'>(
  changes: readonly BookChange<Kind>[],
  UpdatedAt: string,
): BookChange<Kind>[] =>
  changes.map((change) => (change.before ? { ...change, after: { ...change.after, UpdatedAt } } : change));

const TELLING_ORDER: Record<string, number> = {
  revenueCategories: 0,
  partTemplates: 1,
  parts: 2,
  services: 3,
  dimensions: 4,
  proposalTemplates: 5,
};

/** Changes in an order in which every beginning of them is a book: items before the assemblies that hold them. */
function inOrder(book: PriceBook, changes: readonly BookChange[]): BookChange[] {
  const place = new Map(itemsFirst(book.parts).order.map((id, index) => [id, index]));
  const rank = ({ kind, after }: BookChange) => (kind === 'parts' ? (place.get(after.Id) ?? 0) : after.Id);
  return [...changes].sort((a, b) => (TELLING_ORDER[a.kind] ?? 0) - (TELLING_ORDER[b.kind] ?? 0) || rank(a) - rank(b));
}

/**
 * What a price book becomes when it is told something; pure. Things are created, or updated by Id or else by name
 * (whatever its case and accents); by name an organization speaks of its own services and proposal templates only, so
 * that it has its own where the account has one of that name. The result is validated as a whole, and all faults come
 * at once, each with the path of its field in what was given. The same telling again changes nothing.
 */
export function planBook(book: PriceBook, input: BookInput, scope: PlanScope): BookPlan {
  const ids = new Ids(scope.ids);
  const now = toUtc(scope.now.getTime());
  const categories = new PartCategories(book.parts.values(), ids);
  const { told, references, errors } = applyEntries(book, input, { scope, ids, categories });
  const collect = <Thing>({
    settled,
    errors: found,
  }: {
    settled: Map<number, ResolvedBook<Thing>>;
    errors: FieldError[];
  }) => {
    errors.push(...found);
    return settled;
  };

  const revenueCategories = collect(
    resolveReferences<(typeof told.revenueCategories)[number]['entry'], BrandingRevenueCategory>(
      told.revenueCategories,
      (one) => applyRevenueCategory(one, now),
    ),
  );
  const partTemplates = collect(resolveReferences(told.partTemplates, applyPartTemplate));
  const templateChanges = changed('partTemplates', partTemplates);
  const saying: EntryContext = {
    references,
    ids,
    zone: scope.zone,
    formulaNames: formulaNames(scope.customFields),
    partTemplates: withChanges(book.partTemplates, templateChanges),
  };
  const parts = collect(
    resolveReferences(told.parts, (one) => {
      const { part, errors: found } = applyPart(one, categories, saying);
      return { record: part, errors: found };
    }),
  );
  const services = collect(
    resolveReferences(told.services, (one) => {
      const { service, errors: found } = applyService(one, scope.organizationId, saying);
      return { record: service, errors: found };
    }),
  );
  applyServiceParts(book, told, services, parts);
  const dimensions = collect(resolveReferences(told.dimensions, (one) => applyDimension(one, references.parts)));
  const serviceChanges = changed('services', services);
  const allServices = withChanges(book.services, serviceChanges);
  const proposalTemplates = collect(
    resolveReferences<(typeof told.proposalTemplates)[number]['entry'], ProposalTemplate>(
      told.proposalTemplates,
      (one) =>
        applyProposalTemplate(one, {
          references,
          services: allServices,
          ids,
          now,
          organizationId: scope.organizationId,
        }),
    ),
  );

  const categoryChanges = dated(changed('revenueCategories', revenueCategories), now);
  const partChanges = changed('parts', parts);
  const dimensionChanges = changed('dimensions', dimensions);
  const proposalChanges = dated(changed('proposalTemplates', proposalTemplates), now);
  const next: PriceBook = {
    services: allServices,
    parts: withChanges(book.parts, partChanges),
    partTemplates: saying.partTemplates,
    dimensions: withChanges(book.dimensions, dimensionChanges),
    revenueCategories: withChanges(book.revenueCategories, categoryChanges),
    proposalTemplates: withChanges(book.proposalTemplates, proposalChanges),
  };
  const changes: BookChange[] = [
    ...categoryChanges,
    ...templateChanges,
    ...partChanges,
    ...serviceChanges,
    ...dimensionChanges,
    ...proposalChanges,
  ];
  errors.push(
    ...checkAssemblies(next.parts, new Map(partChanges.map(({ after, field }) => [after.Id, field]))),
    ...checkBook(next, changes, scope.accountWide),
  );
  if (errors.length) return { kind: 'invalid', errors };
  const namedIds = Object.fromEntries(Object.entries(told).map(([kind, list]) => [kind, list.map(({ id }) => id)]));
  return {
    kind: 'ready',
    book: next,
    changes: inOrder(next, changes),
    needs: ids.needs,
    named: namedIds as Record<BookKind, number[]>,
  };
}

/** How many of a kind a book may have, so that all of it can be read at once; services an organization, or the account. */
const MOST: Record<BookKind, number> = {
  services: 1_000,
  parts: 10_000,
  partTemplates: 1_000,
  dimensions: 1_000,
  revenueCategories: 1_000,
  proposalTemplates: 1_000,
};

/** Things of one kind and owner whose name, whatever its case and accents, another has too. */
function namesakes(book: PriceBook, changes: readonly BookChange[]): FieldError[] {
  const byName = new Map<string, number[]>();
  const key = (kind: BookKind, record: object) =>
    `${kind}#${entryOwner(kind, record)}#${fold(entryName(kind, record))}`;
  const kinds = new Set(changes.map(({ kind }) => kind));
  for (const kind of kinds) {
    for (const record of book[kind].values()) {
      const name = key(kind, record);
      const ids = byName.get(name);
      if (ids) ids.push(record.Id);
      else byName.set(name, [record.Id]);
    }
  }
  return changes.flatMap(({ kind, field, after }) => {
    const twin = entryName(kind, after) ? byName.get(key(kind, after))?.find((id) => id !== after.Id) : undefined;
    const { what, name } = KINDS[kind];
    return twin === undefined ? [] : [{ field: `${field}.${name}`, message: `is also that of ${what} ${twin}` }];
  });
}

function tooMany(book: PriceBook, changes: readonly BookChange[]): FieldError[] {
  const fresh = changes.filter(({ before }) => !before);
  return [...new Set(fresh.map(({ kind }) => kind))].flatMap((kind) => {
    const owners = new Set(fresh.filter((change) => change.kind === kind).map(({ after }) => entryOwner(kind, after)));
    const count = (owner: number | null) =>
      [...book[kind].values()].filter((record) => entryOwner(kind, record) === owner).length;
    const { list, what } = KINDS[kind];
    return [...owners].some((owner) => count(owner) > MOST[kind])
      ? [{ field: list, message: `would make more than ${MOST[kind]} of the kind ${what}` }]
      : [];
  });
}

/** What belongs to the whole account is not for a caller of one organization to change. */
const notTheirs = (changes: readonly BookChange[]): FieldError[] =>
  changes.flatMap(({ kind, field, before, after }) => {
    if (entryOwner(kind, after) !== null) return [];
    const { what } = KINDS[kind];
    const message = before
      ? `changes ${what} ${after.Id}, which belongs to the whole account: only a key of the account may change it`
      : `would be a new ${what} of the whole account, which only a key of the account may make`;
    return [{ field, message }];
  });

/** What is wrong with the book as a whole after these changes. */
export const checkBook = (book: PriceBook, changes: readonly BookChange[], accountWide: boolean): FieldError[] => [
  ...namesakes(book, changes),
  ...tooMany(book, changes),
  ...(accountWide ? [] : notTheirs(changes)),
];

/** A thing told of: as it was, as it will be, and where it was told of first. */
export interface ResolvedBook<Thing> {
  readonly field: string;
  readonly before: Thing | undefined;
  readonly after: Thing;
}

/**
 * What the things told of become, by id. A thing may be told of twice, as a part that several services bring is, but
 * then both must say the same.
 */
export function resolveReferences<Entry, Thing extends object>(
  told: readonly Identified<Entry, Thing>[],
  say: (one: Identified<Entry, Thing>) => { record: Thing; errors: readonly FieldError[] },
): { settled: Map<number, ResolvedBook<Thing>>; errors: FieldError[] } {
  const settled = new Map<number, ResolvedBook<Thing>>();
  const errors: FieldError[] = [];
  for (const one of told) {
    const first = settled.get(one.id);
    const { record: after, errors: found } = say(first ? { ...one, before: first.after } : one);
    errors.push(...found);
    if (!first) settled.set(one.id, { field: one.field, before: one.before, after });
    else if (!isEqual(first.after, after))
      errors.push({ field: one.field, message: `contradicts ${first.field}, which speaks of the same thing` });
  }
  return { settled, errors };
}

/** What a thing says that a new one does not have anyway, without what an account alone means by it. */
function spoken<Thing extends object>(record: Thing, blank: Thing, unsaid: readonly (keyof Thing)[]): Partial<Thing> {
  const left = new Set<PropertyKey>(unsaid);
  const said = Object.entries(record).filter(
    ([name, value]) => !left.has(name) && !isEqual(value, blank[name as keyof Thing]),
  );
  return Object.fromEntries(said) as Partial<Thing>;
}

const withoutId = <Thing extends { readonly Id: number }>({ Id: _, ...rest }: Thing): Omit<Thing, 'Id'> => rest;

/** Looks names up by id; what is not there any more is left out. */
const namesOf =
  <Thing extends { readonly Id: number }>(records: ReadonlyMap<number, Thing>, name: (record: Thing) => string) =>
  (ids: readonly number[]): string[] =>
    ids.flatMap((id) => {
      const record = records.get(id);
      return record ? [name(record)] : [];
    });

/**
 * The services of one owner (`null`: those of all organizations), and with `null` everything else, as a book is told of
 * them: with names for ids, so that another account can be told the same. Telling the same book so changes nothing.
 */
export function applySharedFields(
  book: PriceBook,
  customFields: readonly CustomField[],
  organizationId: number | null,
): BookInput {
  const partNames = namesOf(book.parts, ({ Name }) => Name);
  const serviceNames = namesOf(book.services, ({ Name }) => Name);
  const customField = (id: number | null) => customFields.find(({ Id }) => Id === id);
  const overridden = (id: number | null) => customField(id)?.Shortcode || customField(id)?.Name;
  const revenueCategory = (id: number | null) => {
    const Name = book.revenueCategories.get(id ?? 0)?.Name;
    return Name ? { BrandingRevenueCategory: { Name } } : {};
  };

  function service(record: ServiceRecord): ServiceEntry {
    const unsaid = [
      'V',
      'Id',
      'OrganizationId',
      'BrandingRevenueCategoryId',
      'PricingBands',
      'LimitedPartIds',
      'QuantityOverridePartCategoryId',
      ...SERVICE_OVERRIDES,
    ] as const;
    const overrides = SERVICE_OVERRIDES.flatMap((name) => {
      const said = overridden(record[name]);
      return said ? [[name.slice(0, -'Id'.length), said] as const] : [];
    });
    const category = [...book.parts.values()].find(
      ({ PartCategory }) => PartCategory?.Id === record.QuantityOverridePartCategoryId,
    )?.PartCategory;
    return {
      ...(spoken(record, blankService(0, null), unsaid) as ServiceEntry),
      ...Object.fromEntries(overrides),
      ...revenueCategory(record.BrandingRevenueCategoryId),
      ...(category ? { QuantityOverridePartCategory: category.Name } : {}),
      ...(record.PricingBands.length ? { PricingBands: record.PricingBands.map(withoutId) } : {}),
      ...(record.LimitedPartIds.length ? { LimitedParts: partNames(record.LimitedPartIds) } : {}),
    };
  }

  function part(record: PartRecord): PartEntry {
    const unsaid = [
      'V',
      'Id',
      'PartCategory',
      'PartSubcategory1',
      'PartSubcategory2',
      'BrandingRevenueCategoryId',
      'PartTemplateId',
      'QuantityOverrideCustomFieldId',
      'QtyPricing',
      'SolutionPrices',
      'AssemblyItems',
      'LimitedServiceIds',
    ] as const;
    const template = book.partTemplates.get(record.PartTemplateId ?? 0);
    const override = overridden(record.QuantityOverrideCustomFieldId);
    // A service of one organization is told of after the parts, and limits itself to them.
    const services = record.LimitedServiceIds.filter((id) => book.services.get(id)?.OrganizationId === null);
    return {
      ...(spoken(record, blankPart(0), unsaid) as PartEntry),
      ...(record.PartCategory ? { Category: record.PartCategory.Name } : {}),
      ...(record.PartSubcategory1 ? { PartSubcategory1: { Name: record.PartSubcategory1.Name } } : {}),
      ...(record.PartSubcategory2 ? { PartSubcategory2: { Name: record.PartSubcategory2.Name } } : {}),
      ...revenueCategory(record.BrandingRevenueCategoryId),
      ...(template ? { PartTemplate: { OptionName: template.OptionName } } : {}),
      ...(override ? { QuantityOverrideCustomField: override } : {}),
      ...(record.QtyPricing.length ? { QtyPricing: record.QtyPricing.map(withoutId) } : {}),
      ...(record.AssemblyItems.length
        ? {
            AssemblyItems: record.AssemblyItems.map(({ PartId, Quantity }) => ({
              PartName: partNames([PartId])[0] ?? '',
              Quantity,
            })),
          }
        : {}),
      ...(record.SolutionPrices.length
        ? {
            SolutionPrices: record.SolutionPrices.map(({ PartSolutionId, UnitPrice }) => ({
              PartSolution: partNames([PartSolutionId])[0] ?? '',
              UnitPrice,
            })),
          }
        : {}),
      ...(services.length ? { LimitedServices: serviceNames(services) } : {}),
    };
  }

  const proposalTemplate = (
    record: PriceBook['proposalTemplates'] extends ReadonlyMap<number, infer Of> ? Of : never,
  ): ProposalTemplateEntry => {
    const {
      Id: _,
      ServiceId,
      OrganizationId: __,
      CreatedAt: ___,
      UpdatedAt: ____,
      ProposalTemplateLines,
      ...rest
    } = record;
    const lines = ProposalTemplateLines.map(({ Id: _____, ProposalTemplateId: ______, PartId, ...line }) => ({
      ...line,
      ...(PartId ? { Part: partNames([PartId])[0] ?? '' } : {}),
    }));
    return { ...rest, Service: serviceNames([ServiceId])[0] ?? '', ProposalTemplateLines: lines };
  };
  const owned = ({ OrganizationId }: { OrganizationId: number | null }) => OrganizationId === organizationId;
  const told = {
    services: [...book.services.values()].filter(owned).map(service),
    proposalTemplates: [...book.proposalTemplates.values()]
      .filter(({ OrganizationId }) => OrganizationId === (organizationId ?? 0))
      .map(proposalTemplate),
  };
  if (organizationId !== null) return told;
  const order = itemsFirst(book.parts).order.flatMap((id) => book.parts.get(id) ?? []);
  return {
    revenueCategories: [...book.revenueCategories.values()].map(
      ({ Id: _, CreatedAt: __, UpdatedAt: ___, ...rest }) => rest,
    ),
    partTemplates: [...book.partTemplates.values()].map(withoutId),
    dimensions: [...book.dimensions.values()].map(({ Id: _, PartIds, ...rest }) => ({
      ...rest,
      ...(PartIds.length ? { Parts: partNames(PartIds) } : {}),
    })),
    parts: order.map(part),
    ...told,
  };
}
