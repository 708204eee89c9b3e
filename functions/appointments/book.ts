import { additionalIn } from '../../lib/workflows/appointments/reserve-time.ts';
import { consequencesOf } from '../../lib/workflows/appointments/booking-effects.ts';
import { detailsOf } from '../../lib/workflows/appointments/booking-effects.ts';
import { ownOf } from '../../lib/workflows/appointments/booking-context.ts';
import { priceOf } from '../../lib/workflows/appointments/price-work.ts';
import { proposalsOf } from '../../lib/workflows/appointments/booking-context.ts';
import { readNamed } from '../../lib/workflows/appointments/booking-context.ts';
import { serviceIn } from '../../lib/workflows/appointments/booking-context.ts';
import { tryClaim } from '../../lib/workflows/appointments/reserve-time.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { blankAppointment } from '../../lib/domain/appointments/record.ts';
import { Status } from '../../lib/domain/appointments/status.ts';
import { appointmentAnswer, appointmentFields } from '../../lib/resources/appointments.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { leaseIds } from '../../lib/store/dynamodb/ids.ts';
import {
  agentIn,
  allowed,
  contactOf,
  firstOf,
  homeOf,
  startOf,
} from '../../lib/workflows/appointments/booking-context.ts';
import { moved } from '../../lib/workflows/appointments/booking-effects.ts';
import { answerOf } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { refusalOf } from '../../lib/workflows/appointments/reserve-time.ts';

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
    const [first, queued, given, naming] = await Promise.all([
      firstOf(context, request.CallCenterTransactionId),
      AppointmentId ? findAppointment(table, caller, AppointmentId) : undefined,
      of ? contactOf(context, of) : undefined,
      readNamed(context, request, slot),
    ]);
    if (first) return answerOf(context, first, IncludeContact);
    if (AppointmentId && !queued) throw notFound('appointment', 'AppointmentId', AppointmentId);
    const named = allowed(naming);
    const contact = given ?? (await contactOf(context, queued?.ContactId));
    if (queued && queued.ContactId !== contact.Id)
      throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${queued.Id}` });
    const details = allowed(detailsOf({ request, slot, named, contactId: contact.Id }));
    const link = { ...queued, ...details };
    const service =
      request.ServiceId || request.ServiceName
        ? request
        : { ServiceId: slot?.ServiceId || queued?.ServiceId || serviceIn(named) };
    const [home, proposals] = await Promise.all([
      homeOf(context, queued?.OrganizationId ?? contact.OrganizationId, service),
      proposalsOf(context, link, named),
    ]);
    const missing = [...(slot?.DateTime ? [] : ['DateTime']), ...(slot?.ServiceAgentId ? [] : ['ServiceAgentId'])];
    if (!slot?.DateTime || !slot.ServiceAgentId)
      throw invalid(...missing.map((field) => ({ field: `Slots[0].${field}`, message: 'is required' })));

    const { organization } = home;
    const agent = agentIn(home, slot.ServiceAgentId, 'Slots[0].ServiceAgentId');
    const priced = allowed(
      await priceOf(context, home, contact, {
        quantity: request.Quantity || slot.Quantity || queued?.Quantity,
        discount: request.Discount ?? slot.Discount ?? queued?.Discount,
        lines: [request.AddOnParts, slot.AddOnParts, queued?.AddOnParts].find((lines) => lines?.length) ?? [],
        properties: slot.CustomProperties ?? queued?.CustomProperties ?? {},
        duration: request.Duration,
        minutes: slot.Duration || undefined,
        link,
        former: queued,
        proposal: ownOf(link, proposals),
      }),
    );
    const before = queued && moved(queued, Status.Scheduled, caller) && queued;
    const [Id = 0] = queued ? [queued.Id] : await leaseIds(table, caller.accountId, 'Appointment', 1);
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
      Start: startOf(slot.DateTime, organization.Timezone),
      AdditionalAgents: allowed(additionalIn(home, slot.AdditionalServiceAgents ?? [], agent.ServiceAgentId)),
      CallCenterTransactionId: request.CallCenterTransactionId || queued?.CallCenterTransactionId || null,
      CancelReasonId: null,
    };
    const claimed = await tryClaim(context, {
      home,
      zip: contact.Zip,
      before,
      after,
      skip: request.SkipConflictChecks ?? false,
    });
    if (claimed.kind === 'claimed') {
      const { changes } = await consequencesOf(context, {
        before: queued,
        after,
        service: home.service,
        contact,
        proposals,
      });
      return save([...claimed.changes, ...changes], await answerOf(context, claimed.thing, IncludeContact));
    }
    // What has the time may be this same call, made once more a moment before.
    const own = await firstOf(context, request.CallCenterTransactionId);
    if (!own) throw refusalOf(claimed);
    return answerOf(context, own, IncludeContact);
  },
});
