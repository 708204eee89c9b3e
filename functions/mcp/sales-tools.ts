import { callOperation } from '../call-operation.ts';
import { refusal, toResult } from './results.ts';
import { toPage } from './lists.ts';
import { count, money, say } from './sentence.ts';
import { type Row, type Tool, given, pickRow, rowsOf } from './tool.ts';
import { id, quantity, serviceOf, text } from './arguments.ts';

export const quote: Tool = {
  name: 'quote',
  description: 'What a service costs for a client. Stores nothing.',
  input: { contact_id: id(), service: text('Name or id.'), quantity: quantity() },
  required: ['contact_id', 'service'],
  job: {
    call: ({ contact_id, service, quantity }) => ({
      operation: 'proposal/quote',
      request: given({
        ContactId: contact_id,
        ...serviceOf(service),
        Proposal: quantity === undefined ? undefined : { Quantity: quantity },
      }),
    }),
    answer(body) {
      const proposal = (body['Proposal'] ?? {}) as Row;
      const [subtotal, tax] = [Number(proposal['Subtotal'] ?? 0), Number(proposal['Tax'] ?? 0)];
      const taxed = tax ? say`, ${money(tax)} of it tax` : say``;
      return {
        say: say`It costs ${money(subtotal + tax)}${taxed}.`,
        data: pickRow(proposal, { service: 'ServiceName', quantity: 'Quantity', minutes: 'Duration' }),
      };
    },
  },
};

/** The most that invoice/query lists at once. */
const PAGE = 500;

export const balance: Tool = {
  name: 'balance',
  description: 'What a client owes: the open invoices; and its credit.',
  input: { contact_id: id() },
  required: ['contact_id'],
  job: {
    async run(call, { contact_id }) {
      const [invoices, contacts] = await Promise.all([
        callOperation(call, {
          operation: 'invoice/query',
          request: { ContactId: contact_id, Status: 'Open', Take: PAGE },
        }),
        callOperation(call, { operation: 'contacts/locate', request: { IdSearch: contact_id } }),
      ]);
      if (invoices.status !== 200) return refusal(invoices);
      const [client] = rowsOf(contacts.body['Matches']);
      const credit = Number(client?.['CreditBalance'] ?? 0);
      const has = credit ? say` Its credit is ${money(credit)}.` : say``;
      const open = rowsOf(invoices.body['Invoices']).filter(({ BalanceDue }) => Number(BalanceDue) !== 0);
      const cents = open.reduce((sum, { BalanceDue }) => sum + Math.round(Number(BalanceDue) * 100), 0);
      const fields = { invoice_id: 'Id', number: 'Number', date: 'Date', due: 'BalanceDue', total: 'Total' };
      if (!open.length) return toResult({ say: say`The client owes nothing.${has}` });
      const { rows, next } = toPage({ list: open, nextSkip: invoices.body['NextSkip'] }, (each) =>
        pickRow(each, fields),
      );
      const more = next === undefined ? say`` : say` There are more; invoice/query has pages of them.`;
      return toResult({
        say: say`The client owes ${money(cents / 100)} on ${count(open.length, 'invoice')}.${has}${more}`,
        data: { invoices: rows },
      });
    },
  },
};
