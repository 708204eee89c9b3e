import { actualsForStatus, applyActuals } from '../../domain/appointments/actuals.ts';
import { NOT_CANCELED, Status, toQueued } from '../../domain/appointments/record.ts';
import { ANYTIME, parseTimeframe } from '../../domain/scheduling/calendar.ts';
import type { AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import type { AppointmentInput, BookInput } from '../../resources/appointments.ts';
import { invalid, orInvalid, orNotFound } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { findAppointment } from '../../store/appointments.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import { loadContact } from '../contacts/load-contact.ts';
import { changeAppointmentStatus } from './place.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import type { BookingContext, BookingInput, WorkInput } from './types.ts';
import { prefetchBillingIds } from './invoice-completed.ts';
import { UPDATE, replacesLines, resolveInput } from './input.ts';
import { loadReferences } from './read.ts';
import { loadBookingContext, requireReferences, requireSameContact } from './resolve.ts';

/** The read and resolve steps for an existing appointment: what an update changes. */

/**
 * The request of an update with its new start in the slot, for a program that moves a visit by the fields of
 * slotsearch: TargetDate or SearchDate with a time of day. Throws 400 for a Timeframe alone.
 */
export function withStartInSlot(request: BookInput): BookInput {
  const { Slots, TargetDate, SearchDate, Timeframe } = request;
  const [slot, ...others] = Slots ?? [];
  const start = TargetDate || SearchDate;
  if (slot?.DateTime) return request;
  if (start) return { ...request, Slots: [{ ...slot, DateTime: start }, ...others] };
  if (isEqual(parseTimeframe(Timeframe), ANYTIME)) return request;
  throw invalid({
    field: 'Slots[0].DateTime',
    code: 'required',
    message: 'is required to move the visit; Timeframe alone moves nothing',
  });
}

export interface AppointmentUpdate extends BookingContext {
  readonly before: AppointmentRecord;
  /** In its new status. */
  readonly withStatus: AppointmentRecord;
  readonly input: BookingInput;
  readonly slot: SlotInput | undefined;
}

export async function loadUpdate(request: AppointmentInput, context: WriteContext): Promise<AppointmentUpdate> {
  const id = request.AppointmentId ?? 0;
  const slot = UPDATE.slotOf(request.Slots?.[0]);
  const [found, references] = await Promise.all([
    findAppointment(context.store, id),
    loadReferences(context, request, slot),
  ]);
  const before = orNotFound(found, 'appointment', 'AppointmentId', id);
  if (request.ContactId) await requireMeantContact(before, request.ContactId, context);
  requireReferences(references);
  requireUpdateLines(request, before);
  const sources = { request, slot, former: before, references, contactId: before.ContactId };
  const input = resolveInput(UPDATE, sources);
  const withStatus = requestedStatus(request, slot, before, context);
  const newStatus = withStatus.Status === before.Status ? undefined : withStatus.Status;
  const selection = {
    organizationId: before.OrganizationId,
    service: input.service,
    // The proposals of an appointment change only with its status.
    links: newStatus === Status.Scheduled || newStatus === Status.Completed ? input.links : input.details,
    references,
  };
  const [contact, booking] = await Promise.all([
    loadContact(context, before.ContactId),
    loadBookingContext(context, selection),
    newStatus === Status.Completed && !before.InvoiceId ? prefetchBillingIds(context, before) : undefined,
  ]);
  return { ...booking, contact, before, withStatus, input, slot };
}

/** 400 for another contact; the Id may be that of a contact that was merged into the appointment's. */
async function requireMeantContact(
  former: AppointmentRecord,
  contactId: number,
  { store }: ReadContext,
): Promise<void> {
  if (!(await isMeant(store, contactId, former.ContactId))) requireSameContact(former, contactId);
}

/** 400 if an update has other add-ons than the appointment without replacing them. */
function requireUpdateLines(request: AppointmentInput, { AddOnParts: stored }: AppointmentRecord): void {
  if (replacesLines(request)) return;
  const identity = (lines: WorkInput['lines']) => lines.map(({ PartId, Quantity }) => [PartId, Quantity]);
  const errors = [
    { field: 'AddOnParts', lines: request.AddOnParts },
    { field: 'Slots[0].AddOnParts', lines: request.Slots?.[0]?.AddOnParts },
  ].flatMap(({ field, lines }) =>
    lines?.length && !isEqual(identity(lines), identity(stored))
      ? [
          {
            field,
            code: 'mismatch' as const,
            message: 'change nothing. Send UpdateLines: true with AddOnParts to replace all add-on lines.',
          },
        ]
      : [],
  );
  if (errors.length) throw invalid(...errors);
}

/** The appointment in the requested status: from its actuals with UpdateActuals, else from the Status of the slot. */
function requestedStatus(
  request: AppointmentInput,
  slot: SlotInput | undefined,
  before: AppointmentRecord,
  { caller, now }: WriteContext,
): AppointmentRecord {
  if (request.UpdateActuals) {
    const moment = (field: 'ActualStart' | 'ActualFinish') => {
      const text = request[field];
      return text == null ? text : orInvalid(parseMoment(text, before.Zone), field).at;
    };
    const { actuals, errors } = applyActuals(before, { start: moment('ActualStart'), finish: moment('ActualFinish') });
    if (errors.length) throw invalid(...errors);
    const withStatus =
      actuals.Status === before.Status ? before : changeAppointmentStatus(before, actuals.Status, caller);
    return { ...withStatus, ...actuals };
  }
  const status = slot?.Status;
  if (status == null || status === before.Status) return before;
  if (status === Status.Canceled)
    throw invalid({
      field: 'Slots[0].Status',
      code: 'fixed',
      message: 'cannot become Canceled here; use appointments/cancel',
    });
  const withStatus = changeAppointmentStatus(before, status, caller);
  if (status === Status.Queued) return toQueued(withStatus, '', now.getTime());
  return { ...withStatus, ...actualsForStatus(before, status, now.getTime()), ...NOT_CANCELED };
}
