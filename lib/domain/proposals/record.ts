import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { CustomValue } from '../custom-fields.ts';
import type { PostalClass } from '../postal-ownership.ts';
import { type PartRecord, type ServiceRecord, blankPart, blankService } from '../pricebook/record.ts';
import type { PricedField } from '../pricing/types.ts';
import { ProposalStatus } from './status.ts';

/** A choice of lines; good, better and best are three of them. */
export interface OptionRecord {
  readonly Id: number;
  readonly Name: string;
  readonly Selected: boolean;
}

/** A line as it is kept: what was asked for, and what that came to when it was priced. */
export interface ProposalLineRecord {
  readonly Id: number;
  /** 0: a line of no part, which costs what it says. */
  readonly PartId: number;
  /** As asked for; `null` leaves it to part and service. Priced again, a line is asked for the same. */
  readonly RequestedQuantity: number | null;
  readonly RequestedPrice: number | null;
  /** As priced: after overrides, formulas and quantity prices. */
  readonly Quantity: number;
  readonly UnitPrice: number;
  readonly UnitCost: number | null;
  readonly RatePercent: number | null;
  readonly MaxDiscount: number | null;
  readonly Discount: number | null;
  /** What it adds, after its discount; of a line that does not count, what it would. */
  readonly ExtendedTotal: number;
  readonly LineTax: number;
  /** Minutes. */
  readonly Duration: number;
  readonly Taxable: boolean;
  /** By itself; an item of an internal line is internal too (standing.ts). */
  readonly IsInternal: boolean;
  readonly IsZeroPrice: boolean;
  /** Whether it is in the totals as they stand: not internal, and of no option or of a selected one. */
  readonly Counts: boolean;
  readonly LineDescription: string;
  readonly Notes: string;
  readonly SortIndex: number;
  readonly AssemblyLineId: number | null;
  /** Its own; `null`: that of the assembly's line, if it is an item. */
  readonly OptionId: number | null;
  readonly CustomFields: readonly CustomValue[];
}

/** A remark; the moment in milliseconds since 1970. */
export interface ProposalNoteRecord {
  readonly Id: number;
  readonly Note: string;
  readonly CreatedAt: number;
}

/** What a proposal adds to those that it belongs to. */
export type CountedProposal = Pick<ProposalRecord, 'Id' | 'Subtotal' | 'Tax'>;

/** A change order or bundled proposal as the proposal that it belongs to keeps it, told anew whenever it changes. */
export interface ChildProposal {
  readonly Id: number;
  readonly ServiceId: number;
  readonly ServiceName: string;
  readonly Date: string;
  readonly Status: number;
  readonly Subtotal: number;
  readonly Tax: number;
  /** All that belongs to it in turn and counts (family.ts); absent where nothing does. */
  readonly Below?: readonly CountedProposal[];
}

/**
 * The part of the price book that a proposal was priced by: what was quoted stays quoted, whatever the book says later.
 * Only what differs from a blank service or part is kept (lib/domain/proposals/book.ts).
 */
export interface QuotedBook {
  readonly Service: Partial<ServiceRecord>;
  /** Every part that a line names, and the items of assemblies. */
  readonly Parts: readonly (Partial<PartRecord> & Pick<PartRecord, 'Id'>)[];
  /** Those of the parts. */
  readonly Templates: readonly PartTemplate[];
  /** What the contact said in the fields that formulas and overrides read. */
  readonly Fields: readonly PricedField[];
}

/** What a proposal comes to. Money has 2 decimals, BasePrice and UnitPrice have 4; `Duration` is minutes. */
export interface ProposalAmounts {
  /**
   * BasePrice + UnitPrice × Quantity is what the service costs, MinimumCharge included; bands that are flat or on top
   * stand in BasePrice.
   */
  readonly BasePrice: number;
  readonly UnitPrice: number;
  /** After overrides and formula. */
  readonly Quantity: number;
  readonly Duration: number;
  /** The service and every line that counts, after discounts, before tax. */
  readonly Subtotal: number;
  readonly Tax: number;
  /** What of Subtotal is taxed. */
  readonly TaxableSubtotal: number;
  /** The service's own part of Tax. */
  readonly ServiceTax: number;
}

/** A proposal as it is kept. Moments in milliseconds since 1970, dates `YYYY-MM-DD` in the organization's zone. */
export interface ProposalRecord extends ProposalAmounts {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** See status.ts. */
  readonly Status: number;
  /** The public handle: 22 unguessable characters. */
  readonly HashKey: string;
  readonly Zone: string;
  readonly Date: string;
  /** When it became Open, the last time; `null` while it never was. */
  readonly OpenedAt: number | null;
  /** When it expires unless it is answered; `null` never. */
  readonly ExpiresAt: number | null;
  readonly AcceptedAt: number | null;
  readonly ServiceId: number;
  readonly ServiceName: string;
  readonly Description: string;
  readonly Title: string;
  readonly CustomerNotes: string;
  readonly DeliveryUri: string;
  readonly OwnerUserId: number | null;
  readonly ServiceAgentId: number | null;
  /** As asked for; `null` is 1. */
  readonly RequestedQuantity: number | null;
  /** Whether the service itself is taxed. */
  readonly Taxable: boolean;
  /** As it was when the proposal was priced. */
  readonly NamedTaxRate: { readonly Id: number; readonly Name: string; readonly TaxRate: number } | null;
  /** Percent of Subtotal and Tax. */
  readonly DepositRate: number | null;
  readonly DepositRequired: boolean | null;
  readonly Options: readonly OptionRecord[];
  readonly Lines: readonly ProposalLineRecord[];
  readonly Book: QuotedBook;
  readonly ProposalNotes: readonly ProposalNoteRecord[];
  readonly ChangeOrderForProposalId: number | null;
  readonly BundleWithProposalId: number | null;
  readonly ChangeOrders: readonly ChildProposal[];
  readonly BundledProposals: readonly ChildProposal[];
  readonly IncludePaymentPlans: boolean;
  readonly PaymentPlanRequired: boolean | null;
  readonly DistributeParts: boolean;
  readonly CustomFields: readonly CustomValue[];
  /** The contact's, with its postal code, when the proposal was last changed. */
  readonly AccountingClass: (PostalClass & { readonly PostalCodes: readonly string[] }) | null;
  readonly ProposalTemplateId: number | null;
  /** Once accepted. */
  readonly DepositInvoiceId: number | null;
  /** What of its deposit has been taken off invoices of its appointments; absent is 0. */
  readonly DepositCredited?: number;
  /** The invoices that bill it and are not voided, and what it was before they made it Invoiced (`null`: they did not). */
  readonly Billed?: { readonly Invoices: readonly number[]; readonly Was: number | null };
  readonly EvidenceSha256: string;
  /** Visits of an accepted subscription that are still to be queued (functions/workers/proposals.ts). */
  readonly VisitsToQueue: number;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

type Given = Pick<ProposalRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'HashKey' | 'Zone' | 'Date' | 'Created'> &
  Partial<ProposalRecord>;

/** A proposal of which only what is given is known; it costs nothing until it is priced (price.ts). */
export const blankProposal = (input: Given): ProposalRecord => ({
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

/** A line of which only what is given is known. */
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

/** What a proposal is priced by, whole again. */
export interface ExpandedBook {
  readonly service: ServiceRecord;
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  readonly fields: readonly PricedField[];
}

/** What the price book said once; a version of it would be no one's any more. */
const differing = <Thing extends { readonly V: number }>(record: Thing, blank: Thing): Partial<Thing> =>
  Object.fromEntries(
    Object.entries(blank).flatMap(([name, usual]) => {
      const value: unknown = record[name as keyof Thing];
      return name === 'V' || JSON.stringify(value) === JSON.stringify(usual) ? [] : [[name, value]];
    }),
  ) as Partial<Thing>;

/** A book as a proposal keeps it: a part of the usual kind is 100 bytes instead of 1,500. */
export const compactBook = ({ service, parts, templates, fields }: ExpandedBook): QuotedBook => ({
  Service: differing(service, blankService(0, null)),
  Parts: [...parts.values()].map((part) => ({ ...differing(part, blankPart(0)), Id: part.Id })),
  Templates: [...templates.values()],
  Fields: fields.map(({ Id, Shortcode, Value }) => ({ Id, Shortcode, Value })),
});

/** The book again, as it was. */
export const expandBook = ({ Service, Parts, Templates, Fields }: QuotedBook): ExpandedBook => ({
  service: { ...blankService(0, null), ...Service },
  parts: new Map(Parts.map((part) => [part.Id, { ...blankPart(part.Id), ...part }])),
  templates: new Map(Templates.map((template) => [template.Id, template])),
  fields: Fields,
});

const overridesOf = (record: ServiceRecord | PartRecord): unknown[] =>
  Object.entries(record).flatMap(([name, value]) => (name.endsWith('OverrideCustomFieldId') ? [value] : []));

const formulasOf = (service: ServiceRecord, parts: readonly PartRecord[]): string[] => [
  service.QuantityFormula,
  ...service.PricingBands.map(({ Formula }) => Formula),
  ...parts.flatMap(({ QuantityFormula, QtyPricing }) => [QuantityFormula, ...QtyPricing.map(({ Formula }) => Formula)]),
];

/** The custom fields that overrides and formulas of a service and its parts can read. */
export function fieldsRead(
  { service, parts }: Pick<ExpandedBook, 'service' | 'parts'>,
  definitions: readonly CustomField[],
): CustomField[] {
  const all = [...parts.values()];
  const ids = new Set([service, ...all].flatMap(overridesOf));
  const names = new Set(formulasOf(service, all).flatMap((formula) => formula.match(/\w+/g) ?? []));
  return definitions.filter(({ Id, Shortcode }) => ids.has(Id) || names.has(Shortcode));
}
