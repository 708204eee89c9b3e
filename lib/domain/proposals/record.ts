import Big from 'big.js';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { Proposal, ProposalLine, ProposalOption } from '../../resources/proposals.ts';
import type { Output } from '../../resources/resource.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import type { CustomValue } from '../custom-fields.ts';
import type { OrganizationRecord } from '../organizations.ts';
import type { PostalClass } from '../postal-ownership.ts';
import { type PartRecord, type ServiceRecord, blankPart, blankService } from '../pricebook/record.ts';
import type { PricedField } from '../pricing/types.ts';
import { isEqual } from '../../shared/equality.ts';
import { toLocalDate } from '../../shared/time/format-moments.ts';
import { add, money } from '../../shared/money.ts';
import { ProposalStatus } from './status.ts';

export type OptionRecord = Readonly<Output<typeof ProposalOption>>;

/** The fields of a line that its record and its resource share. */
type LineResourceField =
  | 'Id'
  | 'Quantity'
  | 'UnitPrice'
  | 'UnitCost'
  | 'RatePercent'
  | 'MaxDiscount'
  | 'ExtendedTotal'
  | 'LineTax'
  | 'Taxable'
  | 'Discount'
  | 'LineDescription'
  | 'Notes'
  | 'SortIndex'
  | 'AssemblyLineId';

/**
 * A line as it is stored: what was requested, and what that came to when it was priced. ExtendedTotal is what the line
 * adds after its discount, or would add if it counted.
 */
export interface ProposalLineRecord extends Readonly<Pick<ProposalLine, LineResourceField>> {
  /** 0: a line without a part, at its own price. */
  readonly PartId: number;
  /** As requested; `null` leaves it to part and service. The line is priced again from these, not from its results. */
  readonly RequestedQuantity: number | null;
  readonly RequestedPrice: number | null;
  /** As priced: after overrides, formulas and quantity prices. */
  readonly Quantity: number;
  readonly UnitPrice: number;
  /** Minutes. */
  readonly Duration: number;
  /** Its own flag; an item of an internal line is internal too (assembly-lines.ts). */
  readonly IsInternal: boolean;
  readonly IsZeroPrice: boolean;
  /** Whether it is in the totals: not internal, and of no option or of a selected one. */
  readonly Counts: boolean;
  /** Its own; `null`: for an item, that of the assembly's line. */
  readonly OptionId: number | null;
  readonly CustomFields: readonly CustomValue[];
}

export interface ProposalNoteRecord {
  readonly Id: number;
  readonly Note: string;
  /** Milliseconds since 1970. */
  readonly CreatedAt: number;
}

/** The part of a deposit that an invoice takes off. */
interface DepositCredit {
  readonly InvoiceId: number;
  readonly Amount: number;
}

/** What a proposal adds to the total of its parents. */
export type CountedProposal = Pick<ProposalRecord, 'Id' | 'Subtotal' | 'Tax'>;

/** A change order or bundled proposal as its parent lists it; updated whenever the child changes. */
export interface ChildProposal {
  readonly Id: number;
  readonly ServiceId: number;
  readonly ServiceName: string;
  readonly Date: string;
  readonly Status: number;
  readonly Subtotal: number;
  readonly Tax: number;
  /** Whether a Complete one is still to be invoiced (status.ts); absent if not. */
  readonly Unbilled?: true;
  /** The proposals below it that count in its total (family.ts); absent if none do. */
  readonly Below?: readonly CountedProposal[];
}

/**
 * The part of the price book that a proposal is priced by. It stays as it was when quoted, whatever changes in the
 * price book. Only what differs from a blank service or part is stored.
 */
export interface QuotedBook {
  readonly Service: Partial<ServiceRecord>;
  /** Every part that a line names, and the items of assemblies. */
  readonly Parts: readonly (Partial<PartRecord> & Pick<PartRecord, 'Id'>)[];
  /** Those of the parts. */
  readonly Templates: readonly PartTemplate[];
  /** The contact's values of the fields that formulas and overrides read. */
  readonly Fields: readonly PricedField[];
}

/** The fields of a proposal that its record and its resource share. */
type ProposalResourceField =
  | 'Id'
  | 'ContactId'
  | 'Date'
  | 'ServiceId'
  | 'ServiceName'
  | 'Description'
  | 'Duration'
  | 'BasePrice'
  | 'UnitPrice'
  | 'Quantity'
  | 'Subtotal'
  | 'Tax'
  | 'Taxable'
  | 'Title'
  | 'DeliveryUri'
  | 'OwnerUserId'
  | 'ServiceAgentId'
  | 'DepositRate'
  | 'DepositRequired'
  | 'CustomerNotes'
  | 'ChangeOrderForProposalId'
  | 'BundleWithProposalId'
  | 'IncludePaymentPlans'
  | 'PaymentPlanRequired'
  | 'DistributeParts';

/**
 * A proposal as it is stored. Moments in milliseconds since 1970, dates `YYYY-MM-DD` in the organization's zone, money
 * with 2 decimals, BasePrice and UnitPrice with 4. BasePrice + UnitPrice × Quantity is what the service costs,
 * MinimumCharge included; flat and overage bands are in BasePrice. Quantity is after overrides and formula. Subtotal is
 * the service and every line that counts, after discounts, before tax. Duration is in minutes.
 */
export interface ProposalRecord extends Readonly<Pick<Proposal, ProposalResourceField>> {
  readonly OrganizationId: number;
  /** See status.ts. */
  readonly Status: number;
  readonly Zone: string;
  /** When it last became Open; `null` if it never was. */
  readonly OpenedAt: number | null;
  /** When it expires if it is not answered; `null`: never. */
  readonly ExpiresAt: number | null;
  readonly AcceptedAt: number | null;
  /** As requested; `null` is 1. */
  readonly RequestedQuantity: number | null;
  /** The taxed part of Subtotal. */
  readonly TaxableSubtotal: number;
  /** The service's own part of Tax; Taxable is whether the service itself is taxed. */
  readonly ServiceTax: number;
  /** As it was when the proposal was priced. */
  readonly NamedTaxRate: Readonly<NamedTaxRate> | null;
  readonly Options: readonly OptionRecord[];
  readonly Lines: readonly ProposalLineRecord[];
  readonly Book: QuotedBook;
  readonly ProposalNotes: readonly ProposalNoteRecord[];
  readonly ChangeOrders: readonly ChildProposal[];
  readonly BundledProposals: readonly ChildProposal[];
  readonly CustomFields: readonly CustomValue[];
  /** The contact's, with its postal code, as of the last change of the proposal. */
  readonly AccountingClass: (PostalClass & { readonly PostalCodes: readonly string[] }) | null;
  readonly ProposalTemplateId: number | null;
  readonly DepositInvoiceId: number | null;
  /** What invoices that are not voided have taken off for its deposit, each with its amount above 0; absent if none. */
  readonly DepositCredits?: readonly DepositCredit[];
  /**
   * The invoices that bill it and are not voided, and its status before they made it Invoiced (`null`: they did not). A
   * Complete proposal without such invoices is still to be invoiced if `Was` is not `null`.
   */
  readonly Billed?: { readonly Invoices: readonly number[]; readonly Was: number | null };
  readonly EvidenceSha256: string;
  /** Visits of an accepted subscription that are still to be queued as appointments. */
  readonly VisitsToQueue: number;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

type NewProposal = Pick<ProposalRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Zone' | 'Date' | 'Created'>;

/** A proposal with blank values for everything else. It costs nothing until it is priced (price.ts). */
export const blankProposal = (input: NewProposal & Partial<ProposalRecord>): ProposalRecord => ({
  Status: ProposalStatus.Internal,
  OpenedAt: null,
  ExpiresAt: null,
  AcceptedAt: null,
  ServiceId: 0,
  ServiceName: '',
  Description: '',
  Title: '',
  CustomerNotes: '',
  DeliveryUri: '',
  OwnerUserId: null,
  ServiceAgentId: null,
  RequestedQuantity: null,
  Taxable: false,
  NamedTaxRate: null,
  DepositRate: null,
  DepositRequired: null,
  Options: [],
  Lines: [],
  ProposalNotes: [],
  ChangeOrderForProposalId: null,
  Book: compactBook({ service: blankService(0, null), parts: new Map(), templates: new Map(), fields: [] }),
  BundleWithProposalId: null,
  ChangeOrders: [],
  BundledProposals: [],
  IncludePaymentPlans: false,
  PaymentPlanRequired: null,
  DistributeParts: false,
  CustomFields: [],
  AccountingClass: null,
  ProposalTemplateId: null,
  DepositInvoiceId: null,
  EvidenceSha256: '',
  VisitsToQueue: 0,
  BasePrice: 0,
  UnitPrice: 0,
  Quantity: 0,
  Duration: 0,
  Subtotal: 0,
  Tax: 0,
  TaxableSubtotal: 0,
  ServiceTax: 0,
  Updated: input.Created,
  V: 0,
  ...input,
});

export const blankLine = (input: Pick<ProposalLineRecord, 'Id'> & Partial<ProposalLineRecord>): ProposalLineRecord => ({
  PartId: 0,
  RequestedQuantity: null,
  RequestedPrice: null,
  Quantity: 0,
  UnitPrice: 0,
  UnitCost: null,
  RatePercent: null,
  MaxDiscount: null,
  Discount: null,
  ExtendedTotal: 0,
  LineTax: 0,
  Duration: 0,
  Taxable: false,
  IsInternal: false,
  IsZeroPrice: false,
  Counts: false,
  LineDescription: '',
  Notes: '',
  SortIndex: 0,
  AssemblyLineId: null,
  OptionId: null,
  CustomFields: [],
  ...input,
});

/** A proposal of today, in the contact's organization, before the request is applied. */
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

/** A QuotedBook with whole services and parts. */
export interface ExpandedBook {
  readonly service: ServiceRecord;
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  readonly fields: readonly PricedField[];
}

/** The fields that differ from a blank record, without its version: a quoted record has none. */
const differences = <Book extends ServiceRecord | PartRecord>(record: Book, blank: Book): Partial<Book> =>
  Object.fromEntries(
    Object.entries(blank).flatMap(([name, usual]) => {
      const value = record[name as keyof Book];
      return name === 'V' || isEqual(value, usual) ? [] : [[name, value]];
    }),
  ) as Partial<Book>;

/** A book as a proposal stores it: a usual part takes 100 bytes instead of 1,500. */
export const compactBook = ({ service, parts, templates, fields }: ExpandedBook): QuotedBook => ({
  Service: differences(service, blankService(0, null)),
  Parts: [...parts.values()].map((part) => ({ ...differences(part, blankPart(0)), Id: part.Id })),
  Templates: [...templates.values()],
  Fields: fields.map(({ Id, Shortcode, Value }) => ({ Id, Shortcode, Value })),
});

export const expandBook = (book: QuotedBook): ExpandedBook => ({
  service: { ...blankService(0, null), ...book.Service },
  ...expandParts(book),
  fields: book.Fields,
});

/** The parts and templates of a book: all that a proposal's resource needs of it. */
export const expandParts = ({ Parts, Templates }: QuotedBook): Pick<ExpandedBook, 'parts' | 'templates'> => ({
  parts: new Map(Parts.map((part) => [part.Id, { ...blankPart(part.Id), ...part }])),
  templates: new Map(Templates.map((template) => [template.Id, template])),
});

const overrideFieldIds = (record: ServiceRecord | PartRecord): unknown[] =>
  Object.entries(record).flatMap(([name, value]) => (name.endsWith('OverrideCustomFieldId') ? [value] : []));

const listFormulas = (service: ServiceRecord, parts: readonly PartRecord[]): string[] => [
  service.QuantityFormula,
  ...service.PricingBands.map(({ Formula }) => Formula),
  ...parts.flatMap(({ QuantityFormula, QtyPricing }) => [QuantityFormula, ...QtyPricing.map(({ Formula }) => Formula)]),
];

/** The custom fields that overrides and formulas of a service and its parts read. */
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
 * The deposit due on acceptance: 12.5 % of 1,340.00 + 107.20 = 1,447.20 is 180.90. 0 if no deposit is required or the
 * total is not above 0.
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
