import { Appointment } from '../../lib/entities/appointments.ts';
import { operation } from '../../lib/api/operation.ts';
import { flag, id, int32, many } from '../../lib/resources/fields.ts';
import { PAGES, dateFields, dateFilter, pageFields, pageOf, updatedFields } from '../../lib/resources/queries.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { queryAppointments } from '../../lib/store/appointments.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';
import { loadAppointmentResources } from '../../lib/workflows/appointments/load-appointment-resources.ts';

export const query = operation({
  title: 'List appointments',
  summary: 'Returns the appointments that meet every criterion, by time, then id; those without a time come last.',
  rules: [
    'Appointments of every status are returned.',
    'A Queued appointment counts by its QueueDate, whose midnight is its DateTime.',
    'ServiceAgentId also finds appointments where the agent is an additional one.',
    ...PAGES,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    ...dateFields(),
    ...updatedFields(),
    ContactId: id(),
    ServiceAgentId: id(),
    ...pageFields(),
    IncludeContact: flag(),
  }),
  response: () => ({ Count: int32(0), Appointments: many(Appointment) }),
  example: { FromDate: '2026-03-09', ThroughDate: '2026-03-13', ServiceAgentId: 1 },
  async run(request, context) {
    const { store, now } = context;
    const { Timezone } = await callerOrganization(store);
    const date = parseTimeSpan(['FromDate', 'ThroughDate'], request, Timezone);
    const updated = parseTimeSpan(['UpdatedFrom', 'UpdatedThrough'], request, Timezone);
    const errors = [...date.errors, ...updated.errors];
    if (errors.length) throw invalid(...errors);
    const criteria = {
      contact: request.ContactId ?? undefined,
      agent: request.ServiceAgentId ?? undefined,
      date: date.span,
      updated: updated.span,
      ...pageOf(request),
    };
    const { count, appointments } = await boundedQuery(dateFilter(request), () =>
      queryAppointments(store, criteria, now),
    );
    return {
      Count: count,
      Appointments: await loadAppointmentResources(context, appointments, request.IncludeContact),
    };
  },
});
