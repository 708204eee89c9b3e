import { Payment } from '../../lib/entities/payments.ts';
import { operation } from '../../lib/api/operation.ts';
import { paymentToResource, selectPayments } from '../../lib/domain/payments.ts';
import { moment, id, int32, many } from '../../lib/resources/fields.ts';
import { PAGES, dateFields, dateFilter, pageFields, pageOf, through } from '../../lib/resources/queries.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { meantContactIds, visitedAmong } from '../../lib/store/visibility.ts';
import { listInvoicePayments, queryPayments } from '../../lib/store/sales/payments.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';

export const query = operation({
  title: 'List payments',
  summary: 'Lists the payments and refunds that meet every criterion, by date, then id.',
  rules: [
    'FromDate and ThroughDate apply to the date of the payment, CreatedFrom and CreatedThrough to its import.',
    'With InvoiceId the payments of that invoice are returned with their current values on every page.',
    ...PAGES,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    ...dateFields(),
    CreatedFrom: moment(),
    CreatedThrough: through(),
    ContactId: id(),
    InvoiceId: id(),
    ...pageFields(),
  }),
  response: () => ({ Count: int32(0), Payments: many(Payment) }),
  example: { FromDate: '2026-03-01', ThroughDate: '2026-03-31', ContactId: 1 },
  async run(request, { store, caller, now }) {
    const { Timezone } = await callerOrganization(store);
    const date = parseTimeSpan(['FromDate', 'ThroughDate'], request, Timezone);
    const created = parseTimeSpan(['CreatedFrom', 'CreatedThrough'], request, Timezone);
    const errors = [...date.errors, ...created.errors];
    if (errors.length) throw invalid(...errors);
    const { skip, take } = pageOf(request);
    const criteria = { contact: request.ContactId ?? undefined, date: date.span, created: created.span };
    if (request.InvoiceId) {
      const all = await listInvoicePayments(store, request.InvoiceId);
      const contacts = await visitedAmong(
        store,
        all.map(({ ContactId }) => ContactId),
      );
      const own = all.filter(({ ContactId }) => contacts.includes(ContactId));
      const [first] = own;
      const { Timezone: zone } = first ? await getOrganization(store, first.OrganizationId) : { Timezone };
      const contact = criteria.contact && (await meantContactIds(store, criteria.contact)).at(-1);
      const found = selectPayments(own, { ...criteria, contact, organization: caller.organizationId, zone });
      return { Count: found.length, Payments: found.slice(skip, skip + take).map(paymentToResource) };
    }
    const { count, payments } = await boundedQuery(dateFilter(request), () =>
      queryPayments(store, { ...criteria, skip, take }, now),
    );
    return { Count: count, Payments: payments.map(paymentToResource) };
  },
});
