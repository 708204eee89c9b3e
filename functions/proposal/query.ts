import { operation } from '../../lib/api/operation.ts';
import { datetime, flag, id, int32, text } from '../../lib/resources/fields.ts';
import { Proposal } from '../../lib/resources/proposals.ts';
import { PAGES, dateFields, pageFields, pageOf, through, updatedFields } from '../../lib/resources/queries.ts';
import { many } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { queryProposals } from '../../lib/store/proposals.ts';
import { toProposalResources } from '../../lib/workflows/proposals/load-proposal-resources.ts';
import { SCOPE_HELP, parseScope } from '../../lib/workflows/proposals/query-scope.ts';

export const query = operation({
  name: 'proposal/query',
  summary: 'The proposals that meet every criterion given, by Date, then id.',
  description:
    'Scope is empty for all, or the status they must have, however written: internal, open, accepted, declined, ' +
    'invoiced, scheduled, complete, expired. One that waits for an answer beyond its time is expired. FromDate and ' +
    "ThroughDate are of the proposal's Date; one that was never accepted meets no FromAccepted or ThroughAccepted. " +
    PAGES,
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    Scope: text(100),
    ...dateFields(),
    FromAccepted: datetime(),
    ThroughAccepted: through(),
    ...updatedFields(),
    OwnerUserId: id(),
    ContactId: id(),
    ...pageFields(),
    IncludeContact: flag(),
  }),
  response: () => ({ Count: int32(0), Proposals: many(Proposal) }),
  failures: ['invalid'],
  example: { Scope: 'open', FromDate: '2026-03-01', ThroughDate: '2026-03-31', IncludeContact: true },
  async run(request, context) {
    const { table, caller, now } = context;
    const { Timezone } = await callerOrganization(table, caller, now);
    const scope = parseScope(request.Scope);
    const date = parseTimeSpan(['FromDate', 'ThroughDate'], request, Timezone);
    const accepted = parseTimeSpan(['FromAccepted', 'ThroughAccepted'], request, Timezone);
    const updated = parseTimeSpan(['UpdatedFrom', 'UpdatedThrough'], request, Timezone);
    const unknown = scope === undefined ? [{ field: 'Scope', message: SCOPE_HELP }] : [];
    const errors = [...unknown, ...date.errors, ...accepted.errors, ...updated.errors];
    if (errors.length) throw invalid(...errors);
    const asked = {
      contact: request.ContactId ?? undefined,
      owner: request.OwnerUserId ?? undefined,
      status: scope === 'all' ? undefined : scope,
      date: date.span,
      accepted: accepted.span,
      updated: updated.span,
      ...pageOf(request),
    };
    const { count, proposals } = await queryProposals(table, caller, asked, now);
    return { Count: count, Proposals: await toProposalResources(context, proposals, request.IncludeContact ?? false) };
  },
});
