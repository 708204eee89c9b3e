import type { PartTemplate } from '../../entities/price-book.ts';
import {
  ProposalStatus,
  type ProposalStatusName,
  PROPOSAL_STATUSES,
  statusAt,
} from '../../entities/proposal-status.ts';
import {
  type ChildProposal,
  type ProposalLineRecord,
  type QuotedBook,
  proposalLine,
  childProposal,
  proposalNote,
  type ProposalLine,
  type ProposalSummary,
} from '../../entities/proposal-parts.ts';
import type { Contact } from '../../entities/contacts.ts';
import Big from 'big.js';
import { type New, blankOf, shownOf } from '../../entities/declaration/entity.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import { type ProposalRecord, proposalEntity, type Proposal } from '../../entities/proposals.ts';
import { type ServiceRecord, serviceEntity } from '../../entities/services.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { add, money } from '../../shared/money.ts';
import { isEqual } from '../../shared/objects.ts';
import { toLocalDate } from '../../shared/time/time.ts';
import { customFieldsToResource } from '../custom-fields.ts';
import type { ClientLink } from '../client-pages.ts';
import { type TaxPartAmount, taxPartAmounts } from '../pricing/tax-parts.ts';
import { partToResource } from '../pricebook/part-to-resource.ts';
import type { PricedField } from '../pricing/types.ts';
import { fold } from '../../shared/text/text.ts';
import { MAX_LINES } from '../pricing/lines.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';

/** Proposal basics: a blank proposal, the price book that it quotes, its deposit, and the resource. */

type NewProposal = Pick<ProposalRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Zone' | 'Date' | 'Created'>;

/** A proposal with blank values for everything else. It costs nothing until it is priced (price.ts). */
export const blankProposal = (input: NewProposal & Partial<ProposalRecord>): ProposalRecord =>
  proposalEntity.blank({ Status: ProposalStatus.Internal, ...input });

/** A line that costs nothing. */
export const blankLine = (input: New<typeof proposalLine>): ProposalLineRecord => blankOf(proposalLine, input);

/** A proposal dated today in the contact's organization, before the request is applied. */
export function draftProposal(
  Id: number,
  { Id: OrganizationId, Timezone: Zone }: Pick<OrganizationRecord, 'Id' | 'Timezone'>,
  ContactId: number,
  now: number,
): ProposalRecord {
  return blankProposal({ Id, OrganizationId, ContactId, Zone, Date: toLocalDate(now, Zone), Created: now });
}

export const selectedOptionIds = ({ Options }: Pick<ProposalRecord, 'Options'>): number[] =>
  Options.filter(({ Selected }) => Selected).map(({ Id }) => Id);

/** A QuotedBook with complete services and parts. */
export interface ExpandedBook {
  readonly service: ServiceRecord;
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  readonly fields: readonly PricedField[];
}

/** The fields that differ from a blank record, except the version: a quoted record has none. */
const differences = <Book extends ServiceRecord | PartRecord>(record: Book, blank: Book): Partial<Book> =>
  Object.fromEntries(
    Object.entries(blank).flatMap(([name, usual]) => {
      const value = record[name as keyof Book];
      return name === 'V' || isEqual(value, usual) ? [] : [[name, value]];
    }),
  ) as Partial<Book>;

/** A book in the form in which a proposal stores it: a typical part takes 100 bytes instead of 1,500. */
export const compactBook = ({ service, parts, templates, fields }: ExpandedBook): QuotedBook => ({
  Service: differences(service, serviceEntity.blank({ Id: 0, OrganizationId: null })),
  Parts: [...parts.values()].map((part) => ({ ...differences(part, partEntity.blank({ Id: 0 })), Id: part.Id })),
  Templates: [...templates.values()],
  Fields: fields.map(({ Id, Shortcode, Value }) => ({ Id, Shortcode, Value })),
});

export const expandBook = (book: QuotedBook): ExpandedBook => ({
  service: { ...serviceEntity.blank({ Id: 0, OrganizationId: null }), ...book.Service },
  ...expandParts(book),
  fields: book.Fields,
});

/** The parts and templates of a book, which are all that a proposal's resource uses of it. */
const expandParts = ({ Parts, Templates }: QuotedBook): Pick<ExpandedBook, 'parts' | 'templates'> => ({
  parts: new Map(Parts.map((part) => [part.Id, { ...partEntity.blank({ Id: part.Id }), ...part }])),
  templates: new Map(Templates.map((template) => [template.Id, template])),
});

const overrideFieldIds = (record: ServiceRecord | PartRecord): unknown[] =>
  Object.entries(record).flatMap(([name, value]) => (name.endsWith('OverrideCustomFieldId') ? [value] : []));

const listFormulas = (service: ServiceRecord, parts: readonly PartRecord[]): string[] => [
  service.QuantityFormula,
  ...service.PricingBands.map(({ Formula }) => Formula),
  ...parts.flatMap(({ QuantityFormula, QtyPricing }) => [QuantityFormula, ...QtyPricing.map(({ Formula }) => Formula)]),
];

/** The custom fields read by overrides and formulas of a service and its parts. */
export function fieldsRead(
  { service, parts }: Pick<ExpandedBook, 'service' | 'parts'>,
  definitions: readonly CustomField[],
): CustomField[] {
  const all = [...parts.values()];
  const ids = new Set([service, ...all].flatMap(overrideFieldIds));
  const names = new Set(listFormulas(service, all).flatMap((formula) => formula.match(/\w+/g) ?? []));
  return definitions.filter(({ Id, Shortcode }) => ids.has(Id) || names.has(Shortcode));
}

/**
 * The deposit due on acceptance: 12.5% of 1,340.00 + 107.20 = 1,447.20 is 180.90. 0 if no deposit is required or the
 * total is not positive.
 */
export function depositDue({
  DepositRequired,
  DepositRate,
  Subtotal,
  Tax,
}: Pick<ProposalRecord, 'DepositRequired' | 'DepositRate' | 'Subtotal' | 'Tax'>): number {
  const total = add(Subtotal, Tax);
  return DepositRequired && DepositRate && total > 0 ? money(new Big(total).times(DepositRate).div(100)) : 0;
}

/** What a proposal's resource contains besides the record. */
export interface ProposalRelations {
  /** Milliseconds since 1970; an open proposal past its time is Expired. */
  readonly now: number;
  readonly contact: Contact | null;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  readonly link: ClientLink;
}

const toSummary = (child: ChildProposal): ProposalSummary =>
  shownOf(childProposal, child, { Service: { Id: child.ServiceId, Name: child.ServiceName } });

function linesToResource(record: ProposalRecord, definitions: readonly CustomField[]): ProposalLine[] {
  const { parts, templates } = expandParts(record.Book);
  const placements = linePlacements(record.Lines, parts);
  const partRelations = { partName: (id: number) => parts.get(id)?.Name ?? '', partTemplates: templates };

  function toLine(line: ProposalLineRecord, placement: LinePlacement | undefined): ProposalLine {
    const part = parts.get(line.PartId);
    const option = record.Options.find(({ Id }) => Id === placement?.optionId);
    return shownOf(proposalLine, line, {
      IsInternal: placement?.internal ?? line.IsInternal,
      Part: part ? partToResource(part, partRelations) : null,
      ProposalOption: option ? { ...option } : null,
      CustomFields: customFieldsToResource(line.CustomFields, definitions),
    });
  }

  return record.Lines.map((line) => toLine(line, placements.get(line.Id)));
}

/** Whether the client may open it: neither an internal proposal nor a quote. */
export const isShownToClient = ({ Id, Status }: Pick<ProposalRecord, 'Id' | 'Status'>): boolean =>
  Id !== 0 && Status !== ProposalStatus.Internal;

/** The complete proposal, as in answers and events. */
export function proposalToResource(
  record: ProposalRecord,
  { now, contact, definitions, link }: ProposalRelations,
): Proposal {
  const selected = record.Options.find(({ Selected }) => Selected);
  const { AcceptedAt, Zone } = record;
  return proposalEntity.toResource(record, {
    Contact: contact,
    ClientUrl: isShownToClient(record) ? link('proposal', record.Id, record.LinksRevoked ?? 0) : '',
    Status: proposalStatusName(statusAt(record, now)),
    AcceptedDate: AcceptedAt === null ? '' : toLocalDate(AcceptedAt, Zone),
    SelectedSolution: selected ? { Id: selected.Id, Name: selected.Name } : null,
    TaxParts: proposalTaxParts(record),
    ProposalLines: linesToResource(record, definitions),
    ChangeOrders: record.ChangeOrders.map(toSummary),
    BundledProposals: record.BundledProposals.map(toSummary),
    ProposalNotes: record.ProposalNotes.map((note) => shownOf(proposalNote, note, { ProposalId: record.Id })),
    CustomFields: customFieldsToResource(record.CustomFields, definitions),
  });
}

/** The parts of its tax, if the rate has several. */
export const proposalTaxParts = ({ NamedTaxRate, Tax, TaxableSubtotal }: ProposalRecord): TaxPartAmount[] =>
  Tax === 0 ? [] : taxPartAmounts(NamedTaxRate?.Parts ?? [], { taxed: TaxableSubtotal, tax: Tax });

/** The number of a status by its name in any case; `undefined` for an unknown name. */
export function findProposalStatus(name: string): number | undefined {
  const status = PROPOSAL_STATUSES.findIndex((each) => fold(each) === fold(name.trim()));
  return status < 0 ? undefined : status;
}

export const proposalStatusName = (status: number): ProposalStatusName => PROPOSAL_STATUSES[status] ?? 'Internal';

const TRANSITIONS: Readonly<Record<ProposalStatusName, readonly ProposalStatusName[]>> = {
  Internal: ['Open', 'Expired'],
  Open: ['Accepted', 'Declined', 'Expired'],
  Accepted: ['Invoiced', 'Scheduled'],
  Scheduled: ['Complete', 'Invoiced'],
  Invoiced: ['Complete'],
  Declined: ['Open'],
  Expired: ['Open'],
  Complete: [],
};

export const nextStatuses = (from: number): readonly ProposalStatusName[] => TRANSITIONS[proposalStatusName(from)];

/** Whether a proposal may change from one status to another; staying is not a transition. */
export const mayBecome = (from: number, to: number): boolean => nextStatuses(from).includes(proposalStatusName(to));

/** The invoices that bill a proposal, and its status before the first of them (see ProposalRecord.Billed). */
interface Billing {
  readonly Status: number;
  readonly Billed?: { readonly Invoices: readonly number[]; readonly Was: number | null };
}

/**
 * Whether the sold work is still to be invoiced. A Complete proposal is, if it was marked Complete before any invoice,
 * or if its invoice was voided.
 */
export const isToBeInvoiced = ({ Status, Billed }: Billing): boolean =>
  mayBecome(Status, ProposalStatus.Invoiced) ||
  (Status === ProposalStatus.Complete && Billed?.Invoices.length === 0 && Billed.Was !== null);

const SIGNED: readonly number[] = [
  ProposalStatus.Accepted,
  ProposalStatus.Invoiced,
  ProposalStatus.Scheduled,
  ProposalStatus.Complete,
];

/** Whether the client has accepted it, which fixes its content and prices. */
export const isSigned = (status: number): boolean => SIGNED.includes(status);

/** Properties of a line, its own or inherited from its assembly. */
export interface LinePlacement {
  readonly internal: boolean;
  readonly optionId: number | null;
}

type NestedLine = Pick<ProposalLineRecord, 'Id' | 'PartId' | 'IsInternal' | 'OptionId' | 'AssemblyLineId'>;

/** The placement of each line, by id: an item inherits that of its assembly and adds its own flags. */
export function linePlacements(
  lines: readonly NestedLine[],
  parts: ReadonlyMap<number, Pick<PartRecord, 'IsInternalizeAssemblyItems'>>,
): Map<number, LinePlacement> {
  const byId = new Map(lines.map((line) => [line.Id, line]));
  const placements = new Map<number, LinePlacement>();
  function placementOf(line: NestedLine, depth = 0): LinePlacement {
    const known = placements.get(line.Id);
    if (known) return known;
    // Pricing rejects lines that are items of themselves; until then the recursion must end.
    const assembly = depth > lines.length ? undefined : byId.get(line.AssemblyLineId ?? 0);
    const inherited = assembly && placementOf(assembly, depth + 1);
    const internalized = assembly ? (parts.get(assembly.PartId)?.IsInternalizeAssemblyItems ?? false) : false;
    const placement = {
      internal: line.IsInternal || internalized || (inherited?.internal ?? false),
      optionId: line.OptionId ?? inherited?.optionId ?? null,
    };
    placements.set(line.Id, placement);
    return placement;
  }
  for (const line of lines) placementOf(line);
  return placements;
}

/**
 * Lines sorted by SortIndex, equal ones in the given order; the items of an assembly follow it, sorted in the same way.
 * Lines that are items of themselves come last.
 */
export function sortLines<Line extends Pick<ProposalLineRecord, 'Id' | 'SortIndex' | 'AssemblyLineId'>>(
  lines: readonly Line[],
): Line[] {
  const ids = new Set(lines.map(({ Id }) => Id));
  const itemsByLine = Map.groupBy(lines, ({ AssemblyLineId }) =>
    AssemblyLineId !== null && ids.has(AssemblyLineId) ? AssemblyLineId : null,
  );
  const sorted = (assembly: number | null): Line[] =>
    (itemsByLine.get(assembly) ?? [])
      .toSorted((one, other) => one.SortIndex - other.SortIndex)
      .flatMap((line) => [line, ...sorted(line.Id)]);
  const ordered = sorted(null);
  const reached = new Set(ordered.map(({ Id }) => Id));
  return [...ordered, ...lines.filter(({ Id }) => !reached.has(Id))];
}

type AssemblyParts = ReadonlyMap<number, Pick<PartRecord, 'AssemblyItems'>>;

function countItemsBelow(partId: number, parts: AssemblyParts, depth: number): number {
  const items = depth > MAX_DEPTH ? [] : (parts.get(partId)?.AssemblyItems ?? []);
  return items.reduce(
    (count, { PartId }) => (count > MAX_LINES ? count : count + 1 + countItemsBelow(PartId, parts, depth + 1)),
    0,
  );
}

/**
 * How many lines the assemblies among lines will still expand to. A line that another refers to by AssemblyLineId is
 * already expanded. Stops at the depth and number at which pricing rejects them.
 */
export function countItems(
  lines: readonly Pick<ProposalLineRecord, 'Id' | 'PartId' | 'AssemblyLineId'>[],
  parts: AssemblyParts,
): number {
  const expanded = new Set(lines.map(({ AssemblyLineId }) => AssemblyLineId));
  const count = lines.reduce(
    (sum, { Id, PartId }) => (sum > MAX_LINES || expanded.has(Id) ? sum : sum + countItemsBelow(PartId, parts, 0)),
    0,
  );
  return Math.min(MAX_LINES, count);
}
