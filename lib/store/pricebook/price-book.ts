import type { Stored } from '../../entities/declaration/read.ts';
import {
  type ProposalTemplate,
  bookEntryEntity,
  bookRevisionEntity,
  dimensionEntity,
  partTemplateEntity,
  proposalTemplateEntity,
  revenueCategoryEntity,
} from '../../entities/price-book.ts';
import type { BookRecord } from '../../domain/pricebook/record.ts';
import type { CallerScope, StoreAccount, StoreReader } from '../store.ts';
import type { Change } from '../dynamodb/changes.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';

/** The small lists of a price book; services and parts have repositories of their own. */
export type BookEntryKind = 'partTemplates' | 'dimensions' | 'revenueCategories' | 'proposalTemplates';

const keyKinds: Record<BookEntryKind, string> = {
  partTemplates: 'PartTemplate',
  dimensions: 'Dimension',
  revenueCategories: 'RevenueCategory',
  proposalTemplates: 'ProposalTemplate',
};

/**
 * The versions of a price book and of its parts: each change of the book is a version, but usually not one of its
 * parts.
 */
export interface BookRevision {
  readonly book: number;
  readonly parts: number;
}

/** `undefined` if no entry was ever written. */
export async function findBookRevision({ table, account }: StoreReader): Promise<BookRevision | undefined> {
  const item = await table.get(layout.bookRevision.key({ account }));
  if (!item) return undefined;
  const { V: book, Parts = book } = bookRevisionEntity.read(item);
  return { book, parts: Parts };
}

/** Fails if the book has changed since it was read: names stay unique, and no assembly contains itself. */
export const bookRevisionChange = (
  { account }: StoreAccount,
  before: BookRevision | undefined,
  after: BookRevision,
): Change => ({
  put: { ...layout.bookRevision.key({ account }), V: after.book, Parts: after.parts },
  if: before ? { equals: { V: before.book } } : 'absent',
});

const entities: { readonly [Kind in BookEntryKind]: { read(stored: Stored): BookRecord<Kind> } } = {
  partTemplates: partTemplateEntity,
  dimensions: dimensionEntity,
  revenueCategories: revenueCategoryEntity,
  proposalTemplates: proposalTemplateEntity,
};

const readEntry = <Kind extends BookEntryKind>(kind: Kind, item: Stored): BookRecord<Kind> =>
  entities[kind].read(bookEntryEntity.read(item).Of);

/** The entries of one kind, by id; never stale, except for display, which costs half the price. */
export async function listBookEntries<Kind extends BookEntryKind>(
  { account, table }: StoreReader,
  kind: Kind,
  { consistent = true } = {},
): Promise<Map<number, BookRecord<Kind>>> {
  const from = `${keyKinds[kind]}#`;
  const range = { partition: layout.bookEntry.of({ account }), from, to: `${from}~`, consistent };
  const records = (await listRange(table, range)).map((item) => readEntry(kind, item));
  return new Map(records.map((record) => [record.Id, record]));
}

export async function findBookEntry<Kind extends BookEntryKind>(
  { table, account }: StoreReader,
  kind: Kind,
  id: number,
): Promise<BookRecord<Kind> | undefined> {
  const item = await table.get(layout.bookEntry.key({ account, kind: keyKinds[kind], id }));
  return item && readEntry(kind, item);
}

export const bookEntryChange = <Kind extends BookEntryKind>(
  { account }: StoreAccount,
  kind: Kind,
  after: BookRecord<Kind>,
): Change => ({ put: { ...layout.bookEntry.key({ account, kind: keyKinds[kind], id: after.Id }), Of: after } });

/** A caller of one organization sees its own templates and those of the account (`OrganizationId` 0). */
const isVisible = ({ organizationId }: CallerScope, { OrganizationId }: ProposalTemplate): boolean =>
  organizationId === null || OrganizationId === 0 || OrganizationId === organizationId;

/** The proposal templates that exist for the caller, by id, inactive ones too; a change shows within a second. */
export async function listProposalTemplates(store: StoreReader): Promise<ProposalTemplate[]> {
  const templates = await listBookEntries(store, 'proposalTemplates', { consistent: false });
  return [...templates.values()].filter((template) => isVisible(store, template));
}

/** The proposal template, if it exists for the caller. */
export async function findProposalTemplate(store: StoreReader, id: number): Promise<ProposalTemplate | undefined> {
  const template = await findBookEntry(store, 'proposalTemplates', id);
  return template && isVisible(store, template) ? template : undefined;
}
