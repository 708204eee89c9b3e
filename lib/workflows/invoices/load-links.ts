import type { Context } from '../../api/context.ts';
import { type AppointmentRecord, expandAppointment } from '../../domain/appointments/record.ts';
import type { InvoiceInput, LineReferences } from '../../domain/invoices/apply-input.ts';
import type { InvoiceRecord } from '../../domain/invoices/record.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import type { Contact } from '../../resources/contacts.ts';
import { invalid, notFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { type Caller, isVisible } from '../../store/caller.ts';
import { findContacts } from '../../store/contacts.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findByIds } from '../../store/dynamodb/records.ts';
import { layout } from '../../store/keys.ts';
import { findParts } from '../../store/parts.ts';
import { findProposal } from '../../store/proposals.ts';
import { findServices } from '../../store/services.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';

/** What an invoice is of, as far as it is read: the proposal and the appointment it names, and those associated. */
export interface InvoiceLinks {
  readonly proposal: ProposalRecord | undefined;
  readonly appointment: AppointmentRecord | undefined;
  readonly associated: readonly AppointmentRecord[];
}

/** One invoice bills no more visits. */
const MAX_ASSOCIATED = 100;

type Links = Pick<InvoiceInput, 'ProposalId' | 'AppointmentId' | 'AssociatedAppointmentIds'>;

/** What a request says of links that the invoice does not have yet. */
export function requestedLinks(
  before: InvoiceRecord,
  { ProposalId, AppointmentId, AssociatedAppointmentIds }: Links,
): Links {
  const known = [before.AppointmentId, ...before.AssociatedAppointmentIds];
  return {
    ProposalId: ProposalId === before.ProposalId ? undefined : ProposalId,
    AppointmentId: AppointmentId === before.AppointmentId ? undefined : AppointmentId,
    AssociatedAppointmentIds: AssociatedAppointmentIds?.filter((id) => !known.includes(id)),
  };
}

/** Reads what is named, side by side; 404 where something does not exist for the caller. */
export async function loadLinks(table: TableReader, caller: Caller, links: Links): Promise<InvoiceLinks> {
  const { ProposalId, AppointmentId, AssociatedAppointmentIds } = links;
  const others = AssociatedAppointmentIds ?? [];
  if (others.length > MAX_ASSOCIATED)
    throw invalid({
      field: 'Invoice.AssociatedAppointmentIds',
      message: `must have at most ${MAX_ASSOCIATED} elements`,
    });
  const [proposal, items] = await Promise.all([
    ProposalId ? findProposal(table, caller, ProposalId) : undefined,
    findByIds<AppointmentRecord>(table, [...(AppointmentId ? [AppointmentId] : []), ...others], (id) =>
      layout.appointment.key({ account: caller.accountId, id }),
    ),
  ]);
  if (ProposalId && !proposal) throw notFound('proposal', 'Invoice.ProposalId', ProposalId);
  const seen = items.filter((item) => isVisible(caller, item));
  const found = new Map(seen.map((appointment) => [appointment.Id, expandAppointment(appointment)]));
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
export function linkErrors({ proposal, appointment, associated }: InvoiceLinks, contactId: number): FieldError[] {
  const faultOf = (field: string, what: string, record: Pick<AppointmentRecord, 'Id' | 'ContactId'> | undefined) =>
    record && record.ContactId !== contactId
      ? [{ field, message: `${what} ${record.Id} is one of contact ${record.ContactId}, not of contact ${contactId}` }]
      : [];
  return [
    ...faultOf('ProposalId', 'proposal', proposal),
    ...faultOf('AppointmentId', 'appointment', appointment),
    ...associated.flatMap((record, index) => faultOf(`AssociatedAppointmentIds[${index}]`, 'appointment', record)),
  ];
}

type Named = readonly { readonly Id: number; readonly Name: string }[];

const names = (records: Named): ReadonlyMap<number, string> => new Map(records.map(({ Id, Name }) => [Id, Name]));

/** The names of the services and parts that lines are of, as far as they exist for the caller. */
export async function loadLineReferences(
  table: TableReader,
  { accountId, organizationId }: Caller,
  { services, parts }: { readonly services: readonly number[]; readonly parts: readonly number[] },
): Promise<LineReferences> {
  const found = await Promise.all([
    findServices(table, { accountId, organizationId }, services),
    findParts(table, accountId, parts),
  ]);
  return { services: names(found[0]), parts: names(found[1]) };
}

/** The contacts of invoices by id, in their complete form; none where nobody asked. One request. */
export async function loadInvoiceContacts(
  { table, caller: { accountId }, baseUrl, now }: Context<'table:read'>,
  invoices: readonly InvoiceRecord[],
  isAsked: boolean | null | undefined,
): Promise<ReadonlyMap<number, Contact>> {
  const ids = isAsked ? [...new Set(invoices.map(({ ContactId }) => ContactId))] : [];
  const records = await findContacts(table, accountId, ids, { consistent: false });
  const contacts = await loadContactResources(table, records, { accountId, baseUrl, now });
  return new Map(contacts.map((contact) => [contact.Id, contact]));
}
