import type {
  BrandingRevenueCategory,
  DimensionRecord,
  PartTemplate,
  ProposalTemplate,
} from '../../entities/price-book.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { Input } from '../../resources/fields.ts';

interface BookRecords {
  readonly services: ServiceRecord;
  readonly parts: PartRecord;
  readonly partTemplates: PartTemplate;
  readonly dimensions: DimensionRecord;
  readonly revenueCategories: BrandingRevenueCategory;
  readonly proposalTemplates: ProposalTemplate;
}
export type BookKind = keyof BookRecords;
export type BookRecord<Kind extends BookKind> = BookRecords[Kind];

/** The records of each kind by id. */
export type PriceBook = { readonly [Kind in BookKind]: ReadonlyMap<number, BookRecord<Kind>> };

export const emptyBook: PriceBook = {
  services: new Map(),
  parts: new Map(),
  partTemplates: new Map(),
  dimensions: new Map(),
  revenueCategories: new Map(),
  proposalTemplates: new Map(),
};

/** An entry of the company file or of organizations/update that is applied to a record of its kind. */
export interface BookEntry {
  readonly services: ServiceEntry;
  readonly parts: PartEntry;
  readonly partTemplates: Input<typeof PartTemplate>;
  readonly dimensions: DimensionEntry;
  readonly revenueCategories: Input<typeof BrandingRevenueCategory>;
  readonly proposalTemplates: ProposalTemplateEntry;
}

/** Entries to apply to a price book. Records without an entry stay as they are. */
export type BookInput = { readonly [Kind in BookKind]?: readonly BookEntry[Kind][] };
