import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import type { Key } from '../../lib/store/keys.ts';
import { checkCheckouts } from '../../lib/workflows/payments/check-checkouts.ts';
import { hiddenFields } from '../support/pages.ts';
import { invokePage } from '../support/stack/invoke.ts';
import { OFFERED, OFFERED_ID } from './book-rows.ts';
import type { CostRow } from './cost-rows.ts';
import { bookingLink, checkoutItem, completedWebhook } from './seed-pages.ts';

type Answer = Record<string, unknown>;
type Call = Parameters<CostRow['body']>[1];
interface Form {
  readonly address: string;
  readonly sent: { readonly body: string; readonly headers?: Record<string, string> };
}

const send: NonNullable<CostRow['send']> = async (form) => {
  const { address, sent } = form as Form | { address: string; sent?: undefined };
  const { status, text, headers } = await invokePage(address, sent);
  return { status, body: { text, location: headers['Location'] } };
};

const shows =
  (expected: string) =>
  ({ text }: Answer): void => {
    if (!String(text).includes(expected)) throw new Error(`expected ${expected} in: ${String(text).slice(0, 300)}`);
  };

/** What a page's form that does `action` sends. */
async function formOf(address: string, action: string, fields: Record<string, string> = {}): Promise<Form> {
  const page = await invokePage(address);
  if (page.status !== 200) throw new Error(`${address} answered ${page.status}`);
  const body = new URLSearchParams({ ...hiddenFields(page.text, action), ...fields }).toString();
  return { address, sent: { body } };
}

let last = 940;
/** A new invoice, of a contact without others. */
async function newInvoice(call: Call): Promise<{ readonly Id: number; readonly ClientPayUrl: string }> {
  const Invoice = { ContactId: ++last, Date: '2042-01-01', Lines: [{ Description: 'Windows', Rate: 100 }] };
  const { body } = await call('invoice/import', { Invoice });
  return body['Invoice'] as { Id: number; ClientPayUrl: string };
}

/** A new invoice that was just paid by card, and the page of the provider on which it was. */
async function paidInvoice(call: Call): Promise<{ readonly invoice: number; readonly checkout: string }> {
  const { Id: invoice, ClientPayUrl } = await newInvoice(call);
  const { address, sent } = await formOf(ClientPayUrl, 'pay');
  const { status, headers } = await invokePage(address, sent);
  if (status !== 303) throw new Error(`the form of ${address} answered ${status}`);
  const checkout = String(headers['Location']);
  await fetch(checkout, { method: 'POST', body: new URLSearchParams({ action: 'card' }), redirect: 'manual' });
  return { invoice, checkout };
}

let clients = 0;
const someone = () => {
  const name = `Client Z${Date.now()}${clients++}`.replaceAll(/\d/g, (digit) =>
    String.fromCharCode(97 + Number(digit)),
  );
  const email = `${name.replace(' ', '')}@example.com`;
  return {
    name,
    email,
    phone: `217${String(Date.now() + clients).slice(-7)}`,
    address: '12 Main Street',
    city: 'New York',
  };
};

/** The booking page with the free days of a service. */
const timesAddress = async (more = '') => `${await bookingLink()}?service=${OFFERED_ID}&zip=10001${more}`;

/** The form that books the n-th free time of the first free day. */
async function bookingForm(place: number): Promise<Form> {
  const { text } = await invokePage(await timesAddress());
  const times = [...text.matchAll(/name="slot" value="(\d+)"/g)];
  const [, slot = ''] = times[place % times.length] ?? [];
  return formOf(await timesAddress(`&slot=${slot}`), 'book', someone());
}

const link =
  (operation: string, request: object, linkIn: (answer: Answer) => unknown): CostRow['body'] =>
  async (_, call) => ({ address: String(linkIn((await call(operation, request)).body)) });

const page = (row: Pick<CostRow, 'name' | 'body' | 'budget' | 'check'> & Partial<CostRow>): CostRow => ({
  operation: 'pages/open',
  send,
  ...row,
});

const firstVisit = ({ Slots }: Answer) => (Slots as { TrackingUrl: string }[])[0]?.TrackingUrl;

/** Of what all pages need, the company and its lists are remembered. */
const seen = { rounds: 3, readUnits: 5, writeUnits: 0 };

export const pageRows: readonly CostRow[] = [
  page({
    name: 'GET /c/proposal',
    body: link(
      'proposal/details',
      { Id: 750 },
      ({ ClientUrl, Proposal }) => ClientUrl ?? (Proposal as Answer)['ClientUrl'],
    ),
    budget: seen,
    check: shows('</form>'),
  }),
  page({
    name: 'GET /c/invoice',
    body: async (_, call) => ({ address: (await newInvoice(call)).ClientPayUrl }),
    budget: seen,
    check: shows('value="pay"'),
  }),
  page({
    name: 'GET /c/visit',
    body: link('appointments/find', { AppointmentId: 51 }, firstVisit),
    budget: seen,
    check: shows('</main>'),
  }),
  page({
    name: 'GET /c/overview',
    body: link('contacts/locate', { IdSearch: 1 }, ({ Matches }) => (Matches as Answer[])[0]?.['ClientUrl']),
    budget: seen,
    check: shows('/c/preferences/'),
  }),
  page({
    name: 'POST /c/invoice, a new checkout',
    body: async (_, call) => formOf((await newInvoice(call)).ClientPayUrl, 'pay'),
    budget: { rounds: 7, readUnits: 8, writeUnits: 3 },
    status: 303,
    check: ({ location }) => {
      if (!String(location).startsWith(process.env['STRIPE_API'] ?? '-'))
        throw new Error(`leads to ${String(location)}`);
    },
  }),
  page({
    name: 'POST /c/stripe, a payment',
    body: async (_, call) => {
      const { checkout } = await paidInvoice(call);
      const { address, body, headers } = await completedWebhook(checkout);
      return { address, sent: { body, headers } };
    },
    budget: { rounds: 8, readUnits: 8, writeUnits: 24 },
  }),
  {
    name: 'checkouts worker, a payment without webhook',
    operation: 'workers/checkouts',
    body: async (_, call) => {
      const { invoice, checkout } = await paidInvoice(call);
      return checkoutItem(invoice, checkout);
    },
    send: async (key) => {
      const now = new Date(Date.now() + 15 * MINUTE);
      const { done } = await checkCheckouts(openTable(), [key as Key], { now }, readPaymentKey);
      return { status: done === 1 ? 200 : 500, body: {} };
    },
    budget: { rounds: 8, readUnits: 8, writeUnits: 24 },
  },
  page({
    name: 'GET /c/booking',
    body: async () => ({ address: await bookingLink() }),
    // The 200 services of the account, which are large, are 62.
    budget: { rounds: 2, readUnits: 66, writeUnits: 0 },
    check: shows(OFFERED),
  }),
  page({
    name: 'GET /c/booking, with times',
    body: async () => ({ address: await timesAddress() }),
    budget: { rounds: 4, readUnits: 70, writeUnits: 2 },
    check: shows('name="slot"'),
  }),
  page({
    name: 'POST /c/booking',
    body: () => bookingForm(clients % 5),
    budget: { rounds: 13, readUnits: 96, writeUnits: 56 },
    check: shows('/c/booked/'),
  }),
];
