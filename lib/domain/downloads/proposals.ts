import { statusAt } from '../../entities/proposal-status.ts';
import { type ProposalRecord, proposalEntity } from '../../entities/proposals.ts';
import { startOfDate } from '../../shared/time/time.ts';
import { add } from '../../shared/money.ts';
import { taxPartsText } from '../pricing/tax-parts.ts';
import { proposalStatusName, proposalTaxParts } from '../proposals/record.ts';
import {
  type Row,
  column,
  contactColumns,
  customValue,
  geoShapeColumns,
  geoZoneColumns,
  organizationColumns,
  recordColumns,
} from './columns.ts';
import { tagText } from './contacts.ts';
import { defineKind, isOptionOn, itself } from './kind.ts';

type Proposal = ProposalRecord;

const toLines = ({ Lines, Book }: Proposal) => {
  const names = new Map(Book.Parts.map(({ Id, Name }) => [Id, Name]));
  return Lines.map((line) => ({
    Id: line.Id,
    PartId: line.PartId || null,
    Part: names.get(line.PartId) ?? '',
    LineDescription: line.LineDescription,
    Quantity: line.Quantity,
    UnitPrice: line.UnitPrice,
    Discount: line.Discount,
    ExtendedTotal: line.ExtendedTotal,
    LineTax: line.LineTax,
    Counts: line.Counts,
    OptionId: line.OptionId,
  }));
};

const selectedOption = ({ item }: Row<Proposal>) => item.Options.find(({ Selected }) => Selected)?.Name;

export const proposals = defineKind<Proposal, Proposal>({
  kind: 'proposals',
  rows: 'A proposal. Bundled proposals only with IncludeBundled.',
  settings: 'Proposals',
  source: 'Proposal',
  entity: proposalEntity,
  optionAttributes: {
    IncludeLines: ['Lines', 'Book'],
    IncludeCustomFields: ['CustomFields'],
    IncludeGeoZones: ['AccountingClass'],
  },
  moments: {
    Created: ({ Created }) => Created,
    Updated: ({ Updated }) => Updated,
    Date: ({ Date: date, Zone }) => startOfDate(date, Zone),
    Accepted: ({ AcceptedAt }) => AcceptedAt,
  },
  calendarDate: ({ Date: date }) => date,
  organizationOf: ({ OrganizationId }) => OrganizationId,
  contactIdOf: ({ ContactId }) => ContactId,
  zipOf: (_, contact) => contact?.Zip,
  selects: (proposal, filter, now) =>
    (isOptionOn(filter, 'IncludeBundled') || proposal.BundleWithProposalId === null) &&
    (typeof filter.settings['Status'] !== 'number' || statusAt(proposal, now) === filter.settings['Status']),
  items: itself,
  ...recordColumns(
    proposalEntity,
    [
      'Id',
      ...organizationColumns<Proposal>(),
      ...contactColumns<Proposal>(),
      'Title',
      column('text')(
        'Status',
        ({ item, now }) => proposalStatusName(statusAt(item, now)),
        'Internal, Open, Accepted, …; an open one beyond its time is Expired',
      ),
      'Date',
      'OpenedAt',
      'ExpiresAt',
      'AcceptedAt',
      'ServiceId',
      'ServiceName',
      'Description',
      'Quantity',
      'BasePrice',
      'UnitPrice',
      'Subtotal',
      'Tax',
      column('decimal')('Total', ({ item }) => add(item.Subtotal, item.Tax), 'Subtotal + Tax, without change orders'),
      column('text')('TaxRateName', ({ item }) => item.NamedTaxRate?.Name),
      column('decimal')('TaxRate', ({ item }) => item.NamedTaxRate?.TaxRate, 'percent'),
      'Duration',
      'DepositRequired',
      'DepositRate',
      'DepositInvoiceId',
      'OwnerUserId',
      'ServiceAgentId',
      column('text')('SelectedSolution', selectedOption, 'the selected option'),
      'ChangeOrderForProposalId',
      'BundleWithProposalId',
      'ProposalTemplateId',
      'CustomerNotes',
      'Created',
      'Updated',
      column('text')(
        'TaxParts',
        ({ item }) => taxPartsText(proposalTaxParts(item)),
        'such as GST 5 %: 0.51; QST 9.975 %: 1.01',
      ),
    ],
    {
      reads: ['Status', 'Zone', 'NamedTaxRate', 'TaxableSubtotal', 'Options'],
      options: [
        column('text')(
          'Tags',
          ({ contact }) => tagText(contact?.Tags),
          'of the contact, separated by ; ',
          'IncludeTags',
        ),
        column('list')('Lines', ({ item }) => toLines(item), 'the lines', 'IncludeLines'),
        column('list')(
          'Solutions',
          ({ item }) => item.Options,
          'the options, each with Id, Name, Selected',
          'IncludeSolutions',
        ),
        ...geoZoneColumns<Proposal>(
          ({ item, contact }) => item.AccountingClass?.TerritoryID ?? contact?.TerritoryID,
          ({ item }) => item.AccountingClass?.AccountingClass,
        ),
        ...geoShapeColumns<Proposal>(),
      ],
    },
  ),
  custom: { table: 2, value: customValue },
});
