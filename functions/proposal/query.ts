import { faulty } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import type { Fault } from '../../lib/domain/faults.ts';
import { readSpan } from '../../lib/domain/spans.ts';
import { datetime, described, flag, id, int32, text } from '../../lib/resources/fields.ts';
import { Proposal } from '../../lib/resources/proposals.ts';
import { many } from '../../lib/resources/resource.ts';
import { homeOrganization } from '../../lib/store/accounts.ts';
import { queryProposals } from '../../lib/store/proposals.ts';
import { readScope, SCOPE_HELP } from './scope.ts';
import { shown } from './shown.ts';

const wholeDay = 'A date without time includes that whole day.';

/** The faults of a span whose ends are called From and Through with `what` behind: FromDate, ThroughDate. */
const behind = (what: string, faults: readonly Fault[]): Fault[] =>
  faults.map(({ field, message }) => ({
    field: `${field}${what}`,
    message: message.replace(/ From$/, ` From${what}`),
  }));

export const query = operation({
  name: 'proposal/query',
  summary: 'The proposals that meet every criterion given, by Date, then id.',
  description:
    'Scope is empty for all, or the status they must have, in any case: internal, open, accepted, declined, ' +
    'invoiced, scheduled, complete, expired. One that waits for an answer beyond its time is expired. FromDate and ' +
    'ThroughDate are of the proposal’s Date; one that was never accepted meets no FromAccepted or ThroughAccepted. ' +
    'Count is the exact number of all matches; the pages of one query are of the moment at which its first was asked for, for ten ' +
    'minutes.',
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    Scope: text(100),
    FromDate: datetime(),
    ThroughDate: described(datetime(), wholeDay),
    FromAccepted: datetime(),
    ThroughAccepted: described(datetime(), wholeDay),
    UpdatedFrom: datetime(),
    UpdatedThrough: described(datetime(), wholeDay),
    OwnerUserId: id(),
    ContactId: id(),
    Skip: int32(0),
    Take: described(int32(1, 500), '100 unless said otherwise.'),
    IncludeContact: flag(),
  }),
  response: () => ({ Count: int32(0), Proposals: many(Proposal) }),
  failures: ['invalid'],
  example: { Scope: 'open', FromDate: '2026-03-01', ThroughDate: '2026-03-31', IncludeContact: true },
  async run(request, context) {
    const { table, caller, now } = context;
    const { Timezone } = await homeOrganization(table, caller, now);
    const scope = readScope(request.Scope);
    const date = readSpan('', [request.FromDate, request.ThroughDate], Timezone);
    const accepted = readSpan('', [request.FromAccepted, request.ThroughAccepted], Timezone);
    const updated = readSpan('Updated', [request.UpdatedFrom, request.UpdatedThrough], Timezone);
    const unknown = scope === undefined ? [{ field: 'Scope', message: SCOPE_HELP }] : [];
    const dated = [...behind('Date', date.faults), ...behind('Accepted', accepted.faults)];
    const faults = [...unknown, ...dated, ...updated.faults];
    if (faults.length) throw faulty(faults);
    const asked = {
      contact: request.ContactId ?? undefined,
      owner: request.OwnerUserId ?? undefined,
      status: scope === 'all' ? undefined : scope,
      date: date.span,
      accepted: accepted.span,
      updated: updated.span,
      skip: request.Skip ?? 0,
      take: request.Take ?? 100,
    };
    const { count, proposals } = await queryProposals(table, caller, asked, now);
    return { Count: count, Proposals: await shown(context, proposals, request.IncludeContact ?? false) };
  },
});
