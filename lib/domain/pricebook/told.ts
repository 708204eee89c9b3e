import type { PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { Input } from '../../resources/resource.ts';
import type { BrandingRevenueCategory } from '../../resources/revenue-categories.ts';
import type { Fault } from '../faults.ts';
import { fold } from '../words.ts';
import type { PartCategories } from './categories.ts';
import { identify, namesAfter, type Given, type Identified } from './identify.ts';
import type { Ids } from './ids.ts';
import type { BookIdKind, GivenBook, PlanScope } from './plan-types.ts';
import type { BookKind, BookThing, PriceBook } from './records.ts';
import { customFieldReferences, type References } from './references.ts';

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
export type Told = { readonly [Kind in BookKind]: readonly Identified<BookEntry[Kind], BookThing<Kind>>[] };

/** How a kind is called: in sentences, in faults, among ids; and the field of its name. */
export const KINDS: { readonly [Kind in BookKind]: { what: string; list: string; idKind: BookIdKind; name: 'Name' | 'OptionName' } } = {
  services: { what: 'service', list: 'Services', idKind: 'Service', name: 'Name' },
  parts: { what: 'part', list: 'Parts', idKind: 'Part', name: 'Name' },
  partTemplates: { what: 'part template', list: 'PartTemplates', idKind: 'PartTemplate', name: 'OptionName' },
  dimensions: { what: 'dimension', list: 'Dimensions', idKind: 'Dimension', name: 'Name' },
  revenueCategories: { what: 'branding revenue category', list: 'BrandingRevenueCategories', idKind: 'BrandingRevenueCategory', name: 'Name' },
  proposalTemplates: { what: 'proposal template', list: 'ProposalTemplates', idKind: 'ProposalTemplate', name: 'Name' },
};

/** The name of a thing or of an entry. */
export const nameIn = (kind: BookKind, of: object): string => String((of as Record<string, unknown>)[KINDS[kind].name] ?? '');
const nameSaidIn = (kind: BookKind, of: object) => (of as Record<string, string | null | undefined>)[KINDS[kind].name];

/** The field in which a service brings its parts: typed clients of the detailed variant have another name for it. */
export const partsField = (entry: ServiceEntry): 'AvailableParts' | 'AllAvailableParts' =>
  entry.AvailableParts?.length ? 'AvailableParts' : 'AllAvailableParts';

const placed = <Entry>(entries: readonly Entry[] | null | undefined, list: string): Given<Entry>[] =>
  (entries ?? []).map((entry, index) => ({ field: `${list}[${index}]`, entry }));

/** All entries: the parts that services bring stand among the parts. */
function entriesOf(given: GivenBook): { [Kind in BookKind]: Given<BookEntry[Kind]>[] } {
  const services = placed(given.services, 'Services');
  const brought = services.flatMap(({ field, entry }) => placed<PartEntry>(entry[partsField(entry)], `${field}.${partsField(entry)}`));
  return {
    services,
    parts: [...placed(given.parts, 'Parts'), ...brought],
    partTemplates: placed(given.partTemplates, 'PartTemplates'),
    dimensions: placed(given.dimensions, 'Dimensions'),
    revenueCategories: placed(given.revenueCategories, 'BrandingRevenueCategories'),
    proposalTemplates: placed(given.proposalTemplates, 'ProposalTemplates'),
  };
}

/** Whose a thing is: an organization's, or (`null`) the account's. */
export function ownerOf(kind: BookKind, thing: object): number | null {
  const { OrganizationId } = thing as { readonly OrganizationId?: number | null };
  return kind === 'services' || kind === 'proposalTemplates' ? OrganizationId || null : null;
}

/**
 * What of a kind can be spoken of, the nearest last: an organization's own things come after those of the account, so
 * that of two of one name they are meant; those of other organizations do not exist for it.
 */
function visible<Kind extends BookKind>(book: PriceBook, kind: Kind, organizationId: number | null): BookThing<Kind>[] {
  const things = [...book[kind].values()] as BookThing<Kind>[];
  const own = things.filter((thing) => ownerOf(kind, thing) === organizationId);
  if (organizationId === null) return [...things.filter((thing) => ownerOf(kind, thing) !== null), ...own];
  return [...things.filter((thing) => ownerOf(kind, thing) === null), ...(kind === 'services' || kind === 'proposalTemplates' ? own : [])];
}

/** Finds out what every entry speaks of, and what then can be named by others. */
export function tell(
  book: PriceBook,
  given: GivenBook,
  { scope, ids, categories }: { scope: PlanScope; ids: Ids; categories: PartCategories },
): { told: Told; references: References; faults: Fault[] } {
  const entries = entriesOf(given);
  const faults: Fault[] = [];
  const { organizationId } = scope;

  function found<Kind extends BookKind>(kind: Kind): Identified<BookEntry[Kind], BookThing<Kind>>[] {
    const seen = visible(book, kind, organizationId);
    const things = new Map(seen.map((thing) => [thing.Id, thing]));
    const shared = kind !== 'services' && kind !== 'proposalTemplates';
    // By name an entry speaks of its owner's own: an organization's call that says no Id changes nothing for others.
    const named = seen.filter((thing) => shared || ownerOf(kind, thing) === organizationId);
    const names = new Map(named.map((thing) => [fold(nameIn(kind, thing)), thing.Id]));
    const { what, idKind, name } = KINDS[kind];
    const given = entries[kind] as Given<BookEntry[Kind]>[];
    const result = identify(given, { what, ids, idKind, things, names, nameOf: (entry) => nameSaidIn(kind, entry), nameField: name });
    faults.push(...result.faults);
    return result.found;
  }
  const told: Told = {
    services: found('services'), parts: found('parts'), partTemplates: found('partTemplates'), dimensions: found('dimensions'),
    revenueCategories: found('revenueCategories'), proposalTemplates: found('proposalTemplates'),
  };

  function referable<Kind extends BookKind>(kind: Kind) {
    const things = visible(book, kind, organizationId);
    const nameable = things.filter((thing) => [null, organizationId].includes(ownerOf(kind, thing)));
    const said = told[kind] as readonly Identified<BookEntry[Kind], BookThing<Kind>>[];
    const names = namesAfter(nameable, said, { said: (entry) => nameSaidIn(kind, entry), kept: (thing) => nameIn(kind, thing) });
    return { what: KINDS[kind].what, ids: new Set([...things.map(({ Id }) => Id), ...said.map(({ id }) => id)]), names };
  }
  const references: References = {
    services: referable('services'),
    parts: referable('parts'),
    partTemplates: referable('partTemplates'),
    dimensions: referable('dimensions'),
    revenueCategories: referable('revenueCategories'),
    proposalTemplates: referable('proposalTemplates'),
    customFields: customFieldReferences(scope.customFields),
    partCategories: { what: 'part category', ids: categories.ids, get names() { return categories.names; } },
  };
  return { told, references, faults };
}
