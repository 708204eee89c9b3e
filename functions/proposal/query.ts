import { PROPOSAL_STATUSES } from '../../lib/entities/proposal-status.ts';
import { Proposal } from '../../lib/entities/proposals.ts';
import { operation } from '../../lib/api/operation.ts';
import { findProposalStatus } from '../../lib/domain/proposals/record.ts';
import { moment, flag, id, int32, many, text } from '../../lib/resources/fields.ts';
import {
  PAGES,
  dateFields,
  dateFilter,
  pageFields,
  pageOf,
  through,
  updatedFields,
} from '../../lib/resources/queries.ts';
import { collectErrors, invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { queryProposals } from '../../lib/store/sales/proposals.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';
import { loadProposalResources } from '../../lib/workflows/proposals/load-proposal-resources.ts';

const SCOPES = PROPOSAL_STATUSES.map((name) => name.toLowerCase()).join(', ');

export const query = operation({
  title: 'List proposals',
  summary: 'Lists the proposals that meet every criterion, by Date, then id.',
  rules: [
    `Scope is empty for all, or a status in any case: ${SCOPES}.`,
    'The status of an open proposal is Expired once its time has passed.',
    "FromDate and ThroughDate apply to the proposal's Date, FromAccepted and ThroughAccepted to accepted proposals.",
    ...PAGES,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    Scope: text(100),
    ...dateFields(),
    FromAccepted: moment(),
    ThroughAccepted: through(),
    ...updatedFields(),
    OwnerUserId: id(),
    ContactId: id(),
    ...pageFields(),
    IncludeContact: flag(),
  }),
  response: () => ({ Count: int32(0), Proposals: many(Proposal) }),
  example: { Scope: 'open', FromDate: '2026-03-01', ThroughDate: '2026-03-31', IncludeContact: true },
  async run(request, context) {
    const { store, now } = context;
    const { Timezone } = await callerOrganization(store);
    const scope = request.Scope?.trim();
    const status = scope ? findProposalStatus(scope) : undefined;
    const date = parseTimeSpan(['FromDate', 'ThroughDate'], request, Timezone);
    const accepted = parseTimeSpan(['FromAccepted', 'ThroughAccepted'], request, Timezone);
    const updated = parseTimeSpan(['UpdatedFrom', 'UpdatedThrough'], request, Timezone);
    const isUnknown = Boolean(scope) && status === undefined;
    const scopeErrors = collectErrors([
      'Scope',
      isUnknown && `must be empty for all, or one of ${SCOPES}`,
      'unknown_value',
    ]);
    const errors = [...scopeErrors, ...date.errors, ...accepted.errors, ...updated.errors];
    if (errors.length) throw invalid(...errors);
    const criteria = {
      contact: request.ContactId ?? undefined,
      owner: request.OwnerUserId ?? undefined,
      status,
      date: date.span,
      accepted: accepted.span,
      updated: updated.span,
      ...pageOf(request),
    };
    const { count, proposals } = await boundedQuery(dateFilter(request), () => queryProposals(store, criteria, now));
    const includeContact = request.IncludeContact ?? false;
    return { Count: count, Proposals: await loadProposalResources(context, proposals, { includeContact }) };
  },
});
