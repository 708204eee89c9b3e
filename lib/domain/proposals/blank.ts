import { blankService } from '../pricebook/blank.ts';
import { compactBook } from './book.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';
import { ProposalStatus } from './status.ts';

type Given = Pick<ProposalRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'HashKey' | 'Zone' | 'Date' | 'Created'> &
  Partial<ProposalRecord>;

/** A proposal of which only what is given is known; it costs nothing until it is priced (price.ts). */
export const blankProposal = (given: Given): ProposalRecord => ({
  Status: ProposalStatus.Internal, OpenedAt: null, ExpiresAt: null, AcceptedAt: null, ServiceId: 0, ServiceName: '', Description: '', Title: '',
  CustomerNotes: '', DeliveryUri: '', OwnerUserId: null, ServiceAgentId: null, AskedQuantity: null, Taxable: false, NamedTaxRate: null,
  DepositRate: null, DepositRequired: null, Options: [], Lines: [], ProposalNotes: [], ChangeOrderForProposalId: null,
  Book: compactBook({ service: blankService(0, null), parts: new Map(), templates: new Map(), fields: [] }),
  BundleWithProposalId: null, ChangeOrders: [], BundledProposals: [], IncludePaymentPlans: false, PaymentPlanRequired: null, DistributeParts: false,
  CustomFields: [], AccountingClass: null, ProposalTemplateId: null, DepositInvoiceId: null, EvidenceSha256: '', VisitsToQueue: 0,
  BasePrice: 0, UnitPrice: 0, Quantity: 0, Duration: 0, Subtotal: 0, Tax: 0, TaxableSubtotal: 0, ServiceTax: 0,
  Updated: given.Created, V: 0, ...given,
});

/** A line of which only what is given is known. */
export const blankLine = (given: Pick<ProposalLineRecord, 'Id'> & Partial<ProposalLineRecord>): ProposalLineRecord => ({
  PartId: 0, AskedQuantity: null, AskedPrice: null, Quantity: 0, UnitPrice: 0, UnitCost: null, RatePercent: null, MaxDiscount: null, Discount: null,
  ExtendedTotal: 0, LineTax: 0, Duration: 0, Taxable: false, IsInternal: false, IsZeroPrice: false, Counts: false, LineDescription: '', Notes: '',
  SortIndex: 0, AssemblyLineId: null, OptionId: null, CustomFields: [], ...given,
});
