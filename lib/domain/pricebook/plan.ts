import type { ProposalTemplate } from '../../resources/proposal-templates.ts';
import type { BrandingRevenueCategory } from '../../resources/revenue-categories.ts';
import type { Fault } from '../faults.ts';
import { toUtc } from '../moments-out.ts';
import { alike } from '../alike.ts';
import { checkAssemblies, itemsFirst } from './assemblies.ts';
import { checkBook } from './book-checks.ts';
import { PartCategories } from './categories.ts';
import { formulaNames } from './formulas.ts';
import { Ids } from './ids.ts';
import { partSaid } from './part-said.ts';
import type { BookChange, BookPlan, GivenBook, PlanScope } from './plan-types.ts';
import type { BookKind, BookThing, PriceBook } from './records.ts';
import { bringParts } from './service-parts.ts';
import { serviceSaid, type Saying } from './service-said.ts';
import { settle, type Settled } from './settle.ts';
import { dimensionSaid, partTemplateSaid, revenueCategorySaid } from './small-said.ts';
import { proposalTemplateSaid } from './template-said.ts';
import { tell } from './told.ts';

/** What is new or different of a kind. */
const changed = <Kind extends BookKind>(kind: Kind, settled: ReadonlyMap<number, Settled<BookThing<Kind>>>): BookChange<Kind>[] =>
  [...settled.values()].flatMap(({ field, before, after }) => (before && alike(before, after) ? [] : [{ kind, field, before, after }]));

/** A map with the things of the changes in it. */
const withChanges = <Kind extends BookKind>(things: PriceBook[Kind], changes: readonly BookChange<Kind>[]): PriceBook[Kind] =>
  new Map([...things, ...changes.map(({ after }) => [after.Id, after] as const)] as [number, never][]) as unknown as PriceBook[Kind];

/** The same changes with the moment of the change in what keeps it. */
const dated = <Kind extends 'revenueCategories' | 'proposalTemplates'>(changes: readonly BookChange<Kind>[], UpdatedAt: string): BookChange<Kind>[] =>
  changes.map((change) => (change.before ? { ...change, after: { ...change.after, UpdatedAt } } : change));

const TELLING_ORDER: Record<string, number> = { revenueCategories: 0, partTemplates: 1, parts: 2, services: 3, dimensions: 4, proposalTemplates: 5 };

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
export function planBook(book: PriceBook, given: GivenBook, scope: PlanScope): BookPlan {
  const ids = new Ids(scope.ids);
  const now = toUtc(scope.now.getTime());
  const categories = new PartCategories(book.parts.values(), ids);
  const { told, references, faults } = tell(book, given, { scope, ids, categories });
  const collect = <Thing>({ settled, faults: found }: { settled: Map<number, Settled<Thing>>; faults: Fault[] }) => {
    faults.push(...found);
    return settled;
  };

  const revenueCategories = collect(settle<(typeof told.revenueCategories)[number]['entry'], BrandingRevenueCategory>(told.revenueCategories, (one) => revenueCategorySaid(one, now)));
  const partTemplates = collect(settle(told.partTemplates, partTemplateSaid));
  const templateChanges = changed('partTemplates', partTemplates);
  const saying: Saying = {
    references, ids, zone: scope.zone, formulaNames: formulaNames(scope.customFields),
    partTemplates: withChanges(book.partTemplates, templateChanges),
  };
  const parts = collect(settle(told.parts, (one) => {
    const { part, faults: found } = partSaid(one, categories, saying);
    return { thing: part, faults: found };
  }));
  const services = collect(settle(told.services, (one) => {
    const { service, faults: found } = serviceSaid(one, scope.organizationId, saying);
    return { thing: service, faults: found };
  }));
  bringParts(book, told, services, parts);
  const dimensions = collect(settle(told.dimensions, (one) => dimensionSaid(one, references.parts)));
  const serviceChanges = changed('services', services);
  const allServices = withChanges(book.services, serviceChanges);
  const proposalTemplates = collect(settle<(typeof told.proposalTemplates)[number]['entry'], ProposalTemplate>(
    told.proposalTemplates,
    (one) => proposalTemplateSaid(one, { references, services: allServices, ids, now, organizationId: scope.organizationId }),
  ));

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
  const changes: BookChange[] = [...categoryChanges, ...templateChanges, ...partChanges, ...serviceChanges, ...dimensionChanges, ...proposalChanges];
  faults.push(
    ...checkAssemblies(next.parts, new Map(partChanges.map(({ after, field }) => [after.Id, field]))),
    ...checkBook(next, changes, scope.accountWide),
  );
  if (faults.length) return { kind: 'faults', faults };
  const namedIds = Object.fromEntries(Object.entries(told).map(([kind, list]) => [kind, list.map(({ id }) => id)]));
  return { kind: 'ready', book: next, changes: inOrder(next, changes), needs: ids.needs, named: namedIds as Record<BookKind, number[]> };
}
