import type { Invoice } from '../../lib/entities/invoices.ts';
import { createServer } from 'node:http';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { servePage } from '../../functions/pages/serve.ts';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { openProposal } from '../support/client-pages.ts';
import { pageEvent } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { onStack, testStack, testTable } from '../support/stack/stack.ts';

let company: Bookable;
let files: Files;
beforeAll(async () => {
  company = await bookable();
  const { Bucket: bucket, AwsEndpoint: endpoint } = testStack();
  files = openFiles({ bucket, endpoint });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const kept = (of: string): Promise<string[]> => files.list(`pdf/${company.accountId}/${of}-`);

async function pdfAt(link: string): Promise<string> {
  const answer = await fetch(onStack(link));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer()).toString('latin1');
}

const bytesOf = async (key: string): Promise<string> =>
  Buffer.from((await files.getBytes(key)) ?? []).toString('latin1');

async function someInvoice(): Promise<Invoice> {
  const Lines = [{ Description: 'Work', Rate: 100, Qty: 1 }];
  const Invoice = { ContactId: company.contact, Date: '2026-03-02T15:00:00Z', Lines };
  return (await company.call('invoice/import', { Invoice })).body['Invoice'] as Invoice;
}

test('the PDF of an invoice is made once a version and language, and the same when it is made again', async () => {
  const { Id, ClientPdfUrl } = await someInvoice();
  const made = await pdfAt(ClientPdfUrl);
  expect(/\(D:(\d{8})/.exec(made)?.[1]).toBe('20260302');
  const [key = ''] = await kept(`invoice-${Id}`);
  expect(key).toMatch(/-[0-9a-f]{64}\.pdf$/);
  expect(await bytesOf(key)).toBe(made);
  await files.putBytes(key, Buffer.from('%PDF-kept'), 'application/pdf');
  expect(await pdfAt(ClientPdfUrl)).toBe('%PDF-kept');
  await files.remove(key);
  expect(await pdfAt(ClientPdfUrl)).toBe(made);
  expect(await pdfAt(`${ClientPdfUrl}?lang=es`)).not.toBe(made);
  await company.call('payment/import', { Payment: { InvoiceId: Id, Amount: 40 } });
  expect(await pdfAt(ClientPdfUrl)).not.toBe(made);
  expect(await kept(`invoice-${Id}`)).toHaveLength(3);
});

test('the PDF of a proposal is made once a version', async () => {
  const { Id, ClientUrl } = await openProposal(company);
  const made = await pdfAt(`${ClientUrl}/pdf`);
  const [key = ''] = await kept(`proposal-${Id}`);
  expect(await bytesOf(key)).toBe(made);
  await files.putBytes(key, Buffer.from('%PDF-kept'), 'application/pdf');
  expect(await pdfAt(`${ClientUrl}/pdf`)).toBe('%PDF-kept');
  await company.call('proposal/update', { Id, Title: 'Back beds' });
  expect(await pdfAt(`${ClientUrl}/pdf`)).toContain('%PDF-1');
  expect(await kept(`proposal-${Id}`)).toHaveLength(2);
});

test.each([
  ['refuses', 503],
  ['never answers', undefined],
])('a PDF is answered where the store of files %s, which the log says', async (_, status) => {
  const { ClientPdfUrl } = await someInvoice();
  const store = createServer((_request, response) => void (status && response.writeHead(status).end()));
  await new Promise<void>((done) => void store.listen(0, '127.0.0.1', done));
  const { port } = store.address() as { port: number };
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
  vi.stubEnv('BUCKET_NAME', 'files');
  vi.stubEnv('LOG_LEVEL', 'info');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const event = pageEvent(ClientPdfUrl);
  const answer = await servePage({
    event: { ...event, pathParameters: { ...event.pathParameters, file: 'pdf' } },
    table: testTable(),
    now: new Date(),
    requestId: 'request-1',
    log: { account: null, operation: 'pages' },
    sourceIp: '127.0.0.1',
    readSent: undefined,
  });
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  store.closeAllConnections();
  store.close();
  expect(answer).toMatchObject({ status: 200, type: 'application/pdf' });
  expect(Buffer.from(answer.body).subarray(0, 5).toString()).toBe('%PDF-');
  const said = lines.filter((line) => line.includes('A PDF is not kept.'));
  expect(said).toHaveLength(1);
  expect(JSON.parse(said[0] ?? '')).toMatchObject({
    Level: 'warn',
    RequestId: 'request-1',
    Account: company.accountId,
  });
});
