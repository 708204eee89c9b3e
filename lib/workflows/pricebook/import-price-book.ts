import { planBook } from '../../domain/pricebook/plan.ts';
import {
  type BookRecord,
  type PartRecord,
  type PriceBook,
  type ServiceRecord,
  emptyBook,
} from '../../domain/pricebook/record.ts';
import type { BookChange, BookIdKind, BookInput, PlanScope } from '../../domain/pricebook/types.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/client.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { listParts, partChange } from '../../store/parts.ts';
import { type BookEntryKind, bookEntryChange, listBookEntries } from '../../store/price-book.ts';
import { listServices, serviceChanges } from '../../store/services.ts';
import { listSettingsWithVersions } from '../../store/settings.ts';

/** Whose book is told, by whom, and when: the scope of the plan but what is looked up. */
export type BookScope = Pick<PlanScope, 'organizationId' | 'accountWide' | 'zone' | 'now'> & {
  readonly accountId: string;
};

/** A book that was told something and may be stored: no changes where nothing is new. */
export interface BookReady {
  readonly kind: 'ready';
  readonly book: PriceBook;
  readonly changes: readonly BookChange[];
  /** The services that the entries spoke of, in their order, as they will be. */
  readonly services: readonly ServiceRecord[];
  /** What stores it, in one transaction with what the caller has besides; at most 100 changes go into one. */
  readonly writes: readonly Change[];
  /** The same in transactions, one after another; every beginning of them leaves a book behind that is whole. */
  readonly transactions: readonly (readonly Change[])[];
}
export type BookImport = BookReady | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** A transaction takes 100 changes and 4 MB; a service is four changes of at most 40 KB, two of them with it whole. */
const MAX_CHANGES = 90;

const byId = <Thing extends { readonly Id: number }>(records: readonly Thing[]): Map<number, Thing> =>
  new Map(records.map((record) => [record.Id, record]));

/**
 * The price book as an organization sees it, or all of it (`null`): one round, two where a shard holds more than 1 MB.
 */
export async function loadPriceBook(
  table: TableReader,
  { accountId, organizationId = null }: { accountId: string; organizationId?: number | null },
): Promise<PriceBook> {
  const entries = <Kind extends BookEntryKind>(kind: Kind) => listBookEntries(table, accountId, kind);
  const [services, parts, partTemplates, dimensions, revenueCategories, proposalTemplates] = await Promise.all([
    listServices(table, { accountId, organizationId }).then(byId),
    listParts(table, accountId).then(byId),
    entries('partTemplates'),
    entries('dimensions'),
    entries('revenueCategories'),
    entries('proposalTemplates'),
  ]);
  return { services, parts, partTemplates, dimensions, revenueCategories, proposalTemplates };
}

function changesOf(account: string, { kind, before, after }: BookChange): Change[] {
  if (kind === 'services') return serviceChanges(account, before as ServiceRecord | undefined, after as ServiceRecord);
  if (kind === 'parts') return [partChange(account, before as PartRecord | undefined, after as PartRecord)];
  return [bookEntryChange(account, kind, after as BookRecord<typeof kind>)];
}

/**
 * A change of the book holds only where the book still is what was read: names stay unique and assemblies without
 * circles, whoever writes beside.
 */
const revised = (account: string, from: number): Change => ({
  put: { ...layout.bookRevision.key({ account }), V: from + 1 },
  if: from ? { equals: { V: from } } : 'absent',
});

function transactionsOf(account: string, revision: number, groups: readonly (readonly Change[])[]): Change[][] {
  const transactions: Change[][] = [];
  for (const group of groups) {
    const last = transactions.at(-1);
    if (last && last.length + group.length <= MAX_CHANGES) last.push(...group);
    else transactions.push([revised(account, revision + transactions.length), ...group]);
  }
  return transactions;
}

/**
 * Plans what a price book becomes when it is told something (`planBook` has the rules), without storing it. Nothing
 * told costs nothing; else three rounds. Where somebody else changes the book before it is stored, the commit is a
 * StoreConflict, and the call is to be run again.
 */
export async function planPriceBook(table: TableWriter, scope: BookScope, input: BookInput): Promise<BookImport> {
  const { accountId, organizationId } = scope;
  const told = Object.values(input).some((list) => (list as readonly unknown[] | undefined)?.length);
  if (!told) return { kind: 'ready', book: emptyBook, changes: [], services: [], writes: [], transactions: [] };
  // Read first: a book that changes while it is read has then another revision.
  const [item, settings] = await Promise.all([
    table.get(layout.bookRevision.key({ account: accountId })),
    listSettingsWithVersions<CustomField>(table, accountId, 'CustomField'),
  ]);
  const customFields = settings.map(({ Value }) => Value);
  const revision = (item?.['V'] as number | undefined) ?? 0;
  const book = await loadPriceBook(table, { accountId, organizationId });
  const trial = planBook(book, input, { ...scope, customFields, ids: {} });
  if (trial.kind === 'invalid') return trial;
  const kinds = Object.entries(trial.needs) as [BookIdKind, number][];
  const leased = await Promise.all(
    kinds.map(async ([kind, count]) => [kind, await reserveIds(table, accountId, kind, count)] as const),
  );
  const plan = kinds.length
    ? planBook(book, input, { ...scope, customFields, ids: Object.fromEntries(leased) })
    : trial;
  if (plan.kind === 'invalid') return plan;
  const groups = plan.changes.map((change) => changesOf(accountId, change));
  return {
    kind: 'ready',
    book: plan.book,
    changes: plan.changes,
    services: plan.named.services.flatMap((id) => plan.book.services.get(id) ?? []),
    writes: groups.length ? [revised(accountId, revision), ...groups.flat()] : [],
    transactions: transactionsOf(accountId, revision, groups),
  };
}

/**
 * Tells a price book something and stores it, transaction after transaction; where somebody else changes the book in
 * between, what is left is planned again. Nothing is stored where there are faults.
 */
export const writePriceBook = (table: TableWriter, scope: BookScope, input: BookInput): Promise<BookImport> => {
  const changes = new Map<string, BookChange>();
  return retryOnConflict(async () => {
    const planned = await planPriceBook(table, scope, input);
    if (planned.kind === 'invalid') return planned;
    for (const change of planned.changes) {
      const name = `${change.kind}#${change.after.Id}`;
      changes.set(name, changes.get(name) ? { ...change, before: changes.get(name)?.before } : change);
    }
    for (const transaction of planned.transactions) await table.commit(transaction);
    return { ...planned, changes: [...changes.values()] };
  });
};
