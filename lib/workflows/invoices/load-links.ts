import type { ProposalRecord } from '../../entities/proposals.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import { type AppointmentRecord, appointmentEntity } from '../../entities/appointments.ts';
import { type LineNames, newReferences } from '../../domain/invoices/apply-input.ts';
import type { InvoiceInput } from '../../domain/invoices/record.ts';
import { isBilling } from '../../domain/invoices/status.ts';
import { type FieldError, invalid, orNotFound } from '../../shared/failure.ts';
import { isVisible } from '../../store/visibility.ts';
import { findByIds } from '../../store/dynamodb/records.ts';
import { layout } from '../../store/keys.ts';
import { findParts } from '../../store/pricebook/parts.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { findServices } from '../../store/pricebook/services.ts';
import type { ReadContext } from '../context.ts';
import { organizationStore } from '../../store/store.ts';

/** The proposal and appointments that an invoice refers to, as far as they were read. */
export interface InvoiceLinks {
  readonly proposal: ProposalRecord | undefined;
  readonly appointment: AppointmentRecord | undefined;
  readonly associated: readonly AppointmentRecord[];
}

const MAX_ASSOCIATED = 100;

type LinkInput = Pick<InvoiceInput, 'ProposalId' | 'AppointmentId' | 'AssociatedAppointmentIds'>;

/**
 * The links to read for a change: new ones, and all links of an invoice that does not bill its proposal and appointment
 * yet.
 */
export function linksToLoad(before: InvoiceRecord, input: LinkInput): LinkInput {
  const known = [before.AppointmentId, ...before.AssociatedAppointmentIds];
  const { ProposalId = before.ProposalId, AppointmentId = before.AppointmentId } = input;
  const readsKnown = !isBilling(before);
  return {
    ProposalId: readsKnown || ProposalId !== before.ProposalId ? ProposalId : undefined,
    AppointmentId: readsKnown || AppointmentId !== before.AppointmentId ? AppointmentId : undefined,
    AssociatedAppointmentIds: input.AssociatedAppointmentIds?.filter((id) => !known.includes(id)),
  };
}

/** Reads links in parallel; 404 for one that does not exist for the caller. */
export async function loadLinks(links: LinkInput, { store, caller }: ReadContext): Promise<InvoiceLinks> {
  const { ProposalId, AppointmentId } = links;
  const others = links.AssociatedAppointmentIds ?? [];
  if (others.length > MAX_ASSOCIATED)
    throw invalid({
      field: 'Invoice.AssociatedAppointmentIds',
      code: 'limit',
      message: `must have at most ${MAX_ASSOCIATED} elements`,
    });
  const [proposal, items] = await Promise.all([
    ProposalId ? findProposal(store, ProposalId) : undefined,
    findByIds(store.table, appointmentEntity, [...(AppointmentId ? [AppointmentId] : []), ...others], (id) =>
      layout.appointment.key({ account: caller.account, id }),
    ),
  ]);
  if (ProposalId) orNotFound(proposal, 'proposal', 'Invoice.ProposalId', ProposalId);
  const visible = items.filter((item) => isVisible(caller, item));
  const appointments = new Map(visible.map((item) => [item.Id, appointmentEntity.read(item)]));
  const requireAppointment = (id: number, field: string): AppointmentRecord =>
    orNotFound(appointments.get(id), 'appointment', field, id);
  return {
    proposal,
    appointment: AppointmentId ? requireAppointment(AppointmentId, 'Invoice.AppointmentId') : undefined,
    associated: others.map((id, index) => requireAppointment(id, `Invoice.AssociatedAppointmentIds[${index}]`)),
  };
}

/** Errors of links to records of another contact. */
export function linkErrors({ proposal, appointment, associated }: InvoiceLinks, contactId: number): FieldError[] {
  const links = [
    ['ProposalId', proposal] as const,
    ['AppointmentId', appointment] as const,
    ...associated.map((record, index) => [`AssociatedAppointmentIds[${index}]`, record] as const),
  ];
  return links.flatMap(([field, record]) =>
    record && record.ContactId !== contactId
      ? [{ field, code: 'mismatch', message: `belongs to contact ${record.ContactId}, not to contact ${contactId}` }]
      : [],
  );
}

const namesById = (records: readonly { readonly Id: number; readonly Name: string }[]): ReadonlyMap<number, string> =>
  new Map(records.map(({ Id, Name }) => [Id, Name]));

/** The names of services and parts that lines newly refer to, as far as they exist for the caller. */
export async function loadLineNames(
  before: InvoiceRecord | undefined,
  { Lines }: InvoiceInput,
  { store, caller: { organizationId } }: ReadContext,
): Promise<LineNames> {
  const { services, parts } = newReferences(before?.Lines ?? [], Lines ?? []);
  const found = await Promise.all([
    findServices(organizationStore(store, organizationId), services),
    findParts(store, parts),
  ]);
  return { services: namesById(found[0]), parts: namesById(found[1]) };
}
