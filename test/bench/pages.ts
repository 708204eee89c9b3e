import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { pages as pagesGroup } from '../../functions/pages/index.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { writePaymentProvider } from '../../lib/store/payment-providers.ts';
import { connectedProvider } from '../../lib/workflows/payments/open-provider.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { startTable } from '../support/stack/engine.ts';
import { apiEvent, invoke } from '../support/stack/invoke.ts';
import { type Call, makeLoadCompany } from './load-company.ts';
import { median, printTable } from './table.ts';

const CALLS = 100;
const ROUNDS = 9;
/** CPU of a page, of what the operation takes that answers with the same record. */
const MOST = 2;

async function cpuPerCall(call: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/** The event of a GET of a link. */
function pageEvent(link: string): APIGatewayProxyEventV2 {
  const [page = '', handle = ''] = link.replace(/^.*\/c\//, '').split('/');
  const event = apiEvent('pages/show', '');
  const http = { ...event.requestContext.http, method: 'GET', path: `/c/${page}/${handle}` };
  return { ...event, pathParameters: { page, handle }, requestContext: { ...event.requestContext, http } };
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    LineDescription: `Bed ${index + 1}`,
    Quantity: 2,
    UnitPrice: 10.5,
    ...(index >= 5 && { ProposalOption: { Name: index < 8 ? 'Good' : 'Best', Selected: index < 8 } }),
  }));

/** A record of each kind: its operation, and the link of its page. */
async function makeRecords(call: Call) {
  const proposal = await call('proposal/create', {
    ContactId: 1,
    ServiceName: 'Mowing',
    Status: 'Open',
    ProposalLines: lines(10),
  });
  const Lines = lines(10).map(({ LineDescription: Description }) => ({ Description, Rate: 10.5, Qty: 2 }));
  const { Invoice } = await call('invoice/import', { Invoice: { ContactId: 1, Lines } });
  const invoice = Invoice as { readonly Id: number; readonly ClientPayUrl: string };
  const { Slots } = await call('appointments/find', { AppointmentId: 1 });
  const [visit] = Slots as { readonly TrackingUrl: string }[];
  return [
    { name: 'proposal', operation: 'proposal/details', body: { Id: proposal['Id'] }, link: proposal['ClientUrl'] },
    { name: 'invoice', operation: 'invoice/get', body: { InvoiceId: invoice.Id }, link: invoice.ClientPayUrl },
    { name: 'visit', operation: 'appointments/find', body: { AppointmentId: 1 }, link: visit?.TrackingUrl },
  ];
}

/** CPU of the pages of a proposal, an invoice and a visit, against the operations that answer with them. */
export async function pages(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  const write = process.stdout.write.bind(process.stdout);
  try {
    const table = openTable();
    const now = new Date();
    const { accountId } = await writeAccount(table, { name: 'Bench', now });
    const options = { accountId, role: 'Owner', name: 'bench', rate: 1_000_000, inFlight: 10_000, now } as const;
    const { key } = await createKey(table, options);
    const call: Call = async (operation, sent) => {
      const { status, body } = await invoke(operation, sent, { key });
      if (status !== 200) throw new Error(`${operation} answered ${status}: ${String(body['Message'])}`);
      return body;
    };
    // A line of the log for each call must not fill the screen.
    process.stdout.write = (() => true) as typeof process.stdout.write;
    await makeLoadCompany(table, accountId, call);
    const keys = { secretKey: 'sk_test_12345678', webhookSecret: 'whsec_12345678' };
    const sealing = { account: accountId, organization: 0, key: 'bench', now };
    await writePaymentProvider(table, accountId, connectedProvider(keys, sealing));
    const rows: [string, number, number, number][] = [];
    for (const { name, operation, body, link } of await makeRecords(call)) {
      const page = async () => {
        const { statusCode } = await pagesGroup.handler(pageEvent(String(link)), {} as Context);
        if (statusCode !== 200) throw new Error(`the page of a ${name} answered ${statusCode}`);
      };
      const operate = async () => void (await call(operation, body));
      const figures: Record<'page' | 'operation', number[]> = { page: [], operation: [] };
      await cpuPerCall(page);
      await cpuPerCall(operate);
      for (let round = 0; round < ROUNDS; round++) {
        figures.page.push(await cpuPerCall(page));
        figures.operation.push(await cpuPerCall(operate));
      }
      const [ours, theirs] = [median(figures.page), median(figures.operation)];
      rows.push([name, theirs, ours, ours / theirs]);
    }
    process.stdout.write = write;
    printTable(['page', 'operation, CPU µs', 'page, CPU µs', `ratio (≤ ${MOST})`], rows);
    return rows.every(([, , , ratio]) => ratio <= MOST);
  } finally {
    process.stdout.write = write;
    await engine.stop();
  }
}
