import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import { nouns } from '../../entities/nouns.ts';
import { Status, arrivalOf } from '../../domain/appointments/record.ts';
import { type ClientLink, type ClientPage, ownLink } from '../../domain/client-pages.ts';
import { dueDate, isOverdue } from '../../domain/invoices/due-date.ts';
import { isSigned, selectedOptionIds } from '../../domain/proposals/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { OverviewView } from '../../pages/overview.ts';
import { add } from '../../shared/money.ts';
import { pick } from '../../shared/objects.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import { findContactRecords, listContactRecordIds } from '../../store/contact-records.ts';
import { layout } from '../../store/keys.ts';
import { findPageLinks } from '../../store/links.ts';
import { listProvidersOfPage, providerOf } from '../../store/payment-providers.ts';
import { type ClientContext, findLinkedContact } from './client.ts';
import { type LoadedPage, loadCompany } from './load-company.ts';
import { listOffered } from './offered-services.ts';
import { stateOf } from './visit.ts';

/** Maximum rows of each list. */
const MOST = 50;

const PAPER_DAYS = 365;

/** The newest open documents that a contact lists. */
const newestOpen = (documents: ContactRecord['OpenInvoices']): number[] =>
  Object.entries(documents)
    .toSorted(([, one], [, other]) => other.Date.localeCompare(one.Date))
    .slice(0, MOST)
    .map(([id]) => Number(id));

/** The ids of the contact's next visits, and of its signed proposals and paid invoices of the last year. */
async function findIds({ store, target: { id: contact }, now }: ClientContext) {
  const since = now.getTime() - PAPER_DAYS * DAY;
  const list = { contact, most: MOST };
  const papers = { ...list, from: since, order: 'newest' } as const;
  const [visits, signed, paid] = await Promise.all([
    listContactRecordIds(store, {
      ...list,
      kind: nouns.Appointment,
      // A visit that began today may still be under way.
      from: now.getTime() - DAY,
      where: { over: false },
      order: 'oldest',
    }),
    listContactRecordIds(store, { ...papers, kind: nouns.Proposal, where: { acceptedAt: { from: 0 } } }),
    listContactRecordIds(store, { ...papers, kind: nouns.Invoice, where: { status: InvoiceStatus.Paid } }),
  ]);
  return { visits, signed, paid };
}

/** Whether a visit is ahead or under way. */
const isComing = ({ Status: status, Start, Duration }: AppointmentRecord, now: number): boolean =>
  Start !== null &&
  (status === Status.Started ||
    ((status === Status.Scheduled || status === Status.Tentative) && Start + Duration * MINUTE > now));

/** Everything that the contact of a link has; `undefined` if the link was revoked. Two rounds, however much that is. */
export async function loadOverviewPage(context: ClientContext): Promise<LoadedPage<OverviewView> | undefined> {
  const { store, target } = context;
  const { id: contactId, generation } = target;
  const [contact, ids] = await Promise.all([findLinkedContact(context), findIds(context)]);
  if (!contact) return undefined;
  const of = { contact: contactId };
  const [clientCompany, link, visits, proposals, invoices, services, providers] = await Promise.all([
    loadCompany(store, contact.OrganizationId),
    findPageLinks(store, target, context.now),
    findContactRecords(store, nouns.Appointment, { ...of, ids: ids.visits, key: layout.appointment.key }),
    findContactRecords(store, nouns.Proposal, {
      ...of,
      ids: [...newestOpen(contact.OpenProposals), ...ids.signed],
      key: layout.proposal.key,
    }),
    findContactRecords(store, nouns.Invoice, {
      ...of,
      ids: [...newestOpen(contact.OpenInvoices), ...ids.paid],
      key: layout.invoice.key,
    }),
    listOffered(store, contact.OrganizationId),
    listProvidersOfPage(store),
  ]);
  const isBookable = clientCompany.booking.isOpen && services.length > 0;
  const savesCards = providerOf(providers, contact.OrganizationId) !== undefined;
  // Pages of its records lead here until the contact's links were revoked; a link from here would undo that.
  const own = ownLink(target);
  const reach = Math.min(generation, own.generation);
  const isOpenable = ({ LinksRevoked = 0 }: Revocable) => LinksRevoked === 0 || reach > 0;
  const rows = toRows(
    {
      visits: visits.filter(isOpenable),
      proposals: proposals.filter(isOpenable),
      invoices: invoices.filter(isOpenable),
    },
    { link, now: context.now.getTime() },
  );
  const view: OverviewView = {
    company: clientCompany.company,
    contactName: contact.Name || contact.Company,
    zone: clientCompany.zone,
    ...rows,
    credit: contact.CreditBalance ?? 0,
    preferences: link('preferences', own.id, own.generation),
    booking: isBookable ? link('rebook', own.id, own.generation) : '',
    card: savesCards ? link('card', own.id, own.generation) : '',
  };
  return { view, ...NO_CONTACT_LINKS, ...clientCompany };
}

interface Revocable {
  readonly LinksRevoked?: number | undefined;
}

interface Records {
  readonly visits: readonly AppointmentRecord[];
  readonly proposals: readonly ProposalRecord[];
  readonly invoices: readonly InvoiceRecord[];
}

/** The rows of the page. Checks the current state of each record, because lists of ids may be a moment older. */
function toRows(
  { visits, proposals, invoices }: Records,
  { link, now }: { readonly link: ClientLink; readonly now: number },
): Pick<OverviewView, 'visits' | 'proposals' | 'invoices' | 'papers'> {
  const linkOf = (page: ClientPage, { Id, LinksRevoked = 0 }: Revocable & { readonly Id: number }) =>
    link(page, Id, LinksRevoked);
  const signed = proposals.flatMap((proposal) => {
    const { Status: status, AcceptedAt: at, Zone: zone } = proposal;
    if (!isSigned(status) || at === null) return [];
    return [
      { link: linkOf('proposal', proposal), of: { proposal: titleOf(proposal) }, at, zone, total: totalOf(proposal) },
    ];
  });
  const paid = invoices.flatMap((invoice) => {
    const { Status: status, DatePaid: at, Total: total, Zone: zone } = invoice;
    if (status !== InvoiceStatus.Paid || at === null) return [];
    return [{ link: linkOf('invoice', invoice), of: { invoice: invoice.Number }, at, zone, total }];
  });
  return {
    visits: visits
      .filter((visit) => isComing(visit, now))
      .map((visit) => ({
        link: linkOf('visit', visit),
        start: arrivalOf(visit)?.start ?? visit.Start ?? 0,
        duration: visit.Duration,
        arrivalThrough: visit.ArrivalThrough,
        service: visit.ServiceName,
        state: stateOf(visit, now),
      })),
    proposals: proposals
      .filter((proposal) => statusAt(proposal, now) === ProposalStatus.Open)
      .map((proposal) => ({
        link: linkOf('proposal', proposal),
        title: titleOf(proposal),
        total: proposal.Options.length && !selectedOptionIds(proposal).length ? null : totalOf(proposal),
        zone: proposal.Zone,
        expiresAt: proposal.ExpiresAt,
      })),
    invoices: invoices
      .filter(({ Status: status }) => status === InvoiceStatus.Open)
      .map((invoice) => ({
        link: linkOf('invoice', invoice),
        number: invoice.Number,
        balance: invoice.BalanceDue,
        dueDate: invoice.BalanceDue > 0 ? dueDate(invoice) : null,
        isOverdue: isOverdue(invoice, now),
      })),
    papers: [...signed, ...paid].toSorted((one, other) => other.at - one.at),
  };
}

const titleOf = (proposal: ProposalRecord) => pick(proposal, 'Title', 'ServiceName', 'ChangeOrderForProposalId');

const totalOf = ({ Subtotal, Tax }: ProposalRecord): number => add(Subtotal, Tax);
