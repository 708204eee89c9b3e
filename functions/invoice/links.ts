import type { Caller } from '../../lib/api/context.ts';
import { invalid, notFound } from '../../lib/api/failure.ts';
import { wholeAppointment, type AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { Fault } from '../../lib/domain/faults.ts';
import type { InvoiceInput } from '../../lib/domain/invoices/merge.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { TableReader } from '../../lib/store/client.ts';
import { layout } from '../../lib/store/layout.ts';
import { findProposal } from '../../lib/store/proposals.ts';
import { readByIds } from '../../lib/store/ranges.ts';
import { isSeen } from '../../lib/store/viewer.ts';

/** What an invoice is of, as far as it is read: the proposal and the appointment it names, and those associated. */
export interface Linked {
  readonly proposal: ProposalRecord | undefined;
  readonly appointment: AppointmentRecord | undefined;
  readonly associated: readonly AppointmentRecord[];
}

/** One invoice bills no more visits. */
const MOST_ASSOCIATED = 100;

type Links = Pick<InvoiceInput, 'ProposalId' | 'AppointmentId' | 'AssociatedAppointmentIds'>;

/** What a request says of links that the invoice does not have yet. */
export function newLinks(before: InvoiceRecord, { ProposalId, AppointmentId, AssociatedAppointmentIds }: Links): Links {
  const known = [before.AppointmentId, ...before.AssociatedAppointmentIds];
  return {
    ProposalId: ProposalId === before.ProposalId ? undefined : ProposalId,
    AppointmentId: AppointmentId === before.AppointmentId ? undefined : AppointmentId,
    AssociatedAppointmentIds: AssociatedAppointmentIds?.filter((id) => !known.includes(id)),
  };
}

/** Reads what is named, side by side; 404 where something does not exist for the caller. */
export async function readLinked(table: TableReader, caller: Caller, links: Links): Promise<Linked> {
  const { ProposalId, AppointmentId, AssociatedAppointmentIds } = links;
  const others = AssociatedAppointmentIds ?? [];
  if (others.length > MOST_ASSOCIATED)
    throw invalid({
      Field: 'Invoice.AssociatedAppointmentIds',
      Message: `must have at most ${MOST_ASSOCIATED} elements`,
    });
  const [proposal, items] = await Promise.all([
    ProposalId ? findProposal(table, caller, ProposalId) : undefined,
    readByIds<AppointmentRecord>(table, [...(AppointmentId ? [AppointmentId] : []), ...others], (id) =>
      layout.appointment.key({ account: caller.accountId, id }),
    ),
  ]);
  if (ProposalId && !proposal) throw notFound('proposal', 'Invoice.ProposalId', ProposalId);
  const seen = items.filter((item) => isSeen(caller, item));
  const found = new Map(seen.map((appointment) => [appointment.Id, wholeAppointment(appointment)]));
  const appointmentOf = (id: number, field: string): AppointmentRecord => {
    const appointment = found.get(id);
    if (!appointment) throw notFound('appointment', field, id);
    return appointment;
  };
  return {
    proposal,
    appointment: AppointmentId ? appointmentOf(AppointmentId, 'Invoice.AppointmentId') : undefined,
    associated: others.map((id, index) => appointmentOf(id, `Invoice.AssociatedAppointmentIds[${index}]`)),
  };
}

/** Faults of links to things of other contacts. */
export function linkFaults({ proposal, appointment, associated }: Linked, contactId: number): Fault[] {
  const faultOf = (field: string, what: string, thing: Pick<AppointmentRecord, 'Id' | 'ContactId'> | undefined) =>
    thing && thing.ContactId !== contactId
      ? [{ field, message: `${what} ${thing.Id} is one of contact ${thing.ContactId}, not of contact ${contactId}` }]
      : [];
  return [
    ...faultOf('ProposalId', 'proposal', proposal),
    ...faultOf('AppointmentId', 'appointment', appointment),
    ...associated.flatMap((thing, index) => faultOf(`AssociatedAppointmentIds[${index}]`, 'appointment', thing)),
  ];
}
