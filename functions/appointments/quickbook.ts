import { checkLinks } from '../../lib/workflows/appointments/booking-context.ts';
import { findOpenSlots } from '../../lib/workflows/appointments/search-slots.ts';
import { priceWork } from '../../lib/workflows/appointments/price-work.ts';
import { tryReserveTime } from '../../lib/workflows/appointments/reserve-time.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { type AppointmentRecord, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { Status } from '../../lib/domain/appointments/status.ts';
import type { ServiceAgentRecord } from '../../lib/domain/service-agents.ts';
import { normalizeEmail } from '../../lib/shared/emails.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/format-moments.ts';
import { randomHandle } from '../../lib/shared/random-handle.ts';
import { parseMoment } from '../../lib/shared/read-moments.ts';
import { StoreConflict } from '../../lib/store/dynamodb/errors.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import { listRecentAgents } from '../../lib/store/service-agents.ts';
import {
  type ReadContext,
  type BookingContext,
  allowed,
  loadLeadContact,
  findRepeated,
  loadBookingContext,
} from '../../lib/workflows/appointments/booking-context.ts';
import { quickbookAnswer, quickbookFields } from '../../lib/workflows/appointments/quickbook-fields.ts';

/** Openings that are tried one after another when others take them in the same moment. */
const MAX_TRIES = 10;
const MAX_CHANGES = 99;

function agentWith({ agents }: Pick<BookingContext, 'agents'>, email: string, field: string): ServiceAgentRecord {
  const agent = [...agents.values()].find(({ Email }) => Email && normalizeEmail(Email) === normalizeEmail(email));
  if (!agent) throw notFound('service agent', field, email);
  return agent;
}

async function answerOf({ table, caller, now }: ReadContext, of: AppointmentRecord) {
  const agents = await listRecentAgents(table, { accountId: caller.accountId, organizationId: of.OrganizationId }, now);
  return {
    AppointmentId: of.Id,
    ContactId: of.ContactId,
    Service: of.ServiceName,
    ServiceAgentEmail: agents.get(of.ServiceAgentId)?.Email ?? '',
    Duration: of.Duration,
    ScheduledStart: of.Start === null ? null : toUtc(of.Start),
    Tentative: of.Status === Status.Tentative,
    Confirmed: of.Status === Status.Scheduled,
    CallCenterTransactionId: of.CallCenterTransactionId,
  };
}

export const quickbook = operation({
  name: 'appointments/quickbook',
  summary: 'Finds or makes a contact and books an appointment for it, all in one transaction.',
  description:
    'The contact by the rules of contacts/addupdate; a new one goes to the organization that owns its postal code. The service by its name, agents by e-mail, ' +
    'at ScheduledStart; with FirstAvailable at the first slot from then on (or from now), the next when somebody takes that one in the same moment. Tentative ' +
    'holds the time as Tentative. The same CallCenterTransactionId again is the first appointment.',
  access: 'write',
  needs: ['table:write'],
  request: quickbookFields,
  response: quickbookAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: {
    Name: 'Ann Lee',
    Email: 'ann@example.com',
    Address1: '12 Main Street',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
    Service: 'Lawn care',
    FirstAvailable: true,
    ScheduledStart: '2027-03-08T08:00',
    CallCenterTransactionId: 1003,
  },
  async run(request, context) {
    const { table, caller, now } = context;
    const first = await findRepeated(context, request.CallCenterTransactionId);
    if (first) return answerOf(context, first);
    const links = allowed(checkLinks({ ConfirmationUri: request.ConfirmationUri, EnRouteUri: request.EnRouteUri }));
    if (request.Tentative && request.Confirmed)
      throw invalid({ field: 'Confirmed', message: 'cannot be true where Tentative is' });
    const { contact, changes: ofContact } = await loadLeadContact(context, request, request.ContactId);
    const home = await loadBookingContext(context, contact.OrganizationId, { ServiceName: request.Service }, 'Service');
    const { Id: OrganizationId, Timezone: Zone } = home.organization;
    const parsed = request.ScheduledStart ? parseMoment(request.ScheduledStart, Zone) : undefined;
    if (parsed && !parsed.ok) throw invalid({ field: 'ScheduledStart', message: `cannot be read: ${parsed.reason}` });
    if (!request.FirstAvailable && (!parsed || parsed.dateOnly))
      throw invalid({ field: 'ScheduledStart', message: 'with a time of day is required, or FirstAvailable' });
    const agent = request.ServiceAgentEmail?.trim()
      ? agentWith(home, request.ServiceAgentEmail, 'ServiceAgentEmail')
      : undefined;
    const others = (request.AdditionalServiceAgentEmails ?? []).map((email, index) =>
      agentWith(home, email, `AdditionalServiceAgentEmails[${index}]`),
    );
    const involved = [...(agent ? [agent] : []), ...others].map(({ Id }) => Id);
    if (new Set(involved).size < involved.length)
      throw invalid({
        field: 'AdditionalServiceAgentEmails',
        message: 'must name each agent once, and not the one of ServiceAgentEmail',
      });

    const wanted = {
      quantity: request.Quantity,
      discount: undefined,
      lines: [],
      properties: {},
      duration: undefined,
      minutes: request.Duration || undefined,
      link: {},
    };
    const priced = allowed(await priceWork(context, home, contact, wanted));
    const from = parsed?.at ?? now.getTime();
    const sought = {
      contact,
      minutes: priced.Duration,
      from,
      fixed: !request.FirstAvailable,
      agentId: agent?.Id,
      others: others.map(({ Id }) => Id),
    };
    const [{ openings, why }, [Id = 0]] = await Promise.all([
      findOpenSlots(context, home, sought),
      reserveIds(table, caller.accountId, 'Appointment', 1),
    ]);
    const blank = blankAppointment({
      Id,
      OrganizationId,
      ContactId: contact.Id,
      HashKey: randomHandle(22),
      Zone,
      Created: now.getTime(),
      ...priced,
      ...links,
      Status: request.Tentative ? Status.Tentative : Status.Scheduled,
      Notes: request.CustomerNotes ?? '',
      InternalNotes: request.InternalNotes ?? '',
      CallCenterTransactionId: request.CallCenterTransactionId || null,
      AdditionalAgents: others.map((other) => ({
        ServiceAgentId: other.Id,
        Name: other.Name,
        StartMinute: null,
        Duration: null,
        ActualStartMinute: null,
        ActualDuration: null,
      })),
    });
    let refusal = why;
    for (const { start, agentId } of openings.slice(0, MAX_TRIES)) {
      const after = {
        ...blank,
        Start: start,
        ServiceAgentId: agentId,
        ServiceAgentName: home.agents.get(agentId)?.Name ?? '',
      };
      const claimed = await tryReserveTime(context, { home, zip: contact.Zip, before: undefined, after, skip: false });
      if (claimed.kind !== 'claimed') {
        refusal = claimed.message;
        continue;
      }
      const changes = [...ofContact, ...claimed.changes];
      if (changes.length > MAX_CHANGES)
        throw invalid({
          field: 'Tags',
          message: 'and the rest of the contact are too many changes for one booking; use contacts/addupdate before',
        });
      return save(changes, await answerOf(context, claimed.record));
    }
    // What has the time may be this same call, made once more a moment before.
    const own = await findRepeated(context, request.CallCenterTransactionId);
    if (own) return answerOf(context, own);
    // Others have taken each opening since it was looked for: the pipeline has it looked for anew.
    if (request.FirstAvailable && openings.length) throw new StoreConflict(refusal);
    throw conflict(refusal);
  },
});
