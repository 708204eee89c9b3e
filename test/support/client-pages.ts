import type { Proposal } from '../../lib/entities/proposals.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { ClientPage } from '../../lib/domain/client-pages.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { type LinkedKind, listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { type Bookable, slotIn } from './scheduling.ts';
import { onStack, testTable } from './stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/** The links of a record of a company, on the stack of the test. */
async function linksOf(
  { accountId }: Bookable,
  kind: LinkedKind,
  id: number,
): Promise<Partial<Record<ClientPage, string>>> {
  const context = callerContext(testTable(), accountCaller(accountId, { role: 'Owner' }), new Date());
  const links = Object.entries(await listLinks(context, kind, id));
  return Object.fromEntries(links.map(([page, link]) => [page, onStack(link)]));
}

/** A completed visit of a day of March 2035, with its links. */
export async function completedVisit(company: Bookable, day: string) {
  const { AppointmentId: id } = slotIn(await company.book('Ann', `2035-03-${day}T09:00`));
  const before = await findAppointment(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);
  if (!before) throw new Error('no visit');
  const after = { ...before, Status: Status.Completed };
  await testTable().commit(
    appointmentChanges({ account: company.accountId }, { before, after, now: new Date() }).changes,
  );
  return { id, ...(await linksOf(company, 'visit', id)) };
}

export async function openProposal(company: Bookable): Promise<Proposal> {
  const input = { ContactId: company.contact, ServiceName: 'Lawn care', Title: 'Front beds', Status: 'Open' };
  return (await company.call('proposal/create', input)).body as unknown as Proposal;
}

/** The handle of a link of `/c/{page}/{handle}`, which a calendar follows by its file. */
export const handleIn = (link: string): string => /\/c\/[^/]+\/([^/]+)/.exec(link)?.[1] ?? '';

/** A link of every page of a company; the visit is booked, and that of the feedback is completed. */
export async function someLinks(company: Bookable): Promise<Readonly<Record<ClientPage, string>>> {
  const made = await company.call('invoice/import', {
    Invoice: { ContactId: company.contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
  });
  const { feedback } = await completedVisit(company, '05');
  const visit = slotIn(await company.book('Ann', '2035-03-07T09:00'));
  const link = await findAccountLinks(accountStore(testTable(), company.accountId), new Date());
  return {
    proposal: onStack((await openProposal(company)).ClientUrl),
    invoice: onStack((made.body['Invoice'] as Invoice).ClientPayUrl),
    visit: onStack(visit.TrackingUrl),
    booked: onStack(link('booked', visit.AppointmentId, 0)),
    ...(await linksOf(company, 'contact', company.contact)),
    ...(await linksOf(company, 'organization', company.organizationId)),
    feedback,
  } as Record<ClientPage, string>;
}
