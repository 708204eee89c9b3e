import type { SlotInput } from '../../entities/appointments.ts';
import type { BookInput, QueueInput, QuickbookInput } from '../../resources/appointments.ts';
import { omit, pick, requestFingerprint } from '../../shared/objects.ts';
import { parseDate, parseMoment } from '../../shared/time/read-moments.ts';
import { parseDuration } from '../../shared/time/time.ts';

/** A request of book, queue or quickbook. */
export type BookingCall = BookInput | QueueInput | QuickbookInput;

/** An operation that recognizes a repetition of its call by CallCenterTransactionId. */
export type RepeatableOperation = 'book' | 'queue' | 'quickbook';

/** The same for equal calls; `zone` applies to the moments in the request. */
export const callFingerprint = (operation: RepeatableOperation, request: BookingCall, zone: string): string =>
  requestFingerprint(`appointments/${operation}`, callContent(request, zone));

/** Fields that identify the call or only shape its answer. Fields that the operation ignores have no value here. */
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
 * What a call asks for, in one form: moments without an offset are in the zone and compare as moments, lengths compare
 * as minutes, and blank fields equal absent ones. Equal calls have deeply equal content.
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

/** An unreadable text stays as it is, because the call fails elsewhere. */
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
