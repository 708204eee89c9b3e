import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { BookIdKind } from '../../domain/pricebook/id-kinds.ts';
import { type BookChange, type PlanScope, planBook } from '../../domain/pricebook/plan.ts';
import { type BookInput, type BookRecord, type PriceBook, emptyBook } from '../../domain/pricebook/record.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { listParts, partChange } from '../../store/pricebook/parts.ts';
import {
  type BookEntryKind,
  type BookRevision,
  bookEntryChange,
  bookRevisionChange,
  findBookRevision,
  listBookEntries,
} from '../../store/pricebook/price-book.ts';
import { listServices, serviceChanges } from '../../store/pricebook/services.ts';
import { listSettingsWithVersions } from '../../store/settings.ts';
import { type StoreAccount, type StoreReader, type StoreWriter, organizationStore } from '../../store/store.ts';

/** The owner of the entries, the caller's rights and the moment. */
type BookOwner = Pick<PlanScope, 'organizationId' | 'accountWide' | 'now'>;

export interface ReadyPriceBook {
  readonly kind: 'ready';
  /** The book with the entries applied. */
  readonly book: PriceBook;
  readonly bookChanges: readonly BookChange[];
  /** The resulting services of the entries, in order. */
  readonly services: readonly ServiceRecord[];
  /** For one transaction with the caller's own changes; a transaction takes at most 100. */
  readonly changes: readonly Change[];
  /** The same changes as consecutive transactions; the book is consistent after each of them. */
  readonly transactions: readonly (readonly Change[])[];
}
export type PriceBookPlan = ReadyPriceBook | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/**
 * A transaction takes 100 changes and 4 MB; a service is four changes of at most 40 KB, two of which contain all of it.
 */
const MAX_CHANGES = 90;

/** The price book of an organization, or of all (`null`): one round, two if a shard exceeds 1 MB. */
export async function loadPriceBook(store: StoreReader, organizationId: number | null = null): Promise<PriceBook> {
  const byId = <Of extends { readonly Id: number }>(records: readonly Of[]): Map<number, Of> =>
    new Map(records.map((record) => [record.Id, record]));
  const entries = <Kind extends BookEntryKind>(kind: Kind) => listBookEntries(store, kind);
  const [services, parts, partTemplates, dimensions, revenueCategories, proposalTemplates] = await Promise.all([
    listServices(organizationStore(store, organizationId)).then(byId),
    listParts(store).then(byId),
    entries('partTemplates'),
    entries('dimensions'),
    entries('revenueCategories'),
    entries('proposalTemplates'),
  ]);
  return { services, parts, partTemplates, dimensions, revenueCategories, proposalTemplates };
}

/**
 * Plans the price book with the entries applied; planBook has the rules. Without entries it reads nothing, else it
 * takes three rounds. If somebody else changes the book before the commit, the commit throws a StoreConflict: repeat
 * the call.
 */
export async function planPriceBook(store: StoreWriter, owner: BookOwner, input: BookInput): Promise<PriceBookPlan> {
  if (!Object.values(input).some((entries) => entries?.length))
    return { kind: 'ready', book: emptyBook, bookChanges: [], services: [], changes: [], transactions: [] };
  // The revision comes first: if the book changes during the read, its revision differs.
  const [revision, settings] = await Promise.all([
    findBookRevision(store),
    listSettingsWithVersions<CustomField>(store, 'CustomField'),
  ]);
  const book = await loadPriceBook(store, owner.organizationId);
  const planScope = { ...owner, customFields: settings.map(({ Value }) => Value) };
  const trial = planBook(book, input, { ...planScope, ids: {} });
  if (trial.kind === 'invalid') return trial;
  const ids = await reserveNeededIds(store, trial.needs);
  const plan = Object.keys(ids).length ? planBook(book, input, { ...planScope, ids }) : trial;
  if (plan.kind === 'invalid') return plan;
  const transactions = toTransactions(store, revision, plan.changes);
  const changes = plan.changes.flatMap((change) => recordChanges(store, change));
  return {
    kind: 'ready',
    book: plan.book,
    bookChanges: plan.changes,
    services: plan.serviceIds.flatMap((id) => plan.book.services.get(id) ?? []),
    changes: changes.length ? [revisionChange(store, revision, plan.changes), ...changes] : [],
    transactions,
  };
}

async function reserveNeededIds(
  store: StoreWriter,
  needs: Partial<Record<BookIdKind, number>>,
): Promise<PlanScope['ids']> {
  const kinds = Object.entries(needs) as [BookIdKind, number][];
  const reserved = kinds.map(async ([kind, count]) => [kind, await reserveIds(store, kind, count)] as const);
  return Object.fromEntries(await Promise.all(reserved));
}

function recordChanges(store: StoreAccount, { kind, before, after }: BookChange): Change[] {
  if (kind === 'services') return serviceChanges(store, before as ServiceRecord | undefined, after as ServiceRecord);
  if (kind === 'parts') return [partChange(store, before as PartRecord | undefined, after as PartRecord)];
  return [bookEntryChange(store, kind, after as BookRecord<typeof kind>)];
}

/** The revision that results from changes. */
const nextRevision = (before: BookRevision | undefined, changes: readonly BookChange[]): BookRevision => {
  const book = (before?.book ?? 0) + 1;
  return { book, parts: changes.some(({ kind }) => kind === 'parts') ? book : (before?.parts ?? book) };
};

const revisionChange = (
  store: StoreAccount,
  before: BookRevision | undefined,
  changes: readonly BookChange[],
): Change => bookRevisionChange(store, before, nextRevision(before, changes));

function toTransactions(
  store: StoreAccount,
  revision: BookRevision | undefined,
  bookChanges: readonly BookChange[],
): Change[][] {
  const transactions: { readonly bookChanges: BookChange[]; readonly changes: Change[] }[] = [];
  for (const bookChange of bookChanges) {
    const changes = recordChanges(store, bookChange);
    const last = transactions.at(-1);
    // Leaves room for the revision, which is one more change.
    if (last && last.changes.length + changes.length < MAX_CHANGES) {
      last.bookChanges.push(bookChange);
      last.changes.push(...changes);
    } else transactions.push({ bookChanges: [bookChange], changes });
  }
  let before = revision;
  return transactions.map((transaction) => {
    const change = revisionChange(store, before, transaction.bookChanges);
    before = nextRevision(before, transaction.bookChanges);
    return [change, ...transaction.changes];
  });
}

/**
 * Writes the entries in consecutive transactions. If somebody else changes the book in between, it plans the rest
 * again: entries that are stored already change nothing. With errors it writes nothing.
 */
export const writePriceBook = (store: StoreWriter, owner: BookOwner, input: BookInput): Promise<PriceBookPlan> => {
  const allChanges = new Map<string, BookChange>();
  return retryOnConflict(async () => {
    const plan = await planPriceBook(store, owner, input);
    if (plan.kind === 'invalid') return plan;
    for (const change of plan.bookChanges) {
      const key = `${change.kind}#${change.after.Id}`;
      const earlier = allChanges.get(key);
      allChanges.set(key, earlier ? { ...change, before: earlier.before } : change);
    }
    for (const transaction of plan.transactions) await store.table.commit(transaction);
    return { ...plan, bookChanges: [...allChanges.values()] };
  });
};
