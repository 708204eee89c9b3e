import type { BookRecord } from '../domain/pricebook/record.ts';
import type { ProposalTemplate } from '../resources/proposals.ts';
import type { CallerScope } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange } from './dynamodb/records.ts';
import { layout } from './keys.ts';

/** The small lists of a price book; services and parts are kept apart. */
export type BookEntryKind = 'partTemplates' | 'dimensions' | 'revenueCategories' | 'proposalTemplates';

const prefixes: Record<BookEntryKind, string> = {
  partTemplates: 'PartTemplate',
  dimensions: 'Dimension',
  revenueCategories: 'RevenueCategory',
  proposalTemplates: 'ProposalTemplate',
};

/** The entries of one kind, by id, as they are at this moment. */
export async function listBookEntries<Kind extends BookEntryKind>(
  table: TableReader,
  account: string,
  kind: Kind,
): Promise<Map<number, BookRecord<Kind>>> {
  const prefix = prefixes[kind];
  const range = {
    partition: layout.bookEntry.of({ account }),
    from: `${prefix}#`,
    to: `${prefix}#~`,
    consistent: true,
  };
  const records = (await listRange(table, range)).map((item) => item['Of'] as BookRecord<Kind>);
  return new Map(records.map((record) => [record.Id, record]));
}

/** One entry, where it exists. */
export async function findBookEntry<Kind extends BookEntryKind>(
  table: TableReader,
  account: string,
  kind: Kind,
  id: number,
): Promise<BookRecord<Kind> | undefined> {
  return (await table.get(layout.bookEntry.key({ account, kind: prefixes[kind], id })))?.['Of'] as
    BookRecord<Kind> | undefined;
}

/** The change that stores an entry. */
export const bookEntryChange = <Kind extends BookEntryKind>(
  account: string,
  kind: Kind,
  after: BookRecord<Kind>,
): Change => ({ put: { ...layout.bookEntry.key({ account, kind: prefixes[kind], id: after.Id }), Of: after } });

/**
 * A viewer of one organization sees its own and those of the account (`OrganizationId` 0); one of the account (`null`)
 * sees all.
 */
const sees = ({ organizationId }: CallerScope, { OrganizationId }: ProposalTemplate): boolean =>
  organizationId === null || OrganizationId === 0 || OrganizationId === organizationId;

/**
 * The proposal templates that the viewer sees, by id, whole as their resource; also those no longer active. One round.
 */
export const listProposalTemplates = async (table: TableReader, scope: CallerScope): Promise<ProposalTemplate[]> =>
  [...(await listBookEntries(table, scope.accountId, 'proposalTemplates')).values()].filter((template) =>
    sees(scope, template),
  );

/** The proposal template, where it exists for the viewer. */
export async function findProposalTemplate(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ProposalTemplate | undefined> {
  const template = await findBookEntry(table, scope.accountId, 'proposalTemplates', id);
  return template && sees(scope, template) ? template : undefined;
}
