import { resolveAdditionalAgents } from '../../lib/workflows/appointments/reserve-time.ts';
import { bookingEffects } from '../../lib/workflows/appointments/booking-effects.ts';
import { resolveDetails } from '../../lib/workflows/appointments/booking-effects.ts';
import { ownProposal } from '../../lib/workflows/appointments/booking-context.ts';
import { priceWork } from '../../lib/workflows/appointments/price-work.ts';
import { loadProposals } from '../../lib/workflows/appointments/booking-context.ts';
import { loadReferences } from '../../lib/workflows/appointments/booking-context.ts';
import { referencedService } from '../../lib/workflows/appointments/booking-context.ts';
import { tryReserveTime } from '../../lib/workflows/appointments/reserve-time.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { blankAppointment } from '../../lib/domain/appointments/record.ts';
import { Status } from '../../lib/domain/appointments/status.ts';
import { appointmentAnswer, appointmentFields } from '../../lib/resources/appointments.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';
import {
  findAgent,
  allowed,
  findRepeated,
  loadBookingContext,
  parseStart,
} from '../../lib/workflows/appointments/booking-context.ts';
import { changeAppointmentStatus } from '../../lib/workflows/appointments/booking-effects.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { reservationFailure } from '../../lib/workflows/appointments/reserve-time.ts';

export const book = operation({
  name: 'appointments/book',
  summary: 'Books the slot in Slots for a contact, or for the queued appointment of AppointmentId.',
  description:
    'Claims the whole time of every agent at once. A slot that is taken, or a start outside the hours, dates, category, postal codes or drives of an agent, is ' +
    '409 and says which, unless SkipConflictChecks books over all of it. Price and lines are fixed now. The same CallCenterTransactionId again answers with ' +
    'the first appointment and does nothing. A slot of slotsearch that nobody else has booked always books. For a signed proposal (ProposalId, RootProposalId) ' +
    'and its service, or none named, it is what was sold, at that price and length, and so is a visit of a subscription; other add-ons are added at the price of ' +
    'today, another quantity, discount or amount of a sold part is 409: make a change order. An Accepted proposal becomes Scheduled with it.',
  access: 'write',
  needs: ['table:write'],
  request: appointmentFields,
  response: appointmentAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    ContactId: 1,
    ServiceId: 1,
    CallCenterTransactionId: 1001,
    Slots: [{ DateTime: '2027-03-09T09:00', ServiceAgentId: 1 }],
  },
  async run(request, context) {
    const { table, caller } = context;
    const { AppointmentId, IncludeContact } = request;
    const [slot] = request.Slots ?? [];
    const of = request.ContactId || slot?.ContactId;
    const [first, queued, input, naming] = await Promise.all([
      findRepeated(context, request.CallCenterTransactionId),
      AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
      of ? loadContact(context, of) : undefined,
      loadReferences(context, request, slot),
    ]);
    if (first) return toAppointmentAnswer(context, first, IncludeContact);
    if (AppointmentId && !queued) throw notFound('appointment', 'AppointmentId', AppointmentId);
    const named = allowed(naming);
    const contact = input ?? (await loadContact(context, queued?.ContactId));
    if (queued && queued.ContactId !== contact.Id)
      throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${queued.Id}` });
    const details = allowed(resolveDetails({ request, slot, named, contactId: contact.Id }));
    const link = { ...queued, ...details };
    const service =
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || queued?.ServiceId || referencedService(named) };
    const [home, proposals] = await Promise.all([
      loadBookingContext(context, queued?.OrganizationId ?? contact.OrganizationId, service),
      loadProposals(context, link, named),
    ]);
    const missing = [...(slot?.DateTime ? [] : ['DateTime']), ...(slot?.ServiceAgentId ? [] : ['ServiceAgentId'])];
    if (!slot?.DateTime || !slot.ServiceAgentId)
      throw invalid(...missing.map((field) => ({ field: `Slots[0].${field}`, message: 'is required' })));

    const { organization } = home;
    const agent = findAgent(home, slot.ServiceAgentId, 'Slots[0].ServiceAgentId');
    const priced = allowed(
      await priceWork(context, home, contact, {
        quantity: request.Quantity || slot.Quantity || queued?.Quantity,
        discount: request.Discount ?? slot.Discount ?? queued?.Discount,
        lines: [request.AddOnParts, slot.AddOnParts, queued?.AddOnParts].find((lines) => lines?.length) ?? [],
        properties: slot.CustomProperties ?? queued?.CustomProperties ?? {},
        duration: request.Duration,
        minutes: slot.Duration || undefined,
        link,
        former: queued,
        proposal: ownProposal(link, proposals),
      }),
    );
    const before = queued && changeAppointmentStatus(queued, Status.Scheduled, caller) && queued;
    const [Id = 0] = queued ? [queued.Id] : await reserveIds(table, caller.accountId, 'Appointment', 1);
    const blank = {
      Id,
      OrganizationId: organization.Id,
      ContactId: contact.Id,
      HashKey: randomHandle(22),
      Zone: organization.Timezone,
      Created: context.now.getTime(),
    };
    const after = {
      ...(queued ?? blankAppointment(blank)),
      ...details,
      ...priced,
      ...agent,
      Status: Status.Scheduled,
      Start: parseStart(slot.DateTime, organization.Timezone),
      AdditionalAgents: allowed(
        resolveAdditionalAgents(home, slot.AdditionalServiceAgents ?? [], agent.ServiceAgentId),
      ),
      CallCenterTransactionId: request.CallCenterTransactionId || queued?.CallCenterTransactionId || null,
      CancelReasonId: null,
    };
    const claimed = await tryReserveTime(context, {
      home,
      zip: contact.Zip,
      before,
      after,
      skip: request.SkipConflictChecks ?? false,
    });
    if (claimed.kind === 'claimed') {
      const { changes } = await bookingEffects(context, {
        before: queued,
        after,
        service: home.service,
        contact,
        proposals,
      });
      return save([...claimed.changes, ...changes], await toAppointmentAnswer(context, claimed.record, IncludeContact));
    }
    // What has the time may be this same call, made once more a moment before.
    const own = await findRepeated(context, request.CallCenterTransactionId);
    if (!own) throw reservationFailure(claimed);
    return toAppointmentAnswer(context, own, IncludeContact);
  },
});
