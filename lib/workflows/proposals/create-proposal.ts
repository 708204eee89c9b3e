import { applyProposalInput } from '../../domain/proposals/apply-input.ts';
import { changeProposalStatus } from '../../domain/proposals/change-status.ts';
import { openingError } from '../../domain/proposals/choose-options.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { inputCountErrors } from '../../domain/proposals/price.ts';
import { draftProposal } from '../../domain/proposals/record.ts';
import { type FieldError, collectErrors, conflict, invalid } from '../../shared/failure.ts';
import { findProposalSettings } from '../../store/accounts/accounts.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import type { WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import { soldQuantity } from '../sold-quantity.ts';
import {
  type ProposalResult,
  finalize,
  loadCheckedParents,
  loadProposalContext,
  storeProposal,
} from './proposal-context.ts';

/**
 * Creates a proposal: applies the request to a blank one of the contact's organization, prices it, and lists it with
 * its parents and its contact. Throws notFound for the contact or service, invalid with all errors, and conflict with
 * the status of a parent.
 */
export async function createProposal(input: ProposalInput, context: WriteContext): Promise<ProposalResult> {
  const { store, now } = context;
  const missing = [...requiredFieldErrors(input), ...inputCountErrors(input)];
  if (missing.length) throw invalid(...missing);
  if (input.Quantity === 0) soldQuantity(0, context);
  const [proposalContext, { ExpireAfterDays }, [id = 0]] = await Promise.all([
    loadProposalContext(context, undefined, input),
    findProposalSettings(store),
    reserveIds(store, 'Proposal', 1),
  ]);
  const { contact, organization, references } = proposalContext;
  requireOpen(organization, 'proposals');

  const blank = draftProposal(id, organization, contact.Id, now.getTime());
  const status = changeProposalStatus(blank, input.Status, { now: now.getTime(), expireAfterDays: ExpireAfterDays });
  if (status.kind === 'conflict') throw conflict('wrong_state', status.message);
  const statusErrors =
    status.kind === 'invalid' ? [{ field: 'Status', code: 'unknown_value' as const, message: status.message }] : [];
  const update = applyProposalInput(status.kind === 'changed' ? status.proposal : blank, input, references);
  const parents = await loadCheckedParents(context, blank, input, proposalContext.parents);

  const errors = [...statusErrors, ...parents.errors, ...update.errors];
  const proposal = await finalize(context, blank, { ...update, errors }, references.definitions);
  if (parents.conflict) throw conflict(parents.conflict.code, parents.conflict.message);
  const after = { ...proposal, ...parents.references };
  const unopened = collectErrors(['Status', openingError(after, references.definitions), 'limit']);
  if (unopened.length) throw invalid(...unopened);
  return storeProposal(context, { before: undefined, after }, proposalContext, parents.guarded);
}

const requiredFieldErrors = ({ Id, ServiceId, ServiceName }: ProposalInput): FieldError[] =>
  collectErrors(
    [
      'Id',
      Boolean(Id) && 'must be absent: it is assigned on creation. Use proposal/update for an existing proposal',
      'fixed',
    ],
    ['ServiceId', !ServiceId && !ServiceName?.trim() && 'or ServiceName is required', 'required'],
  );
