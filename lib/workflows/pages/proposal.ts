import type { ContactRecord } from '../../entities/contacts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { acceptanceError } from '../../domain/proposals/acceptance.ts';
import { choiceOf, withChosenOptions } from '../../domain/proposals/choose-options.ts';
import { ProposalStatus, isSigned, proposalStatusName, statusAt } from '../../domain/proposals/status.ts';
import { isShownToClient } from '../../domain/proposals/to-resource.ts';
import { signedContent } from '../../domain/signing/evidence.ts';
import type { ProposalView } from '../../pages/proposal.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { conflict } from '../../shared/failure.ts';
import { canonical } from '../../shared/text/canonical-json.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findEvidence, sha256 } from '../../store/sales/evidence.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import { acceptProposal } from '../proposals/accept-proposal.ts';
import { updateProposal } from '../proposals/update-proposal.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { type LoadedPage, loadCompany, preferencesLinkOf } from './load-company.ts';

const shownHash = (proposal: ProposalRecord): string => sha256(canonical(signedContent(proposal)));

/** The proposal of a link with the options chosen on its page; `undefined` where the link was revoked. Three rounds. */
export async function loadProposalPage(
  context: ClientContext,
  chosen?: readonly number[],
): Promise<LoadedPage<ProposalView> | undefined> {
  const { table, target, now } = context;
  const { account, id, generation } = target;
  const scope = { accountId: account, organizationId: null };
  const stored = await findProposal(table, scope, id);
  if (!stored || !isShownToClient(stored) || (stored.LinksRevoked ?? 0) !== generation) return undefined;
  const [contact, clientCompany, definitions, signer, link] = await Promise.all([
    findContact(table, scope, stored.ContactId),
    loadCompany(table, account, stored.OrganizationId),
    settingsOf<CustomField>(table, account, 'CustomField'),
    isSigned(stored.Status) ? findSigner(context, stored) : '',
    findAccountLinks(table, account, now),
  ]);
  if (!contact) return undefined;
  const { proposal, optionTotals } = isSigned(stored.Status)
    ? { proposal: stored, optionTotals: new Map<number, number>() }
    : withChosenOptions(stored, chosen, definitions);
  const { DepositInvoiceId } = stored;
  const depositLink = DepositInvoiceId === null ? '' : link('invoice', DepositInvoiceId, 0);
  const view: ProposalView = {
    company: clientCompany.company,
    contactName: clientName(contact),
    content: signedContent(proposal),
    shown: shownHash(proposal),
    choice: choiceOf(stored),
    optionTotals,
    zone: stored.Zone,
    expiresAt: stored.ExpiresAt,
    state: stateOf(proposal, now.getTime(), { signer, depositLink }),
    family: [...stored.ChangeOrders, ...stored.BundledProposals].map(({ Id, ServiceName, Status }) => ({
      title: ServiceName || String(Id),
      status: proposalStatusName(Status),
    })),
  };
  return { view, preferencesLink: preferencesLinkOf(link, contact), ...clientCompany };
}

const clientName = ({ Name, Company }: Pick<ContactRecord, 'Name' | 'Company'>): string => Name || Company;

async function findSigner({ table, target }: ClientContext, { Id }: ProposalRecord): Promise<string> {
  const found = await findEvidence(table, target.account, Id);
  if (found.kind !== 'found') return '';
  const { Acceptance } = JSON.parse(found.evidence.Content) as { Acceptance: { Name: string } };
  return Acceptance.Name;
}

function stateOf(
  proposal: ProposalRecord,
  now: number,
  { signer, depositLink }: { readonly signer: string; readonly depositLink: string },
): ProposalView['state'] {
  if (isSigned(proposal.Status) && proposal.AcceptedAt !== null)
    return { kind: 'accepted', by: signer, at: proposal.AcceptedAt, evidence: proposal.EvidenceSha256, depositLink };
  const status = statusAt(proposal, now);
  if (status === ProposalStatus.Open) return { kind: 'open', obstacle: acceptanceError(proposal, now)?.message };
  return { kind: status === ProposalStatus.Declined ? 'declined' : 'expired' };
}

export interface SignedForm {
  readonly name: string;
  /** A picture as data URI; `''` makes one of the name. */
  readonly drawing: string;
  readonly options: readonly number[];
  /** The hash of what the page showed. */
  readonly shown: string;
  readonly agreement: string;
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** A typed name as the picture of a signature. */
const typedSignature = (name: string): string => {
  const text = name.replaceAll(/[&<>"']/g, (character) => XML[character] ?? '').replaceAll(/\p{Cc}/gu, ' ');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 80">' +
    `<text x="10" y="50" font-size="32" font-style="italic" font-family="cursive">${text}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

/** The changes that accept a proposal as its page showed it. Throws conflict where it differs by now. */
export async function signProposal(
  context: ClientContext,
  { name, drawing, options, shown, agreement }: SignedForm,
): Promise<readonly Change[]> {
  const writing = toWriteContext(context);
  const { account, id } = context.target;
  const definitions = await settingsOf<CustomField>(writing.table, account, 'CustomField');
  const input = { ProposalId: id, Name: name, SignatureData: drawing || typedSignature(name) };
  const choose = (stored: ProposalRecord): ProposalRecord => {
    const { proposal } = withChosenOptions(stored, options, definitions);
    if (shownHash(proposal) !== shown)
      throw conflict('wrong_state', 'The proposal differs from the one that was shown.', { changed: true });
    return proposal;
  };
  const { changes } = await acceptProposal(input, writing, { choose, agreement });
  return changes;
}

/** The changes that decline an open proposal, with the client's reason as a note. */
export async function declineProposal(context: ClientContext, reason: string): Promise<readonly Change[]> {
  const note = reason.trim();
  const { changes } = await updateProposal(
    { Id: context.target.id, Status: 'Declined', ...(note ? { ProposalNotes: [{ Note: note }] } : {}) },
    toWriteContext(context),
  );
  return changes;
}
