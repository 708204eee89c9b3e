import { faulty } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import { selectPayments } from '../../lib/domain/payments/select.ts';
import { paymentOf } from '../../lib/domain/payments/view.ts';
import { readSpan } from '../../lib/domain/spans.ts';
import { datetime, described, id, int32 } from '../../lib/resources/fields.ts';
import { Payment } from '../../lib/resources/payments.ts';
import { many } from '../../lib/resources/resource.ts';
import { homeOrganization } from '../../lib/store/accounts.ts';
import { paymentsOfInvoice, queryPayments } from '../../lib/store/payments.ts';

export const query = operation({
  name: 'payment/query',
  summary: 'The payments and refunds that meet every criterion given, by date, then id.',
  description:
    'FromDate and ThroughDate go by the date of the payment, CreatedFrom and CreatedThrough by when it was ' +
    'imported. With InvoiceId: all of that invoice, as they are at this moment. Count is the exact number of all ' +
    'matches; the pages of one query are of the moment at which its first was asked for, for ten minutes.',
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    FromDate: datetime(),
    ThroughDate: described(datetime(), 'A date without time includes that whole day.'),
    CreatedFrom: datetime(),
    CreatedThrough: described(datetime(), 'A date without time includes that whole day.'),
    ContactId: id(),
    InvoiceId: id(),
    Skip: int32(0),
    Take: described(int32(1, 500), '100 unless said otherwise.'),
  }),
  response: () => ({ Count: int32(0), Payments: many(Payment) }),
  failures: ['invalid'],
  example: { FromDate: '2026-03-01', ThroughDate: '2026-03-31', ContactId: 1 },
  async run(request, { caller, table, now }) {
    const { Timezone } = await homeOrganization(table, caller, now);
    const date = readSpan('', [request.FromDate, request.ThroughDate], Timezone);
    const created = readSpan('Created', [request.CreatedFrom, request.CreatedThrough], Timezone);
    const dated = date.faults.map(({ field, message }) => ({
      field: `${field}Date`,
      message: message.replace(/From$/, 'FromDate'),
    }));
    const faults = [...dated, ...created.faults];
    if (faults.length) throw faulty(faults);
    const { Skip: skip, Take: take } = { Skip: request.Skip ?? 0, Take: request.Take ?? 100 };
    const criteria = { contact: request.ContactId ?? undefined, date: date.span, created: created.span };
    if (request.InvoiceId) {
      const all = await paymentsOfInvoice(table, caller.accountId, request.InvoiceId);
      const found = selectPayments(all, { ...criteria, organization: caller.organizationId });
      return { Count: found.length, Payments: found.slice(skip, skip + take).map(paymentOf) };
    }
    const { count, payments } = await queryPayments(table, caller, { ...criteria, skip, take }, now);
    return { Count: count, Payments: payments.map(paymentOf) };
  },
});
