import type { RequestOf } from '../../api/operation.ts';
import { applyProposalInput } from '../../domain/proposals/apply-input.ts';
import { blankProposal } from '../../domain/proposals/record.ts';
import { changeProposalStatus } from '../../domain/proposals/transitions.ts';
import type { newProposalFields } from '../../resources/proposal-fields.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { toLocalDate } from '../../shared/format-moments.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { findProposalSettings } from '../../store/accounts.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { loadContact } from '../contacts/load-contact.ts';
import {
  type WriteContext,
  loadReferences,
  loadProposalContext,
  loadLinkedProposals,
  loadParents,
  finalize,
  proposalReferences,
} from './proposal-context.ts';
import { savedProposal } from './save-proposal.ts';

type Request = RequestOf<ReturnType<typeof newProposalFields>>;

/**
 * Makes a proposal: what a request names is read, the proposal told and priced, and saved with what follows for its
 * parents and its contact.
 */
export async function createProposal({ Id: input, ContactId, ...request }: Request, context: WriteContext) {
  const { table, caller, now } = context;
  const unnamed = !request.ServiceId && !request.ServiceName?.trim();
  const isThere = 'is given to a new proposal; one there already is changed with proposal/update';
  const misnamed = [
    ...(input ? [{ field: 'Id', message: isThere }] : []),
    ...(unnamed ? [{ field: 'ServiceId', message: 'or ServiceName is required' }] : []),
  ];
  if (misnamed.length) throw invalid(...misnamed);
  const at = now.getTime();
  const nowhere = { Id: 0, OrganizationId: 0, ContactId, HashKey: '', Zone: 'UTC', Date: '' };
  const nothing = blankProposal({ ...nowhere, Created: at });
  const [contact, drawn, parents, settings, [Id = 0]] = await Promise.all([
    loadContact(context, ContactId),
    loadReferences(context, nothing, request),
    loadParents(context, undefined, request),
    findProposalSettings(table, caller.accountId, now),
    reserveIds(table, caller.accountId, 'Proposal', 1),
  ]);
  const home = await loadProposalContext(context, contact.OrganizationId, request, null);
  const { Id: OrganizationId, Timezone: Zone } = home.organization;
  const blank = { ...nothing, Id, OrganizationId, Zone, HashKey: randomHandle(22), Date: toLocalDate(at, Zone) };
  const moved = changeProposalStatus(blank, request.Status, { now: at, expireAfterDays: settings.ExpireAfterDays });
  if (moved.kind === 'refused') throw conflict(moved.message);
  const begun = moved.kind === 'moved' ? moved.proposal : blank;
  const told = applyProposalInput(begun, request, proposalReferences(context, drawn, home, contact));
  const { links, held, errors: ofLinks, refusal } = await loadLinkedProposals(context, blank, request, parents);
  const ofStatus = moved.kind === 'fault' ? [{ field: 'Status', message: moved.message }] : [];
  const errors = [...ofStatus, ...ofLinks, ...told.errors];
  const { definitions } = drawn;
  const proposal = await finalize(context, blank, { ...told, errors }, definitions);
  if (refusal !== undefined) throw conflict(refusal);
  const after = { ...proposal, ...links };
  return savedProposal(context, { before: undefined, after, held, parents }, { contact, definitions });
}
