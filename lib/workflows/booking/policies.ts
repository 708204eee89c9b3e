import type { AppointmentRecord } from '../../entities/appointments.ts';
import type {
  AppointmentInput,
  BookInput,
  QueueInput,
  QuickbookInput,
  SlotInput,
} from '../../resources/appointments.ts';
import { omit, pick } from '../../shared/objects.ts';
import type { WorkInput } from './booking.ts';

/** What differs between the ways to book: pure objects that say which of several sources each value is taken from. */

/** What requests to book have in common; each way to book has some of the fields. */
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

/** What a value is taken from, the first before the others. */
export interface ValueSources {
  readonly request: BookingRequest;
  readonly slot?: SlotInput | undefined;
  /** The appointment of AppointmentId as it is stored. */
  readonly former?: AppointmentRecord | undefined;
}

/** A way to book. */
export interface BookingPolicy {
  /** The fields of a slot that count; the others only repeat an answer of slotsearch. */
  readonly slotOf: (slot: SlotInput) => SlotInput;
  /** What `null` means in a slot: it clears the field, or is one of the blanks that change nothing. */
  readonly nullInSlot: null | undefined;
  readonly discountOf: (sources: ValueSources) => number | null | undefined;
  readonly linesOf: (sources: ValueSources) => WorkInput['lines'];
  /** The length that the request or its slot gives in minutes. */
  readonly minutesOf: (sources: ValueSources) => number | undefined;
  /** An appointment whose service, quantity and sale stay is as long as before. */
  readonly keepsLength: boolean;
}

/** A way to book whose repeated call returns the first appointment. */
export interface RepeatablePolicy<Request> extends BookingPolicy {
  readonly operation: 'book' | 'queue' | 'quickbook';
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

/** appointments/book: the slot says what the request does not, its length too. */
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

/** appointments/quickbook, and bookings on a page: always a new appointment, its Duration in minutes. */
export const QUICKBOOK: RepeatablePolicy<QuickbookInput> = {
  ...USUAL,
  operation: 'quickbook',
  namedBy: ({ ContactId }) => ({ contactId: ContactId }),
  minutesOf: ({ request }) => (typeof request.Duration === 'number' ? request.Duration || undefined : undefined),
};

/** appointments/slotsearch, its holds, and the times on a page: what would be booked, so far as it decides the times. */
export const SEARCH: BookingPolicy = {
  ...USUAL,
  slotOf: (slot) => pick(slot, 'ServiceAgentId', 'ServiceId', 'ProposalId', 'RootProposalId', 'CustomProperties'),
  keepsLength: true,
};

/** Whether update replaces the add-ons. UpdateLines alone changes nothing; with an empty list it removes all. */
export const replacesLines = ({ UpdateLines, AddOnParts }: BookingRequest): boolean =>
  UpdateLines === true && AddOnParts !== undefined;

/** appointments/update: what is given replaces what is stored, and `null` clears it. */
export const UPDATE: BookingPolicy = {
  slotOf: (slot) => omit(slot, 'ContactId', 'ServiceId', 'AddOnParts'),
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
