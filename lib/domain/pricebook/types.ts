import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { BrandingRevenueCategory } from '../../resources/pricing.ts';
import type { Input } from '../../resources/resource.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import type { BookKind, BookRecord, PriceBook } from './record.ts';

/** What a book is told; every list may be left out. Things not named stay as they are. */
export interface BookInput {
  readonly services?: readonly ServiceEntry[];
  readonly parts?: readonly PartEntry[];
  readonly partTemplates?: readonly Input<typeof PartTemplate>[];
  readonly dimensions?: readonly DimensionEntry[];
  readonly revenueCategories?: readonly Input<typeof BrandingRevenueCategory>[];
  readonly proposalTemplates?: readonly ProposalTemplateEntry[];
}

/** Kinds of ids that a book hands out. */
export type BookIdKind =
  | 'Service'
  | 'Part'
  | 'PartTemplate'
  | 'Dimension'
  | 'BrandingRevenueCategory'
  | 'ProposalTemplate'
  | 'ProposalTemplateLine'
  | 'PricingBand'
  | 'PartQtyPricing'
  | 'PartCategory';

/** What is to be known besides the book and what it is told. */
export interface PlanScope {
  /** Whose services are told of: an organization's, or (`null`) those that every organization of the account has. */
  readonly organizationId: number | null;
  /** Whether what belongs to the whole account may be changed: not by a key that is bound to an organization. */
  readonly accountWide: boolean;
  readonly customFields: readonly CustomField[];
  /** The zone that moments without offset are in. */
  readonly zone: string;
  readonly now: Date;
  /** New ids at hand, by kind. */
  readonly ids: Partial<Record<BookIdKind, readonly number[]>>;
}

/** A thing that is new (`before` undefined) or different, and where it was told of (`Services[2]`). */
export interface BookChange<Kind extends BookKind = BookKind> {
  readonly kind: Kind;
  readonly field: string;
  readonly before: BookRecord<Kind> | undefined;
  readonly after: BookRecord<Kind>;
}

/**
 * What a book told so becomes: `book` the whole of it, `changes` what of it is new or different, in an order in which
 * every beginning of it is a book without unknown items. `needs` says how many new ids it takes; where fewer were at
 * hand the plan is only good for learning that. `named`: for each entry of a kind, the id it speaks of.
 */
export type BookPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | {
      readonly kind: 'ready';
      readonly book: PriceBook;
      readonly changes: readonly BookChange[];
      readonly needs: Partial<Record<BookIdKind, number>>;
      readonly named: Readonly<Record<BookKind, readonly number[]>>;
    };
