import type { AppointmentRecord } from '../../entities/appointments.ts';
import { conflict } from '../../shared/failure.ts';
import type {
  AppointmentInput,
  BookInput,
  QueueInput,
  QuickbookInput,
  SlotInput,
} from '../../resources/appointments.ts';
import {
  type CallCenterCall,
  callCenterChange,
  findAppointment,
  findCallCenterCalls,
} from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { ReadContext } from '../context.ts';
import type { Booking } from './booking-context.ts';
import { parseDuration } from '../../shared/time/time.ts';
import { omit, pick, requestFingerprint } from '../../shared/objects.ts';
import { parseDate, parseMoment } from '../../shared/time/read-moments.ts';
import { organizationStore } from '../../store/store.ts';

type RepeatableOperation = 'book' | 'queue' | 'quickbook';

const callFingerprint = (operation: RepeatableOperation, request: BookingCall, zone: string): string =>
  requestFingerprint(`appointments/${operation}`, callContent(request, zone));

/**
 * The appointment that an earlier call with the same CallCenterTransactionId made in the organization. Throws conflict
 * if that call asked for something else.
 */
export async function findRepeatedCall(
  context: ReadContext,
  operation: RepeatableOperation,
  request: BookingCall,
): Promise<AppointmentRecord | undefined> {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return undefined;
  const { store, caller } = context;
  const found = await findCallCenterCalls(store, transaction);
  if (!found.length) return undefined;
  const organizationId = await requestedOrganization(context, operation, request);
  const isOfOne = caller.organizationId === null && organizationId !== undefined;
  const calls = isOfOne ? await findCallCenterCalls(organizationStore(store, organizationId), transaction) : found;
  // Calls of earlier versions have no fingerprint.
  const isRepeated = ({ appointment, fingerprint, zone }: CallCenterCall) =>
    appointment && (fingerprint === undefined || fingerprint === callFingerprint(operation, request, zone));
  const repeated = calls.find(isRepeated);
  const [other] = calls;
  if (!repeated && other)
    throw conflict(
      'idempotency_mismatch',
      `CallCenterTransactionId ${transaction} made appointment ${other.id} ` +
        `${other.appointment ? 'with another request' : 'which is not there any more'}. Use a new one.`,
    );
  return repeated?.appointment;
}

/** The organization that a call books in; `undefined` where it is decided with the contact of a lead. */
async function requestedOrganization(
  { store, caller }: ReadContext,
  operation: RepeatableOperation,
  request: BookingCall,
): Promise<number | undefined> {
  if (caller.organizationId !== null) return caller.organizationId;
  // What an operation has in its answer alone, a request may have too, with any value.
  const { AppointmentId, Slots } = request as Pick<AppointmentInput, 'AppointmentId' | 'Slots'>;
  const appointmentId = operation === 'quickbook' ? undefined : AppointmentId;
  const contactId = request.ContactId || (operation === 'book' ? Slots?.[0]?.ContactId : undefined);
  const record = appointmentId
    ? await findAppointment(store, appointmentId)
    : contactId
      ? await findContact(store, contactId)
      : undefined;
  return record?.OrganizationId;
}

/** The booking, and what recognizes a repetition of its call. `zone` is that of the moments in the request. */
export function withCall(
  { caller }: Pick<ReadContext, 'caller'>,
  { operation, request, zone }: { operation: RepeatableOperation; request: BookingCall; zone: string },
  { appointment, changes }: Booking,
): Booking {
  const transaction = request.CallCenterTransactionId;
  if (!transaction) return { appointment, changes };
  const fingerprint = callFingerprint(operation, request, zone);
  const call = callCenterChange({ account: caller.account }, { transaction, appointment, fingerprint, zone });
  return { appointment, changes: [...changes, call] };
}

/** A request of book, queue or quickbook. */
export type BookingCall = BookInput | QueueInput | QuickbookInput;

/** What names the call or only shapes its answer. Fields that the operation ignores have no value here. */
const NO_CONTENT = ['CallCenterTransactionId', 'IncludeContact', 'HoldHandle'] as const;

/** Fields of a slot that book uses; the others repeat an answer of slotsearch. */
const SLOT_FIELDS = [
  'ContactId',
  'DateTime',
  'ArrivalFrom',
  'ArrivalThrough',
  'ServiceAgentId',
  'ServiceId',
  'Quantity',
  'Duration',
  'Discount',
  'NotificationUri',
  'ThirdPartyUrl',
  'Shadow',
  'ProposalId',
  'RootProposalId',
  'ReworkForAppointmentId',
  'AddOnParts',
  'CustomProperties',
  'AdditionalServiceAgents',
] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a call asks for, in one form: moments without an offset are of the zone and compare as moments, lengths compare
 * as minutes, and a blank field is as good as an absent one. Equal calls have deeply equal content.
 */
export function callContent(request: BookingCall, zone: string): Fields {
  const { Slots, ...fields } = omit(request as BookInput, ...NO_CONTENT);
  const [slot] = Slots ?? [];
  return normalizeFields({ ...fields, ...(slot ? { Slots: [slotContent(slot)] } : {}) }, zone);
}

const slotContent = (slot: SlotInput): Fields => ({
  ...pick(slot, ...SLOT_FIELDS),
  AdditionalServiceAgents: slot.AdditionalServiceAgents?.map(({ ServiceAgent, ...times }) => ({
    ...times,
    ServiceAgent: ServiceAgent && pick(ServiceAgent, 'Id', 'Name', 'Email'),
  })),
});

function normalizeFields(fields: object, zone: string): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [name, normalize(name, value, zone)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined).toSorted(byName));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** `undefined` for a blank value. */
function normalize(name: string, value: unknown, zone: string): unknown {
  if (value === null || value === false || value === '') return undefined;
  if (Array.isArray(value)) return value.length ? value.map((each) => normalize('', each, zone)) : undefined;
  if (typeof value === 'object') {
    const fields = normalizeFields(value, zone);
    return Object.keys(fields).length ? fields : undefined;
  }
  return typeof value === 'string' ? normalizeText(name, value.trim(), zone) || undefined : value;
}

const MOMENTS = new Set(['DateTime', 'ScheduledStart', 'ArrivalFrom', 'ArrivalThrough']);

/** A text that cannot be read stays as it is: the call fails elsewhere. */
function normalizeText(name: string, text: string, zone: string): unknown {
  if (MOMENTS.has(name)) {
    const moment = parseMoment(text, zone);
    return moment.ok ? moment.at : text;
  }
  if (name === 'QueueDate') {
    const date = parseDate(text, zone);
    return date.ok ? date.date : text;
  }
  if (name === 'Duration') {
    const duration = parseDuration(text);
    return duration.ok ? duration.minutes : text;
  }
  return text;
}
