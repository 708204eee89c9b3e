import type { ProposalLineRecord } from '../../lib/entities/proposal-parts.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import type { ServiceRecord } from '../../lib/entities/services.ts';
import type { PartRecord } from '../../lib/entities/parts.ts';
import { priceProposal } from '../../lib/domain/proposals/price.ts';
import { blankLine, blankProposal, compactBook } from '../../lib/domain/proposals/record.ts';
import { service } from './pricing.ts';

const ZONE = 'America/New_York';

/** April 1 to October 31, as a service stores its season. */
export const SUMMER = { SeasonStart: '2026-04-01', SeasonExpiration: '2026-10-31' };

/** A subscription of six visits, 600.00 in all, each of 45 minutes, by default. */
export const subscription = (overrides: Partial<ServiceRecord> = {}): ServiceRecord =>
  service({ IsSubscription: true, BasePrice: 600, VisitCount: 6, BaseDuration: 45, ...overrides });

interface Overrides extends Partial<ProposalRecord> {
  readonly of?: ServiceRecord;
  readonly parts?: ReadonlyMap<number, PartRecord>;
  readonly lines?: readonly Partial<ProposalLineRecord>[];
}

/** A proposal of a service on 2026-03-01, priced; its lines are numbered from 1, each of the part of its number. */
export function pricedProposal({
  of = subscription(),
  parts = new Map(),
  lines = [],
  ...overrides
}: Overrides = {}): ProposalRecord {
  const proposal = blankProposal({
    Id: 7,
    OrganizationId: 1,
    ContactId: 3,
    Zone: ZONE,
    Date: '2026-03-01',
    Created: 0,
    ServiceId: of.Id,
    ServiceName: of.Name,
    Taxable: of.Taxable,
    Book: compactBook({ service: of, parts, templates: new Map(), fields: [] }),
    Lines: lines.map((line, index) => {
      const Id = index + 1;
      return blankLine({ Id, PartId: Id, SortIndex: index, RequestedQuantity: 1, ...line });
    }),
    ...overrides,
  });
  const lineIds = Array.from({ length: 100 }, (_, index) => 101 + index);
  const outcome = priceProposal(proposal, { definitions: [], lineIds });
  if (outcome.kind === 'invalid') throw new Error(JSON.stringify(outcome.errors));
  return outcome.proposal;
}

export const TAX = { Id: 1, Name: 'County', TaxRate: 8.875, Parts: [] };
