import type { RepeatableOperation } from '../../domain/appointments/call-content.ts';
import { readNotificationOptions } from '../../domain/messages/notification-options.ts';
import type { AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { AppointmentInput, BookInput, QueueInput, QuickbookInput } from '../../resources/appointments.ts';
import { applyValue } from '../../resources/fields.ts';
import { type FieldError, invalid } from '../../shared/failure.ts';
import { definedFields, omit, pick } from '../../shared/objects.ts';
import { parseCallbackAddresses } from '../../shared/web/web-addresses.ts';
import type { BookingInput, Reference, WorkInput } from './types.ts';

/**
 * Resolves the input: each way to book decides from which of several sources it takes each value. All of it is pure.
 */

/** The fields that booking requests share; each way to book has some of them. */
export type BookingRequest = Pick<
  AppointmentInput,
  | 'ServiceId'
  | 'ServiceName'
  | 'InvoiceId'
  | 'RootProposalId'
  | 'Quantity'
  | 'Discount'
  | 'AddOnParts'
  | 'UpdateLines'
  | 'Notes'
  | 'NotificationUri'
  | 'EnRouteUri'
  | 'ThirdPartyUrl'
  | 'NotificationOptions'
> &
  Pick<QuickbookInput, 'ConfirmationUri'> & {
    /** Text of a Duration field, or minutes. */
    readonly Duration?: string | number | null | undefined;
  };

/** The sources of a value, in order of precedence. */
interface ValueSources {
  readonly request: BookingRequest;
  readonly slot?: SlotInput | undefined;
  /** The stored appointment that AppointmentId names. */
  readonly former?: AppointmentRecord | undefined;
}

/** A way to book. */
export interface BookingPolicy {
  /** The fields of a slot that count; the others only repeat an answer of slotsearch. */
  readonly slotOf: (slot: SlotInput | undefined) => SlotInput | undefined;
  /** What `null` means in a slot: it clears the field, or is a blank that changes nothing. */
  readonly nullInSlot: null | undefined;
  readonly discountOf: (sources: ValueSources) => number | null | undefined;
  readonly linesOf: (sources: ValueSources) => WorkInput['lines'];
  /** The length in minutes that the request or its slot gives. */
  readonly minutesOf: (sources: ValueSources) => number | undefined;
  /** Whether an appointment keeps its length while service, quantity and sale stay. */
  readonly keepsLength: boolean;
}

/** A way to book whose repeated call returns the first appointment. */
export interface RepeatablePolicy<Request> extends BookingPolicy {
  readonly operation: RepeatableOperation;
  /** The records that decide in which organization a call books. */
  readonly namedBy: (request: Request) => {
    readonly appointmentId?: number | null | undefined;
    readonly contactId?: number | null | undefined;
  };
}

const USUAL: BookingPolicy = {
  slotOf: (slot) => slot,
  nullInSlot: undefined,
  discountOf: ({ request, slot, former }) => request.Discount ?? slot?.Discount ?? former?.Discount,
  linesOf: ({ request, slot, former }) =>
    [request.AddOnParts, slot?.AddOnParts, former?.AddOnParts].find((lines) => lines?.length) ?? [],
  minutesOf: () => undefined,
  keepsLength: false,
};

/** appointments/book: the slot supplies what the request omits, including its length. */
export const BOOK: RepeatablePolicy<BookInput> = {
  ...USUAL,
  operation: 'book',
  namedBy: ({ AppointmentId, ContactId, Slots }) => ({
    appointmentId: AppointmentId,
    contactId: ContactId || Slots?.[0]?.ContactId,
  }),
  minutesOf: ({ slot }) => slot?.Duration || undefined,
};

/** appointments/queue: there is no slot. */
export const QUEUE: RepeatablePolicy<QueueInput> = {
  ...USUAL,
  operation: 'queue',
  namedBy: ({ AppointmentId, ContactId }) => ({ appointmentId: AppointmentId, contactId: ContactId }),
  keepsLength: true,
};

/** appointments/quickbook, and bookings on a page: always a new appointment, with its Duration in minutes. */
export const QUICKBOOK: RepeatablePolicy<QuickbookInput> = {
  ...USUAL,
  operation: 'quickbook',
  namedBy: ({ ContactId }) => ({ contactId: ContactId }),
  minutesOf: ({ request }) => (typeof request.Duration === 'number' ? request.Duration || undefined : undefined),
};

/** appointments/slotsearch, its holds, and the times on a page: what decides when something could be booked. */
export const SEARCH: BookingPolicy = {
  ...USUAL,
  slotOf: (slot) =>
    slot && pick(slot, 'ServiceAgentId', 'ServiceId', 'ProposalId', 'RootProposalId', 'CustomProperties'),
  keepsLength: true,
};

/** Whether update replaces the add-ons. UpdateLines alone changes nothing; with an empty list it removes all. */
export const replacesLines = ({ UpdateLines, AddOnParts }: BookingRequest): boolean =>
  UpdateLines === true && AddOnParts !== undefined;

/** appointments/update: given values replace stored ones, and `null` clears. */
export const UPDATE: BookingPolicy = {
  slotOf: (slot) => slot && omit(slot, 'ContactId', 'ServiceId', 'AddOnParts'),
  nullInSlot: null,
  discountOf(sources) {
    const { request, slot } = sources;
    const isCleared = request.Discount === null || (request.Discount === undefined && slot?.Discount === null);
    return isCleared ? null : USUAL.discountOf(sources);
  },
  linesOf: ({ request, former }) => (replacesLines(request) ? (request.AddOnParts ?? []) : (former?.AddOnParts ?? [])),
  minutesOf: ({ slot, former }) => (slot?.Duration && slot.Duration !== former?.Duration ? slot.Duration : undefined),
  keepsLength: false,
};

interface BookingSources extends ValueSources {
  readonly references?: readonly Reference[];
  /** The contact that the references must belong to. */
  readonly contactId?: number;
}

/**
 * Decides from which source each value is taken: the request, else its slot, else the former appointment, else the
 * proposal. Typed clients send blanks (0, "", []) for fields that they do not set, so a blank is no value, except in
 * Discount.
 */
export function resolveInput(policy: BookingPolicy, sources: BookingSources): BookingInput {
  const { request, slot, former, references = [], contactId } = sources;
  if (contactId) requireOwnReferences(references, contactId);
  const details = resolveDetails(policy, request, slot);
  const links = {
    ProposalId: details.ProposalId ?? former?.ProposalId ?? 0,
    RootProposalId: details.RootProposalId === undefined ? (former?.RootProposalId ?? null) : details.RootProposalId,
  };
  const proposalServiceId = referencedProposals(references).at(-1)?.ServiceId;
  const lines = policy.linesOf(sources);
  const isSameSale = !request.Quantity && links.RootProposalId === former?.RootProposalId;
  return {
    service:
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || former?.ServiceId || proposalServiceId },
    links,
    work: {
      quantity: request.Quantity || slot?.Quantity || former?.Quantity || request.Quantity,
      discount: policy.discountOf(sources),
      lines,
      keepsLines: lines === former?.AddOnParts,
      properties: details.CustomProperties ?? former?.CustomProperties ?? {},
      duration: typeof request.Duration === 'string' ? request.Duration : undefined,
      minutes: policy.minutesOf(sources),
      formerMinutes: policy.keepsLength && isSameSale ? former?.Duration : undefined,
      links,
      former,
    },
    details,
  };
}

/** 400 if a proposal or an invoice belongs to another contact. */
function requireOwnReferences(references: readonly Reference[], contactId: number): void {
  const errors = references.flatMap(({ field, noun, id, record }): FieldError[] => {
    if (noun === 'appointment' || !record || record.ContactId === contactId) return [];
    const message = `is ${noun} ${id} of contact ${record.ContactId}, not of contact ${contactId}`;
    return [{ field, code: 'mismatch', message }];
  });
  if (errors.length) throw invalid(...errors);
}

/**
 * In the request, an absent field is unchanged and `null` clears. In the slot, a blank is unchanged too; `null` clears
 * in update, except in Status, Shadow and RootProposalId, which are null in every slot of slotsearch; in
 * CustomProperties it always clears.
 */
function resolveDetails(
  { nullInSlot }: BookingPolicy,
  request: BookingRequest,
  slot: SlotInput | undefined,
): Partial<AppointmentRecord> {
  const fromSlot = <Value>(value: Value | null | undefined): Value | null | undefined =>
    value === null ? nullInSlot : value || undefined;
  const fromEither = (field: 'NotificationUri' | 'ThirdPartyUrl') =>
    request[field] === undefined ? fromSlot(slot?.[field]) : request[field];
  const proposalId = fromSlot(slot?.ProposalId);
  return definedFields<Partial<AppointmentRecord>>({
    ...callbackAddresses({
      ConfirmationUri: request.ConfirmationUri,
      NotificationUri: fromEither('NotificationUri'),
      EnRouteUri: request.EnRouteUri,
      ThirdPartyUrl: fromEither('ThirdPartyUrl'),
    }),
    InvoiceId: request.InvoiceId === null ? 0 : request.InvoiceId || undefined,
    RootProposalId:
      request.RootProposalId === null ? null : request.RootProposalId || slot?.RootProposalId || undefined,
    ProposalId: proposalId === null ? 0 : proposalId,
    Notes: applyValue(request.Notes, undefined, ''),
    NotificationOptions: notificationOptions(request.NotificationOptions),
    ReworkForAppointmentId: fromSlot(slot?.ReworkForAppointmentId),
    Shadow: slot?.Shadow ?? undefined,
    // A slot of slotsearch without custom properties has `{}`, which changes nothing.
    CustomProperties: slot?.CustomProperties === null ? {} : filled(slot?.CustomProperties),
  });
}

/** `undefined` for `{}`. */
const filled = <Value extends object>(value: Value | undefined): Value | undefined =>
  value && Object.keys(value).length ? value : undefined;

/** The callback addresses of a request; 400 for one that must not be called. */
function callbackAddresses<Name extends string>(
  input: Readonly<Record<Name, string | null | undefined>>,
): Partial<Record<Name, string>> {
  const { addresses, errors } = parseCallbackAddresses(input, { allowLoopback: process.env['STAGE'] === 'local' });
  if (errors.length) throw invalid(...errors);
  return addresses;
}

/** The words of NotificationOptions as they are stored; 400 for an unknown one. */
function notificationOptions(words: readonly string[] | null | undefined): string[] | undefined {
  if (words === undefined) return undefined;
  const { options, errors } = readNotificationOptions(words ?? []);
  if (errors.length) throw invalid(...errors);
  return options;
}

/** The proposals among references. */
export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));
