import type { StoreReader } from '../../store/store.ts';
import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { missingMinimum } from '../../domain/proposals/acceptance.ts';
import { choiceOf, unreachableMinimum, withChosenOptions } from '../../domain/proposals/choose-options.ts';
import { isShownToClient, isSigned, selectedOptionIds } from '../../domain/proposals/record.ts';
import { phoneCheckOf, phoneEndings } from '../../domain/phone-check.ts';
import { scheduleVisits } from '../../domain/subscriptions/visits.ts';
import { type Evidence, signedContent } from '../../domain/signing/evidence.ts';
import { isShownToClient as isInvoiceShown } from '../../domain/invoices/record.ts';
import { MAX_DIRECT_BYTES } from '../../domain/uploads/limits.ts';
import type { UploadRecord } from '../../entities/uploads.ts';
import type { ClientLink } from '../../domain/client-pages.ts';
import type { ProposalView } from '../../pages/proposal-page.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { conflict } from '../../shared/failure.ts';
import { canonical } from '../../shared/objects.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findPageLinks } from '../../store/links.ts';
import { findEvidence, sha256 } from '../../store/sales/evidence.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal, findProposals } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import { findUpload, findUploads, listProposalUploadIds } from '../../store/uploads.ts';
import { acceptProposal } from '../proposals/accept-proposal.ts';
import { updateProposal } from '../proposals/update-proposal.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { type LoadedPage, loadCompany, contactLinks } from './load-company.ts';

export interface LoadedProposalPage extends LoadedPage<ProposalView> {
  /** The id of the contact. */
  readonly contact: number;
  readonly phoneEndings: readonly string[];
}

/** The most related proposals that a page lists. */
const MAX_FAMILY = 30;

/** The proposal of a link; `undefined` if the link was revoked or the proposal is internal. One round. */
async function findShown({ store, target }: ClientContext): Promise<ProposalRecord | undefined> {
  const { id, generation } = target;
  const stored = await findProposal(store, id);
  return stored && isShownToClient(stored) && (stored.LinksRevoked ?? 0) === generation ? stored : undefined;
}

/** The proposal of a link, unless its contact was erased. Two rounds. */
async function findWithContact(context: ClientContext): Promise<ProposalRecord | undefined> {
  const proposal = await findShown(context);
  return proposal && (await findContact(context.store, proposal.ContactId)) ? proposal : undefined;
}

const shownHash = (proposal: ProposalRecord): string => sha256(canonical(signedContent(proposal)));

/**
 * The proposal of a link with the options chosen on its page; `undefined` if the link was revoked. Three rounds; four
 * if it is declined or expired and the contact has another open one for its service.
 */
export async function loadProposalPage(
  context: ClientContext,
  chosen?: readonly number[],
): Promise<LoadedProposalPage | undefined> {
  const { store, target, now } = context;
  const { id } = target;
  const [stored, uploads] = await Promise.all([findShown(context), listProposalUploadIds(store, id)]);
  if (!stored) return undefined;
  const [contact, clientCompany, definitions, signer, link, invoice, family, files] = await Promise.all([
    findContact(store, stored.ContactId),
    loadCompany(store, stored.OrganizationId),
    settingsOf<CustomField>(store, 'CustomField'),
    isSigned(stored.Status) ? findSigner(context, stored) : NOBODY,
    findPageLinks(store, target, now),
    stored.DepositInvoiceId === null ? undefined : findInvoice(store, stored.DepositInvoiceId),
    findFamily(context, stored),
    findUploads(store, uploads),
  ]);
  if (!contact) return undefined;
  const { proposal, options } = isSigned(stored.Status)
    ? { proposal: stored, options: [] }
    : withChosenOptions(stored, chosen, definitions);
  const deposit = toDeposit(invoice, link);
  const endings = phoneEndings(contact);
  const content = signedContent(proposal);
  const newer = await findNewer(context, stored, contact);
  const newerLink = newer && (proposalLink(link, newer) || undefined);
  const view: ProposalView = {
    company: clientCompany.company,
    contactName: clientName(contact),
    content,
    shown: shownHash(proposal),
    phoneCheck: phoneCheckOf(content.Total, clientCompany.verifyAbove, endings),
    choice: choiceOf(stored),
    describedLines: describedLines(proposal),
    optionTotals: new Map(options.map(({ optionId, total }) => [optionId, total])),
    visits: plannedDays(proposal),
    zone: stored.Zone,
    expiresAt: stored.ExpiresAt,
    state: stateOf(proposal, now.getTime(), { signer, deposit, newerLink, definitions }),
    family: family.map((each) => toRelative(each, stored, { link, now: now.getTime() })),
    pictures: files
      .filter((file) => isShownPicture(file, stored))
      .map(({ Id, Notes, Filename, Width, Height, Bytes }) => {
        const isLarge = Bytes > MAX_DIRECT_BYTES;
        return { id: Id, note: Notes, filename: Filename, width: Width, height: Height, isLarge };
      }),
  };
  return { view, contact: contact.Id, phoneEndings: endings, ...contactLinks(link, target, contact), ...clientCompany };
}

/** The days on which an open subscription would have its visits; the overview has them once it is signed. */
function plannedDays(proposal: ProposalRecord): string[] {
  const visits = isSigned(proposal.Status) ? [] : scheduleVisits(proposal);
  return visits.length > 1 ? visits.map(({ date }) => date) : [];
}

/** The lines whose text comes from their part in the price book, and is more than its name. */
function describedLines({ Lines, Book }: ProposalRecord): Set<number> {
  const parts = new Map(Book.Parts.map((part) => [part.Id, part]));
  const isDescribed = ({ PartId, LineDescription }: ProposalRecord['Lines'][number]) => {
    const { Name = '', Description = '' } = parts.get(PartId) ?? {};
    return Name !== '' && LineDescription !== Name && LineDescription === Description;
  };
  return new Set(Lines.filter(isDescribed).map(({ Id }) => Id));
}

/**
 * Whether a file is a picture that browsers show; for a signed proposal, it must have existed at signing. Also checks
 * which proposal it belongs to, because its id comes from an address.
 */
const isShownPicture = (
  { ProposalId, IsPicture, Width, Created }: UploadRecord,
  { Id, AcceptedAt }: ProposalRecord,
): boolean => ProposalId === Id && IsPicture && Width > 0 && (AcceptedAt === null || Created <= AcceptedAt);

/** A picture that the proposal's page shows; `undefined` for any other file. Two rounds. */
export async function findProposalPicture(context: ClientContext, id: number): Promise<UploadRecord | undefined> {
  const [proposal, upload] = await Promise.all([findWithContact(context), findUpload(context.store, id)]);
  return proposal && upload && isShownPicture(upload, proposal) ? upload : undefined;
}

/** The proposal that a change order or bundled one belongs to, and those that belong to it, as clients see them. */
async function findFamily({ store }: ClientContext, proposal: ProposalRecord): Promise<ProposalRecord[]> {
  const { ChangeOrderForProposalId, BundleWithProposalId, ChangeOrders, BundledProposals } = proposal;
  const parents = [ChangeOrderForProposalId, BundleWithProposalId].filter((id) => id !== null);
  const ids = [...parents, ...[...ChangeOrders, ...BundledProposals].map(({ Id }) => Id)].slice(0, MAX_FAMILY);
  const found = new Map((await findProposals(store, ids)).map((each) => [each.Id, each]));
  return ids.flatMap((id) => found.get(id) ?? []).filter(isShownToClient);
}

function toRelative(
  { Id, Title, ServiceName, ChangeOrderForProposalId, LinksRevoked = 0, ...record }: ProposalRecord,
  of: ProposalRecord,
  { link, now }: { readonly link: ClientLink; readonly now: number },
): ProposalView['family'][number] {
  const status = statusAt(record, now);
  return {
    content: { Title, ServiceName, ChangeOrderForProposalId },
    isParent: Id === of.ChangeOrderForProposalId || Id === of.BundleWithProposalId,
    status: isSigned(status) ? 'accepted' : (UNSIGNED[status] ?? 'open'),
    link: proposalLink(link, { Id, LinksRevoked }),
  };
}

const proposalLink = (
  link: ClientLink,
  { Id, LinksRevoked = 0 }: Pick<ProposalRecord, 'Id' | 'LinksRevoked'>,
): string => link('proposal', Id, LinksRevoked);

const UNSIGNED: Readonly<Record<number, 'declined' | 'expired'>> = {
  [ProposalStatus.Declined]: 'declined',
  [ProposalStatus.Expired]: 'expired',
};

/**
 * The open proposal for the same service that replaces one that is declined or expired; looking for it takes no request
 * if it has none. Compares creation times, not ids: each container issues ids from its own range, so a newer proposal
 * may have a lower id.
 */
async function findNewer(
  { store, now }: ClientContext,
  { Id, ServiceName, Created, ChangeOrders, BundledProposals, ...record }: ProposalRecord,
  { OpenProposals }: ContactRecord,
): Promise<ProposalRecord | undefined> {
  if (!UNSIGNED[statusAt(record, now.getTime())] || ServiceName === '') return undefined;
  const others = new Set([Id, ...[...ChangeOrders, ...BundledProposals].map((child) => child.Id)]);
  const ids = Object.entries(OpenProposals)
    .filter(([id, { Service }]) => Service === ServiceName && !others.has(Number(id)))
    .sort(([, one], [, other]) => other.Date.localeCompare(one.Date))
    .slice(0, MAX_FAMILY)
    .map(([id]) => Number(id));
  if (!ids.length) return undefined;
  return (await findProposals(store, ids))
    .filter((each) => each.Created > Created && statusAt(each, now.getTime()) === ProposalStatus.Open)
    .toSorted((one, other) => other.Created - one.Created)[0];
}

/** The amount due on the deposit's invoice, and its page; `undefined` without one that clients see. */
const toDeposit = (invoice: InvoiceRecord | undefined, link: ClientLink) =>
  invoice && isInvoiceShown(invoice)
    ? {
        link: link('invoice', invoice.Id, invoice.LinksRevoked ?? 0),
        due: invoice.Status === InvoiceStatus.Open ? invoice.BalanceDue : 0,
      }
    : undefined;

const clientName = ({ Name, Company }: Pick<ContactRecord, 'Name' | 'Company'>): string => Name || Company;

/** The signer as the evidence records them. */
interface Signer {
  readonly name: string;
  /** The name of the API key with which the office accepted; `''` for the client's own page. */
  readonly key: string;
}

const NOBODY: Signer = { name: '', key: '' };

export async function findSigner({ store }: { readonly store: StoreReader }, { Id }: ProposalRecord): Promise<Signer> {
  const found = await findEvidence(store, Id);
  if (found.kind !== 'found') return NOBODY;
  const { Acceptance } = JSON.parse(found.evidence.Content) as Pick<Evidence, 'Acceptance'>;
  return { name: Acceptance.Name, key: Acceptance.ByKey?.Name ?? '' };
}

function stateOf(
  proposal: ProposalRecord,
  now: number,
  {
    signer,
    deposit,
    newerLink,
    definitions,
  }: {
    readonly signer: Signer;
    readonly deposit: ReturnType<typeof toDeposit>;
    readonly newerLink: string | undefined;
    readonly definitions: readonly CustomField[];
  },
): ProposalView['state'] {
  if (isSigned(proposal.Status) && proposal.AcceptedAt !== null)
    return {
      kind: 'accepted',
      by: signer.name,
      byKey: signer.key,
      at: proposal.AcceptedAt,
      evidence: proposal.EvidenceSha256,
      deposit,
    };
  const status = statusAt(proposal, now);
  if (status === ProposalStatus.Open) return { kind: 'open', obstacle: obstacleOf(proposal, definitions) };
  return { kind: status === ProposalStatus.Declined ? 'declined' : 'expired', newerLink };
}

/** Why a proposal cannot be signed with the chosen options: one of its alternatives must be chosen. */
function obstacleOf(proposal: ProposalRecord, definitions: readonly CustomField[]) {
  if (unreachableMinimum(proposal, definitions)) return { kind: 'incomplete' } as const;
  const missing = missingMinimum(proposal);
  if (missing) return missing;
  const needsChoice = choiceOf(proposal) === 'one' && proposal.Options.length > 0;
  return needsChoice && !selectedOptionIds(proposal).length ? ({ kind: 'choice' } as const) : undefined;
}

export interface SignedForm {
  readonly name: string;
  /** A picture as data URI; `''` draws the name. */
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

/** The changes that accept a proposal as its page showed it. Throws conflict if it differs by now. */
export async function signProposal(
  context: ClientContext,
  { name, drawing, options, shown, agreement }: SignedForm,
): Promise<readonly Change[]> {
  const writing = toWriteContext(context);
  const { id } = context.target;
  const definitions = await settingsOf<CustomField>(writing.store, 'CustomField');
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

/** The changes that decline an open proposal, with the client's reason as a note. Throws conflict for any other. */
export async function declineProposal(context: ClientContext, reason: string): Promise<readonly Change[]> {
  const proposal = await findWithContact(context);
  if (!proposal || statusAt(proposal, context.now.getTime()) !== ProposalStatus.Open)
    throw conflict('wrong_state', 'The link was revoked, or the proposal is not open any more.');
  const note = reason.trim();
  const { changes } = await updateProposal(
    { Id: context.target.id, Status: 'Declined', ...(note ? { ProposalNotes: [{ Note: note }] } : {}) },
    toWriteContext(context),
  );
  return changes;
}
