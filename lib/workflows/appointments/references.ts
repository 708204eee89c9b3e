import type { ProposalRecord } from '../../entities/proposals.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import { invalid, notFound } from '../../shared/failure.ts';
import { findAppointment } from '../../store/appointments.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import type { ReadContext } from '../context.ts';

export type ProposalLinks = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

/** A record that a request refers to besides contact and service. */
export type Reference = { readonly field: string; readonly id: number } & (
  | { readonly noun: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly noun: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly noun: 'invoice'; readonly record: InvoiceRecord | undefined }
);

/** Reads all references at once; no round without any. `requireReferences` checks that they exist. */
export async function loadReferences(
  { table, caller }: ReadContext,
  request: Pick<AppointmentInput, 'InvoiceId' | 'RootProposalId'>,
  slot: SlotInput | undefined,
): Promise<Reference[]> {
  const read = async <Noun extends string, Found>(
    noun: Noun,
    find: (table: ReadContext['table'], caller: Caller, id: number) => Promise<Found>,
    field: string,
    id: number | null | undefined,
  ) => (id ? [{ noun, field, id, record: await find(table, caller, id) }] : []);
  const found = await Promise.all([
    read('proposal', findProposal, 'RootProposalId', request.RootProposalId),
    read('proposal', findProposal, 'Slots[0].RootProposalId', slot?.RootProposalId),
    read('proposal', findProposal, 'Slots[0].ProposalId', slot?.ProposalId),
    read('invoice', findInvoice, 'InvoiceId', request.InvoiceId),
    read('appointment', findAppointment, 'Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId),
  ]);
  return found.flat();
}

export function requireReferences(references: readonly Reference[]): void {
  for (const { record, noun, field, id } of references) if (!record) throw notFound(noun, field, id);
}

/** 400 if a proposal or an invoice belongs to another contact. */
export function requireOwnReferences(references: readonly Reference[], contactId: number): void {
  const errors = references.flatMap(({ field, noun, id, record }) =>
    noun === 'appointment' || !record || record.ContactId === contactId
      ? []
      : [
          {
            field,
            code: 'mismatch' as const,
            message: `is ${noun} ${id} of contact ${record.ContactId}, not of contact ${contactId}`,
          },
        ],
  );
  if (errors.length) throw invalid(...errors);
}

export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));

/** The proposals of links, of which the references may be read already. */
export async function loadProposals(
  { table, caller }: ReadContext,
  { ProposalId, RootProposalId }: ProposalLinks,
  references: readonly Reference[],
): Promise<ProposalRecord[]> {
  const ids = [...new Set([ProposalId, RootProposalId])].flatMap((id) => id || []);
  const known = new Map(referencedProposals(references).map((proposal) => [proposal.Id, proposal]));
  const found = await Promise.all(ids.map((id) => known.get(id) ?? findProposal(table, caller, id)));
  return found.flatMap((proposal) => proposal ?? []);
}

/** The proposal of an appointment, its own before its root's, if it was loaded. */
export const ownProposal = (
  { ProposalId, RootProposalId }: ProposalLinks,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));
