import type { AppointmentRecord } from '../../entities/appointments.ts';
import { parseCallbackAddresses } from '../../shared/web/web-addresses.ts';
import { ANYTIME, parseTimeframe } from '../../domain/scheduling/calendar.ts';
import type { AppointmentInput, BookInput, QuickbookInput, SlotInput } from '../../resources/appointments.ts';
import { invalid } from '../../shared/failure.ts';
import { applyValue } from '../../resources/fields.ts';
import { definedFields, isEqual, omit, pick } from '../../shared/objects.ts';
import {
  type ProposalLinks,
  type Reference,
  type ServiceReference,
  referencedProposals,
  requireOwnReferences,
} from './booking-context.ts';
import type { WorkInput } from './price-work.ts';

type BookingOperation = 'book' | 'queue' | 'quickbook' | 'slotsearch' | 'update';

type BookingRequest = Pick<
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

interface BookingSources {
  readonly request: BookingRequest;
  readonly slot?: SlotInput | undefined;
  /** The appointment of AppointmentId as it is stored. */
  readonly former?: AppointmentRecord | undefined;
  readonly references?: readonly Reference[];
  /** The contact to which the references must belong. */
  readonly contactId?: number;
}

export interface BookingInput {
  readonly service: ServiceReference;
  readonly links: Required<ProposalLinks>;
  readonly work: WorkInput;
  /** The other fields of the appointment that the request changes. */
  readonly details: Partial<AppointmentRecord>;
}

/**
 * The slot of a request, without the fields that the operation ignores because they only repeat an answer of
 * slotsearch.
 */
export function requestedSlot(
  operation: BookingOperation,
  { Slots }: Pick<AppointmentInput, 'Slots'>,
): SlotInput | undefined {
  const slot = Slots?.[0];
  if (slot && operation === 'slotsearch')
    return pick(slot, 'ServiceAgentId', 'ServiceId', 'ProposalId', 'RootProposalId', 'CustomProperties');
  if (slot && operation === 'update') return omit(slot, 'ContactId', 'ServiceId', 'AddOnParts');
  return slot;
}

/**
 * The request of an update with its new start in the slot, where a program moves a visit by the fields of slotsearch:
 * TargetDate or SearchDate, with a time of day. Throws 400 for a Timeframe alone.
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

/**
 * Decides from which source each value is taken: the request, else its slot, else the former appointment, else the
 * proposal. Typed clients send blanks (0, "", []) for what they do not set, so a blank is no value, except in Discount.
 */
export function resolveBookingInput(operation: BookingOperation, sources: BookingSources): BookingInput {
  const { request, slot, former, references = [], contactId } = sources;
  if (contactId) requireOwnReferences(references, contactId);
  const details = resolveDetails(operation, request, slot);
  const links = {
    ProposalId: details.ProposalId ?? former?.ProposalId ?? 0,
    RootProposalId: details.RootProposalId === undefined ? (former?.RootProposalId ?? null) : details.RootProposalId,
  };
  const proposalServiceId = referencedProposals(references).at(-1)?.ServiceId;
  const lines = resolveLines(operation, sources);
  return {
    service:
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || former?.ServiceId || proposalServiceId },
    links,
    work: {
      quantity: request.Quantity || slot?.Quantity || former?.Quantity || request.Quantity,
      discount: resolveDiscount(operation, sources),
      lines,
      keepsLines: lines === former?.AddOnParts,
      properties: details.CustomProperties ?? former?.CustomProperties ?? {},
      duration: typeof request.Duration === 'string' ? request.Duration : undefined,
      minutes: resolveMinutes(operation, sources),
      formerMinutes: resolveFormerMinutes(operation, sources, links),
      links,
      former,
    },
    details,
  };
}

/** In update `null` clears the discount; otherwise it is not given. */
function resolveDiscount(operation: BookingOperation, { request, slot, former }: BookingSources) {
  if (operation === 'update' && request.Discount === null) return null;
  if (operation === 'update' && request.Discount === undefined && slot?.Discount === null) return null;
  return request.Discount ?? slot?.Discount ?? former?.Discount;
}

/** Whether update replaces the add-ons. UpdateLines alone changes nothing; with an empty list it removes all. */
const replacesLines = ({ UpdateLines, AddOnParts }: BookingRequest): boolean =>
  UpdateLines === true && AddOnParts !== undefined;

function resolveLines(operation: BookingOperation, { request, slot, former }: BookingSources): WorkInput['lines'] {
  if (operation === 'update') return replacesLines(request) ? (request.AddOnParts ?? []) : (former?.AddOnParts ?? []);
  return [request.AddOnParts, slot?.AddOnParts, former?.AddOnParts].find((lines) => lines?.length) ?? [];
}

/** 400 if an update has other add-ons than the appointment but does not replace them. */
export function requireUpdateLines(request: AppointmentInput, { AddOnParts: stored }: AppointmentRecord): void {
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

/** The length that the request or its slot gives in minutes. */
function resolveMinutes(operation: BookingOperation, { request, slot, former }: BookingSources): number | undefined {
  switch (operation) {
    case 'book':
      return slot?.Duration || undefined;
    case 'quickbook':
      return typeof request.Duration === 'number' ? request.Duration || undefined : undefined;
    case 'update':
      return slot?.Duration && slot.Duration !== former?.Duration ? slot.Duration : undefined;
    case 'queue':
    case 'slotsearch':
      return undefined;
  }
}

/** queue and slotsearch keep the length of an appointment whose quantity and sale stay. */
function resolveFormerMinutes(
  operation: BookingOperation,
  { request, former }: BookingSources,
  links: ProposalLinks,
): number | undefined {
  if (operation !== 'queue' && operation !== 'slotsearch') return undefined;
  return former && !request.Quantity && links.RootProposalId === former.RootProposalId ? former.Duration : undefined;
}

/**
 * In the request absent is unchanged and `null` clears. In the slot a blank is unchanged too; `null` clears in update,
 * except in Status, Shadow and RootProposalId, which are null in every slot of slotsearch; CustomProperties everywhere.
 */
function resolveDetails(
  operation: BookingOperation,
  request: BookingRequest,
  slot: SlotInput | undefined,
): Partial<AppointmentRecord> {
  const fromSlot = <Value>(value: Value | null | undefined): Value | null | undefined =>
    value === null ? (operation === 'update' ? null : undefined) : value || undefined;
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
    NotificationOptions: applyValue(request.NotificationOptions, undefined, []),
    ReworkForAppointmentId: fromSlot(slot?.ReworkForAppointmentId),
    Shadow: slot?.Shadow ?? undefined,
    CustomProperties: resolveProperties(slot?.CustomProperties),
  });
}

/** `null` clears them in every operation; a slot of slotsearch without any has `{}`, which changes nothing. */
function resolveProperties(
  properties: SlotInput['CustomProperties'],
): AppointmentRecord['CustomProperties'] | undefined {
  if (properties === null) return {};
  return properties && Object.keys(properties).length ? properties : undefined;
}

/** The callback addresses of a request; 400 for one that must not be called. */
function callbackAddresses<Name extends string>(
  input: Readonly<Record<Name, string | null | undefined>>,
): Partial<Record<Name, string>> {
  const { addresses, errors } = parseCallbackAddresses(input, { allowLoopback: process.env['STAGE'] === 'local' });
  if (errors.length) throw invalid(...errors);
  return addresses;
}
