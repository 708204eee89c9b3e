import { faulty } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import { readSpan } from '../../lib/domain/spans.ts';
import { AppointmentSlot } from '../../lib/resources/appointments.ts';
import { datetime, described, flag, id, int32 } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { homeOrganization } from '../../lib/store/accounts.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { shown } from './answer.ts';

export const query = operation({
  name: 'appointments/query',
  summary: 'The appointments that meet every criterion given, by time, then id; those without a time come last.',
  description:
    'Whatever their status. A queued one counts by its QueueDate. ServiceAgentId finds those of which the agent is one of several, too. Count is the exact ' +
    'number of all matches; the pages of one query are of the moment at which its first was asked for, for ten minutes.',
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    FromDate: datetime(),
    ThroughDate: described(datetime(), 'A date without time includes that whole day.'),
    UpdatedFrom: datetime(),
    UpdatedThrough: described(datetime(), 'A date without time includes that whole day.'),
    ContactId: id(),
    ServiceAgentId: id(),
    Skip: int32(0),
    Take: described(int32(1, 500), '100 unless said otherwise.'),
    IncludeContact: flag(),
  }),
  response: () => ({ Count: int32(0), Appointments: many(AppointmentSlot) }),
  failures: ['invalid'],
  example: { FromDate: '2026-03-09', ThroughDate: '2026-03-13', ServiceAgentId: 1 },
  async run(request, context) {
    const { table, caller, now } = context;
    const { Timezone } = await homeOrganization(table, caller, now);
    const date = readSpan('', [request.FromDate, request.ThroughDate], Timezone);
    const updated = readSpan('Updated', [request.UpdatedFrom, request.UpdatedThrough], Timezone);
    const dated = date.faults.map(({ field, message }) => ({ field: `${field}Date`, message: message.replace(/From$/, 'FromDate') }));
    const faults = [...dated, ...updated.faults];
    if (faults.length) throw faulty(faults);
    const asked = {
      contact: request.ContactId ?? undefined, agent: request.ServiceAgentId ?? undefined, date: date.span, updated: updated.span,
      skip: request.Skip ?? 0, take: request.Take ?? 100,
    };
    const { count, appointments } = await queryAppointments(table, caller, asked, now);
    return { Count: count, Appointments: await shown(context, appointments, request.IncludeContact ?? false) };
  },
});
