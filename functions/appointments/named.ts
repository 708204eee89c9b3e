import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { findInvoice } from '../../lib/store/invoices.ts';
import { findProposal } from '../../lib/store/proposals.ts';
import type { GivenSlot } from './chosen.ts';
import type { Asking } from './home.ts';
import { faults, type Refusal } from './refusal.ts';

/** What a request may name beside contact and service. */
export interface Naming {
  readonly InvoiceId?: number | null | undefined;
  readonly RootProposalId?: number | null | undefined;
}

/** Something that a request names, as it is. */
type Found =
  | { readonly what: 'appointment'; readonly thing: AppointmentRecord | undefined }
  | { readonly what: 'proposal'; readonly thing: ProposalRecord | undefined }
  | { readonly what: 'invoice'; readonly thing: InvoiceRecord | undefined };
type Named = Found & { readonly field: string; readonly id: number };

/** All that a request names, each thing side by side; refused where the caller sees no such thing. No round where it names nothing. */
export async function readNamed({ table, caller }: Asking, said: Naming, slot?: GivenSlot): Promise<readonly Named[] | Refusal> {
  const read = async (field: string, id: number | null | undefined, find: (id: number) => Promise<Found>): Promise<Named[]> =>
    id ? [{ field, id, ...(await find(id)) }] : [];
  const proposal = async (id: number): Promise<Found> => ({ what: 'proposal', thing: await findProposal(table, caller, id) });
  const found = await Promise.all([
    read('RootProposalId', said.RootProposalId, proposal),
    read('Slots[0].RootProposalId', slot?.RootProposalId, proposal),
    read('Slots[0].ProposalId', slot?.ProposalId, proposal),
    read('InvoiceId', said.InvoiceId, async (id) => ({ what: 'invoice', thing: await findInvoice(table, caller, id) })),
    read('Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId, async (id) => ({ what: 'appointment', thing: await findAppointment(table, caller, id) })),
  ]);
  const named = found.flat();
  const missing = named.find(({ thing }) => !thing);
  return missing ? { refused: 'missing', what: missing.what, field: missing.field, id: missing.id } : named;
}

/** Refused where a proposal or an invoice is another contact's. */
export function ofContact(named: readonly Named[], contactId: number): Refusal | undefined {
  const foreign = named.flatMap(({ field, what, id, thing }) =>
    what === 'appointment' || !thing || thing.ContactId === contactId ? [] : [{ field, message: `${what} ${id} is one of contact ${thing.ContactId}, not of contact ${contactId}` }]);
  return foreign.length ? faults(...foreign) : undefined;
}

/** The service of the proposal that a request names, for one that names no service. */
export const serviceIn = (named: readonly Named[]): number | undefined =>
  named.flatMap(({ what, thing }) => (what === 'proposal' && thing ? thing.ServiceId : [])).at(-1);

/** The proposal that an appointment is of, its own before its root's, where it was read. */
export const ownOf = ({ ProposalId, RootProposalId }: Links, proposals: readonly ProposalRecord[]): ProposalRecord | undefined =>
  proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));

type Links = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

/** The proposals of an appointment, its own before its root's: those that the request named, or read now. */
export async function proposalsOf(
  { table, caller }: Asking,
  { ProposalId, RootProposalId }: Links,
  named: readonly Named[],
): Promise<ProposalRecord[]> {
  const ids = [...new Set([ProposalId, RootProposalId])].flatMap((id) => id || []);
  const known = new Map(named.flatMap(({ what, thing }) => (what === 'proposal' && thing ? [[thing.Id, thing]] : [])));
  const found = await Promise.all(ids.map((id) => known.get(id) ?? findProposal(table, caller, id)));
  return found.flatMap((proposal) => proposal ?? []);
}
