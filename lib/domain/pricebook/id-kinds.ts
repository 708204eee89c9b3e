/** The kinds of ids in a price book. */
export const BOOK_ID_KINDS = [
  'Service',
  'Part',
  'PartTemplate',
  'Dimension',
  'BrandingRevenueCategory',
  'ProposalTemplate',
  'ProposalTemplateLine',
  'PricingBand',
  'PartQtyPricing',
  'PartCategory',
] as const;
export type BookIdKind = (typeof BOOK_ID_KINDS)[number];
