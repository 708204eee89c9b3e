import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type LineNames, applyInvoiceInput, countNewLines } from '../../domain/invoices/apply-input.ts';
import { contentAsRead, invoiceContent } from '../../domain/invoices/content.ts';
import { NO_PAYMENTS } from '../../domain/client-pages.ts';
import { type InvoiceInput, blankInvoice, depositChangeError, isSameNumber } from '../../domain/invoices/record.ts';
import { billProposal, unmarkInvoiced, withBilledProposal } from '../../domain/invoices/proposal-effects.ts';
import { importOutcome, isBilling, isNew, newStatusErrors } from '../../domain/invoices/status.ts';
import { resolveTaxRate, taxRateSource } from '../../domain/invoices/tax-rate.ts';
import { type FieldError, conflict, invalid, orNotFound, prefixErrors } from '../../shared/failure.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { type ContactSummary, contactSummaryChanges, findContact, isMeant } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import { requestFingerprint } from '../../shared/objects.ts';
import { findInvoice, findInvoiceIdByNumber, invoiceChanges, takeInvoiceNumber } from '../../store/sales/invoices.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { findProposals, proposalsWithParentChanges, unchangedProposal } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { type InvoiceLinks, linkErrors, linksToLoad, loadLineNames, loadLinks } from './load-links.ts';

export interface ImportedInvoice {
  readonly invoice: InvoiceRecord;
  readonly changes: readonly Change[];
  readonly message?: string;
}

/**
 * Creates an invoice; importing the same Number with the same content again returns the first invoice. Three rounds:
 * what it refers to, its number, the commit. If two imports of a number run at once, one fails at the number's guard,
 * runs again and finds the other.
 */
export async function createInvoice(input: InvoiceInput, context: WriteContext): Promise<ImportedInvoice> {
  const { store, now } = context;
  const contactId = resolveContactId(input);
  const [found, links, lineNames, rates] = await Promise.all([
    findContact(store, contactId),
    loadLinks(input, context),
    loadLineNames(undefined, input, context),
    loadTaxRates(undefined, input, context),
    prefetchIds(store, 'Invoice', 1),
    prefetchLineIds(input, context),
  ]);
  const contact = orNotFound(found, 'contact', 'Invoice.ContactId', contactId);
  const [organization, numbering] = await Promise.all([
    getOrganization(store, contact.OrganizationId),
    resolveNumber(input, contact.OrganizationId, context),
  ]);
  if (numbering.kind === 'taken') return findRepeatedImport(numbering.id, input, context);
  const blank = blankInvoice({
    Id: numbering.id,
    Number: numbering.number,
    OrganizationId: contact.OrganizationId,
    ContactId: contact.Id,
    Zone: organization.Timezone,
    Created: now.getTime(),
    Fingerprint: importFingerprint(input, organization.Timezone),
  });
  const taxRates = { rates, contactRateId: contact.NamedTaxRateId };
  const after = await applyImport(blank, input, { links, lineNames, taxRates }, context);
  const { changes, ...saved } = await saveInvoice({ before: undefined, after, links }, context);
  return { ...saved, changes: [...changes, ...numbering.changes] };
}

/**
 * Changes or voids the invoice that `field` of the request names. Voiding reverts what the invoice changed in its
 * proposals and its appointment. Throws conflict for the deposit of a proposal while an invoice credits it. Three
 * rounds; two if the input refers to nothing new.
 */
export async function changeInvoice(
  { id, field }: { readonly id: number; readonly field: string },
  input: InvoiceInput,
  context: WriteContext,
): Promise<ImportedInvoice> {
  const { store } = context;
  const [found] = await Promise.all([findInvoice(store, id), prefetchLineIds(input, context)]);
  const before = orNotFound(found, 'invoice', field, id);
  await checkContact(before, input, context);
  const isVoided = input.Status === 'Voided' && before.Status !== InvoiceStatus.Voided;
  const usesContactRate = taxRateSource(before, input) === 'contact';
  const [links, lineNames, rates, contact, billedWork, depositor] = await Promise.all([
    loadLinks(linksToLoad(before, input), context),
    loadLineNames(before, input, context),
    loadTaxRates(before, input, context),
    usesContactRate ? findContact(store, before.ContactId) : undefined,
    isVoided ? loadBilledWork(before, context) : undefined,
    findDepositor(before, context),
    checkNumber(before, input, context),
  ]);
  const taxRates = { rates, contactRateId: contact?.NamedTaxRateId ?? null };
  const after = await applyImport(before, input, { links, lineNames, taxRates }, context);
  const outcome = importOutcome(before, after, input.Status);
  if (outcome.kind === 'refused') throw conflict(outcome.code, outcome.message);
  if (outcome.kind === 'same') return { invoice: before, changes: [] };
  const depositError = depositor && depositChangeError(before, after, depositor);
  if (depositError !== undefined) throw conflict('fixed_value', depositError);
  const saved = await saveInvoice({ before, after, links, billedWork }, context);
  // An invoice may credit the deposit at the same time; it then changes the proposal.
  const changesAmount = isVoided || after.Total !== before.Total;
  const checks = depositor && changesAmount ? [unchangedProposal(store, depositor)] : [];
  return { ...saved, changes: [...saved.changes, ...checks] };
}

/** The proposal whose deposit the invoice is; `undefined` for any other invoice. */
async function findDepositor(
  { Id, InvoiceType: type, ProposalId }: InvoiceRecord,
  { store }: ReadContext,
): Promise<ProposalRecord | undefined> {
  if (type !== InvoiceType.Deposit || !ProposalId) return undefined;
  const [proposal] = await findProposals(store, [ProposalId]);
  return proposal?.DepositInvoiceId === Id ? proposal : undefined;
}

/**
 * ContactId, or the Id of a Contact that is sent whole; 400 with all other errors if it is missing or contradictory.
 */
function resolveContactId(input: InvoiceInput): number {
  const { ContactId, Contact } = input;
  const id = ContactId || Contact?.Id;
  if (id && (!Contact?.Id || Contact.Id === id)) return id;
  const error = id
    ? { field: 'Contact.Id', code: 'mismatch' as const, message: `must equal ContactId, which is ${id}` }
    : { field: 'ContactId', code: 'required' as const, message: 'is required' };
  throw invalid(...prefixErrors('Invoice', [error, ...errorsWithoutContact(input)]));
}

/** Errors of a new invoice that can be found without its contact and other references. */
function errorsWithoutContact(input: InvoiceInput): FieldError[] {
  const identity = { Id: 0, OrganizationId: 0, ContactId: 0, Number: '', Zone: 'UTC', Created: 0 };
  const taxInput = { TaxRate: input.TaxRate ?? 0 };
  const { rate, errors } = resolveTaxRate(undefined, taxInput, { rates: [], contactRateId: null });
  const Lines = input.Lines?.map(({ ServiceId: _service, PartId: _part, ...line }) => line);
  const lineNames = { services: new Map<number, string>(), parts: new Map<number, string>() };
  const update = { rate, lineIds: [], lineNames, takesPayments: NO_PAYMENTS, now: 0 };
  const applied = applyInvoiceInput(blankInvoice(identity), { ...input, Lines }, update);
  return [...newStatusErrors(input), ...errors, ...applied.errors];
}

async function checkContact(
  { Id, ContactId }: InvoiceRecord,
  input: InvoiceInput,
  { store }: ReadContext,
): Promise<void> {
  const contactId = input.ContactId || input.Contact?.Id || ContactId;
  if (!(await isMeant(store, contactId, ContactId)))
    throw conflict(
      'fixed_value',
      `Invoice ${Id} belongs to contact ${ContactId}, which cannot change. Void it and import another invoice for ` +
        `contact ${contactId}.`,
    );
}

/** 409 if the input has another number than the invoice and the organization uses it already. */
async function checkNumber(before: InvoiceRecord, input: InvoiceInput, { store }: ReadContext): Promise<void> {
  const number = input.Number?.trim();
  if (!number || isSameNumber(number, before.Number)) return;
  const id = await findInvoiceIdByNumber(store, { organization: before.OrganizationId, number });
  if (id !== undefined) throw conflict('already_exists', `Number ${JSON.stringify(number)} belongs to invoice ${id}.`);
}

const prefetchLineIds = ({ Lines }: InvoiceInput, { store }: WriteContext): Promise<number[]> =>
  prefetchIds(store, 'InvoiceLine', countNewLines(Lines ?? []));

/** The tax rates of the account, if the input refers to one of them. */
async function loadTaxRates(
  before: InvoiceRecord | undefined,
  input: InvoiceInput,
  { store }: ReadContext,
): Promise<readonly NamedTaxRate[]> {
  const source = taxRateSource(before, input);
  if (source === 'unchanged' || (source === 'input' && !input.RateName?.trim())) return [];
  return settingsOf<NamedTaxRate>(store, 'NamedTaxRate');
}

type Numbering =
  | { readonly kind: 'free'; readonly id: number; readonly number: string; readonly changes: readonly Change[] }
  | { readonly kind: 'taken'; readonly id: number };

/** The Number of the input with a new id, or the invoice that has it already; without a Number the next one. */
async function resolveNumber(input: InvoiceInput, organization: number, { store }: WriteContext): Promise<Numbering> {
  const number = input.Number?.trim();
  const taken = number ? await findInvoiceIdByNumber(store, { organization, number }) : undefined;
  if (taken !== undefined) return { kind: 'taken', id: taken };
  const [id = 0] = await reserveIds(store, 'Invoice', 1);
  const next = number ? { number, changes: [] } : await takeInvoiceNumber(store, { organization, id });
  return { kind: 'free', id, ...next };
}

/** Identifies repeated imports of a Number by their content, read in the zone. */
const importFingerprint = (input: InvoiceInput, zone: string): string =>
  input.Number?.trim()
    ? requestFingerprint('invoice/import', { content: invoiceContent(contentAsRead(input, zone)) })
    : '';

async function findRepeatedImport(id: number, input: InvoiceInput, { store }: ReadContext): Promise<ImportedInvoice> {
  const invoice = await findInvoice(store, id);
  if (!invoice || importFingerprint(input, invoice.Zone) !== invoice.Fingerprint)
    throw conflict(
      'already_exists',
      `Number ${JSON.stringify(input.Number?.trim())} belongs to invoice ${id}, which was imported with other ` +
        'content. Use InvoiceId to change it.',
    );
  return { invoice, changes: [], message: `Invoice ${id} was imported with this content before; nothing changed.` };
}

interface ImportReferences {
  readonly links: InvoiceLinks;
  readonly lineNames: LineNames;
  readonly taxRates: { readonly rates: readonly NamedTaxRate[]; readonly contactRateId: number | null };
}

/** The invoice with the input applied; 400 with every invalid field, 409 if the input has other amounts. */
async function applyImport(
  before: InvoiceRecord,
  input: InvoiceInput,
  { links, lineNames, taxRates }: ImportReferences,
  { store, now }: WriteContext,
): Promise<InvoiceRecord> {
  const { rate, errors } = resolveTaxRate(isNew(before) ? undefined : before, input, taxRates);
  const [lineIds, takesPayments] = await Promise.all([
    reserveIds(store, 'InvoiceLine', countNewLines(input.Lines ?? [])),
    findTakesPayments(store),
  ]);
  const update = { rate, lineIds, lineNames, takesPayments, now: now.getTime() };
  const applied = applyInvoiceInput(before, input, update);
  const statusErrors = isNew(before) ? newStatusErrors(input) : [];
  const all = [...statusErrors, ...errors, ...linkErrors(links, before.ContactId), ...applied.errors];
  if (all.length) throw invalid(...prefixErrors('Invoice', all));
  if (applied.conflicts.length)
    throw conflict('amount_mismatch', `${applied.conflicts.join('; ')}. Nothing was stored.`);
  return applied.invoice;
}

/** The proposals and the appointment that an invoice bills. */
interface BilledWork {
  readonly proposals: readonly ProposalRecord[];
  readonly appointment: AppointmentRecord | undefined;
}

async function loadBilledWork(
  { Id, AppointmentId, Proposals = [] }: InvoiceRecord,
  { store }: ReadContext,
): Promise<BilledWork> {
  const ids = Proposals.map((proposal) => proposal.Id);
  const [proposals, appointment] = await Promise.all([
    findProposals(store, ids),
    AppointmentId ? findAppointment(store, AppointmentId) : undefined,
  ]);
  return { proposals, appointment: appointment?.InvoiceId === Id ? appointment : undefined };
}

interface InvoiceDecision {
  readonly before: InvoiceRecord | undefined;
  readonly after: InvoiceRecord;
  readonly links: InvoiceLinks;
  /** What the invoice bills, if it is voided. */
  readonly billedWork?: BilledWork | undefined;
}

/** The invoice with its effects on proposals, appointment and contact: all or nothing. */
async function saveInvoice(
  { before, after, links, billedWork }: InvoiceDecision,
  context: WriteContext,
): Promise<ImportedInvoice> {
  const proposal = isBilling(after) ? links.proposal : undefined;
  const invoice = proposal ? withBilledProposal(after, proposal) : after;
  const stored = invoiceChanges(context.store, { before, after: invoice, now: context.now });
  const effects = billedWork
    ? await releaseBilledWork(stored.record, billedWork, context)
    : await billWork(stored.record, links, context);
  const summary = { ...stored.contactSummary, ...effects.contactSummary };
  const contact = contactSummaryChanges(context.store, invoice.ContactId, summary, context.now);
  return { invoice: stored.record, changes: [...stored.changes, ...effects.changes, ...contact] };
}

interface Effects {
  readonly changes: readonly Change[];
  readonly contactSummary: ContactSummary;
}

/** Sets the proposal to Invoiced, even if other proposals list it, and sets the InvoiceId of the appointment. */
async function billWork(
  invoice: InvoiceRecord,
  { proposal, appointment }: InvoiceLinks,
  context: WriteContext,
): Promise<Effects> {
  if (!isBilling(invoice)) return { changes: [], contactSummary: {} };
  const next = (before: ProposalRecord) => billProposal(before, invoice.Id);
  const unbilled = appointment?.InvoiceId ? undefined : appointment;
  return workChanges(proposal ? [proposal] : [], next, unbilled, invoice.Id, context);
}

/** Reverts what the invoice changed in its proposals, unless other invoices bill them, and in its appointment. */
const releaseBilledWork = (
  invoice: InvoiceRecord,
  { proposals, appointment }: BilledWork,
  context: WriteContext,
): Promise<Effects> => workChanges(proposals, (proposal) => unmarkInvoiced(proposal, invoice), appointment, 0, context);

async function workChanges(
  before: readonly ProposalRecord[],
  next: (proposal: ProposalRecord) => ProposalRecord,
  appointment: AppointmentRecord | undefined,
  InvoiceId: number,
  { store, now }: WriteContext,
): Promise<Effects> {
  const { changes, contactSummary } = await proposalsWithParentChanges(store, { before, next, now });
  const after = appointment && { ...appointment, InvoiceId };
  const stored = after && appointmentChanges(store, { before: appointment, after, now });
  return { changes: [...changes, ...(stored?.changes ?? [])], contactSummary };
}
