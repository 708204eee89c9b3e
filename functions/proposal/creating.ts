import { conflict, faulty } from '../../lib/api/failure.ts';
import type { RequestOf } from '../../lib/api/operation.ts';
import { toLocalDate } from '../../lib/domain/moments-out.ts';
import { blankProposal } from '../../lib/domain/proposals/blank.ts';
import { tellProposal } from '../../lib/domain/proposals/merge.ts';
import { moveProposal } from '../../lib/domain/proposals/moves.ts';
import { proposalSettings } from '../../lib/store/accounts.ts';
import { randomHandle } from '../../lib/store/handles.ts';
import { leaseIds } from '../../lib/store/ids.ts';
import { stored } from './answered.ts';
import { contactOf, drawnOn, homeOf, settled, surroundingsOf, type Writing } from './drawn.ts';
import type { newProposalFields } from './fields.ts';
import { linked, parentsOf } from './linked.ts';

/** Makes a proposal: what a request names is read, the proposal told and priced, and stored with what follows for its parents and its contact. */
export async function creating({ Id: given, ContactId, ...request }: RequestOf<ReturnType<typeof newProposalFields>>, context: Writing) {
  const { table, caller, now } = context;
  const unnamed = !request.ServiceId && !request.ServiceName?.trim();
  const misnamed = [
    ...(given ? [{ field: 'Id', message: 'is given to a new proposal; one there already is changed with proposal/update' }] : []),
    ...(unnamed ? [{ field: 'ServiceId', message: 'or ServiceName is required' }] : []),
  ];
  if (misnamed.length) throw faulty(misnamed);
  const nothing = blankProposal({ Id: 0, OrganizationId: 0, ContactId, HashKey: '', Zone: 'UTC', Date: '', Created: now.getTime() });
  const [contact, drawn, parents, settings, [Id = 0]] = await Promise.all([
    contactOf(context, ContactId), drawnOn(context, nothing, request), parentsOf(context, undefined, request),
    proposalSettings(table, caller.accountId, now), leaseIds(table, caller.accountId, 'Proposal', 1),
  ]);
  const home = await homeOf(context, contact.OrganizationId, request, null);
  const { Id: OrganizationId, Timezone: Zone } = home.organization;
  const blank = { ...nothing, Id, OrganizationId, Zone, HashKey: randomHandle(22), Date: toLocalDate(now.getTime(), Zone) };
  const moved = moveProposal(blank, request.Status, { now: now.getTime(), expireAfterDays: settings.ExpireAfterDays });
  if (moved.kind === 'refused') throw conflict(moved.message);
  const told = tellProposal(moved.kind === 'moved' ? moved.proposal : blank, request, surroundingsOf(context, drawn, home, contact));
  const { links, held, faults: ofLinks, refusal } = await linked(context, blank, request, parents);
  const ofStatus = moved.kind === 'fault' ? [{ field: 'Status', message: moved.message }] : [];
  const faults = [...ofStatus, ...ofLinks, ...told.faults];
  const proposal = await settled(context, blank, { ...told, faults }, drawn.definitions);
  if (refusal !== undefined) throw conflict(refusal);
  return stored(context, { before: undefined, after: { ...proposal, ...links }, held, parents }, { contact, definitions: drawn.definitions });
}
