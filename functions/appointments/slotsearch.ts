import { TIMEFRAME_HELP } from '../../lib/domain/scheduling/hours.ts';
import { contactReferences } from '../../lib/workflows/appointments/booking-context.ts';
import { ownProposal } from '../../lib/workflows/appointments/booking-context.ts';
import { parseTimeframe } from '../../lib/domain/scheduling/hours.ts';
import { priceWork } from '../../lib/workflows/appointments/price-work.ts';
import { loadProposals } from '../../lib/workflows/appointments/booking-context.ts';
import { loadReferences } from '../../lib/workflows/appointments/booking-context.ts';
import { searchSlots } from '../../lib/workflows/appointments/search-slots.ts';
import { referencedService } from '../../lib/workflows/appointments/booking-context.ts';
import { operation } from '../../lib/api/operation.ts';
import { AppointmentSlot, appointmentFields } from '../../lib/resources/appointments.ts';
import { many } from '../../lib/resources/resource.ts';
import { formatDuration } from '../../lib/shared/durations.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { formatMoment, toFriendly } from '../../lib/shared/format-moments.ts';
import { parseMoment } from '../../lib/shared/read-moments.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';
import { allowed, loadBookingContext } from '../../lib/workflows/appointments/booking-context.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact-resources.ts';

function fromOf(text: string | null | undefined, field: string, zone: string, now: Date): number {
  if (!text) return now.getTime();
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw invalid({ field: field, message: `cannot be read: ${parsed.reason}` });
  return parsed.at;
}

export const slotsearch = operation({
  name: 'appointments/slotsearch',
  summary: 'The times at which an agent can do a service for a contact, with the price.',
  description:
    'Slots are searched from TargetDate (else SearchDate, else now) on, for SlotWindowDays. A slot is a start on ' +
    "the organization's grid at which one agent's hours, category, postal codes and dates allow the whole " +
    'duration, nothing else overlaps, and the drives there and on fit. They come by time, then drive, then agent; ' +
    'at most 500. With AppointmentId that appointment does not block itself. Slots[0].ServiceAgentId asks for ' +
    'that agent alone. Where there are none, Message says why. What was booked less than a second ago may still ' +
    'be offered; booking it is 409.',
  access: 'read',
  needs: ['table:read'],
  request: appointmentFields,
  response: () => ({ Slots: many(AppointmentSlot) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { ContactId: 1, ServiceId: 1, TargetDate: '2027-03-08', SlotWindowDays: 7, Timeframe: 'Morning' },
  async run(request, { table, caller, now, baseUrl }) {
    const asking = { table, caller, now };
    const { AppointmentId } = request;
    const [slot] = request.Slots ?? [];
    const { RootProposalId } = request;
    const [moving, input, naming] = await Promise.all([
      AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
      request.ContactId ? loadContact(asking, request.ContactId) : undefined,
      loadReferences(
        asking,
        { RootProposalId },
        { RootProposalId: slot?.RootProposalId, ProposalId: slot?.ProposalId },
      ),
    ]);
    if (AppointmentId && !moving) throw notFound('appointment', 'AppointmentId', AppointmentId);
    const contact = input ?? (await loadContact(asking, moving?.ContactId));
    const named = allowed(naming);
    const foreign = contactReferences(named, contact.Id);
    if (foreign) allowed(foreign);
    const root = RootProposalId || slot?.RootProposalId || moving?.RootProposalId || null;
    const link = { ProposalId: slot?.ProposalId || moving?.ProposalId || 0, RootProposalId: root };
    const asked =
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || moving?.ServiceId || referencedService(named) };
    const [home, proposals] = await Promise.all([
      loadBookingContext(asking, moving?.OrganizationId ?? contact.OrganizationId, asked),
      loadProposals(asking, link, named),
    ]);
    const {
      organization: { Timezone: zone },
    } = home;
    const timeframe = parseTimeframe(request.Timeframe);
    if (!timeframe) throw invalid({ field: 'Timeframe', message: TIMEFRAME_HELP });
    const from = fromOf(
      request.TargetDate || request.SearchDate,
      request.TargetDate ? 'TargetDate' : 'SearchDate',
      zone,
      now,
    );
    const priced = allowed(
      await priceWork(asking, home, contact, {
        quantity: request.Quantity || moving?.Quantity,
        discount: request.Discount ?? moving?.Discount,
        lines: request.AddOnParts?.length ? request.AddOnParts : (moving?.AddOnParts ?? []),
        properties: slot?.CustomProperties ?? {},
        duration: request.Duration,
        minutes:
          moving && !request.Quantity && link.RootProposalId === moving.RootProposalId ? moving.Duration : undefined,
        link,
        former: moving,
        proposal: ownProposal(link, proposals),
      }),
    );

    const sought = {
      zip: contact.Zip,
      minutes: priced.Duration,
      from,
      days: request.SlotWindowDays ?? undefined,
      timeframe,
      agentId: slot?.ServiceAgentId ?? undefined,
      appointmentId: moving?.Id,
    };
    const [{ slots, reason }, shown] = await Promise.all([
      searchSlots(asking, home, sought),
      request.IncludeContact
        ? loadContactResources(table, [contact], { accountId: caller.accountId, baseUrl, now })
        : [],
    ]);
    const common = {
      ContactId: contact.Id,
      AppointmentId: moving?.Id ?? 0,
      ...priced,
      DurationFormatted: formatDuration(priced.Duration),
      NotificationUri: '',
      TipUrl: '',
      ThirdPartyUrl: '',
      TrackingUrl: '',
      ActualStart: '',
      ActualDuration: null,
      Status: null,
      Shadow: null,
      ...link,
      ReworkForAppointmentId: null,
      CancelReasonId: null,
      CustomProperties: {},
      AdditionalServiceAgents: [],
      Contact: shown[0] ?? null,
    };
    const Slots = slots.map(({ start, agentId, agentName, driveMinutes, driveWarning }) => ({
      ...common,
      DateTime: formatMoment(start, zone, caller.dateStyle),
      DateTimeFormatted: toFriendly(start, zone),
      ServiceAgentId: agentId,
      ServiceAgentName: agentName,
      DriveTimeMinutes: driveMinutes,
      DriveTimeWarning: driveWarning,
    }));
    return { Slots, Message: reason?.message ?? '' };
  },
});
