import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import { serviceEntity } from '../../lib/entities/services.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import { blankLine, blankProposal, compactBook } from '../../lib/domain/proposals/record.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { proposalChanges } from '../../lib/store/sales/proposals.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { accountStore } from '../../lib/store/store.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** 50 templates of the first service, of five lines each, two of which are choices. */
export async function seedTemplates(table: TableWriter, accountId: string): Promise<void> {
  const ProposalTemplateLines = Array.from({ length: 5 }, (_, index) => ({
    Part: `Part ${index}`,
    Quantity: 2,
    Option: index < 2 ? `Option ${index}` : '',
  }));
  const proposalTemplates = Array.from({ length: 50 }, (_, index) => ({
    Name: `Template ${index}`,
    Service: 'Service 0',
    ProposalTemplateLines,
  }));
  const scope = {
    account: accountId,
    organizationId: null,
    accountWide: true,
    zone: 'UTC',
    now: new Date('2026-11-21T12:00:00Z'),
  };
  const answer = await writePriceBook(accountStore(table, scope.account), scope, { proposalTemplates });
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.errors));
}

const Book = compactBook({
  service: { ...serviceEntity.blank({ Id: 1, OrganizationId: null }), Name: 'Service 0', BasePrice: 50 },
  parts: new Map(),
  templates: new Map(),
  fields: [],
});
const lines = ['Edging', 'Mulch', 'Haul-away'].map((LineDescription, index) =>
  blankLine({
    Id: index + 1,
    LineDescription,
    RequestedPrice: 10,
    Quantity: 1,
    UnitPrice: 10,
    ExtendedTotal: 10,
    Counts: true,
    SortIndex: index + 1,
  }),
);

/** The n-th proposal: 300 a day, five a contact, three lines, half of them accepted and every tenth open. */
function proposalNumber(id: number): ProposalRecord {
  const at = START + Math.floor((id - 1) / 300) * DAY;
  const Status = id % 10 === 0 ? ProposalStatus.Open : id % 2 ? ProposalStatus.Accepted : ProposalStatus.Internal;
  return blankProposal({
    Id: id,
    OrganizationId: 1,
    ContactId: 1 + Math.floor((id - 1) / 5),
    Zone: 'America/New_York',
    Date: new Date(at).toISOString().slice(0, 10),
    Created: at,
    Status,
    OpenedAt: id % 10 ? null : at,
    AcceptedAt: id % 2 ? at + id * 1000 : null,
    ServiceId: 1,
    ServiceName: 'Service 0',
    BasePrice: 50,
    Quantity: 1,
    Subtotal: 80,
    Lines: lines,
    Book,
  });
}

/**
 * Stores proposals `from` to `through`, in batches; each was updated a second after the previous. Contacts do not list
 * them.
 */
export async function seedProposals(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  for (let first = from; first <= through; first += 250) {
    const made = Array.from({ length: Math.min(250, through - first + 1) }, (_, index) =>
      proposalNumber(first + index),
    );
    const changes = made.map(
      (after) =>
        proposalChanges({ account }, { before: undefined, after, now: new Date(START + after.Id * 1000) }).change,
    );
    await table.putMany(changes.flatMap((change) => ('put' in change ? [change.put] : [])));
  }
  await table.putMany([{ ...layout.lease.key({ account, kind: 'Proposal' }), Last: through + 10_000 }]);
}
