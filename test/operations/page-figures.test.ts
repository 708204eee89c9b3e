import type { Invoice } from '../../lib/entities/invoices.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { beforeAll, expect, test } from 'vitest';
import { assetAnswer, assetPaths } from '../../functions/pages/assets.ts';
import { servePage } from '../../functions/pages/serve.ts';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { wordingOf } from '../../lib/pages/language.ts';
import type { Usage } from '../../lib/store/dynamodb/client.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { pageEvent, sendForm } from '../support/pages.ts';
import { textOfPdf } from '../support/pdf-text.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { onStack, testTable } from '../support/stack/stack.ts';
import { pngPicture } from '../support/uploads.ts';
import { callerContext } from '../../lib/workflows/context.ts';

let company: Bookable;
let proposal: Proposal;
let invoice: Invoice;
let visitLink: string;
let signed: Proposal;
let bookingLink: string;
let overviewLink: string;

beforeAll(async () => {
  company = await bookable();
  const ProposalLines = Array.from({ length: 30 }, (_, index) => ({
    LineDescription: `Bed ${index + 1}, with plants, soil and mulch, and the old one taken away`,
    Quantity: 2,
    UnitPrice: 10.5,
    ...(index >= 10 && { ProposalOption: { Name: index < 20 ? 'Good' : 'Best', Selected: index < 20 } }),
  }));
  const input = { ContactId: company.contact, ServiceName: 'Lawn care', Status: 'Open', ProposalLines };
  proposal = (await company.call('proposal/create', input)).body as unknown as Proposal;
  const Lines = Array.from({ length: 30 }, (_, index) => ({
    Description: `Work ${index + 1}`,
    Rate: 1234.5,
    Qty: 2,
    Taxable: true,
  }));
  const made = await company.call('invoice/import', {
    Invoice: {
      ContactId: company.contact,
      TaxRate: 6.25,
      Lines,
      Terms: 'Pay in 30 days.',
      CustomerNotes: 'Wörk Ωμέγα Анна',
    },
  });
  invoice = made.body['Invoice'] as Invoice;
  const order = { ...input, DepositRequired: true, DepositRate: 25, ProposalLines: ProposalLines.slice(0, 10) };
  signed = (await company.call('proposal/create', order)).body as unknown as Proposal;
  const files = [{ Filename: 'a.png', ContentType: 'image/png', Content: pngPicture(40, 30).toString('base64') }];
  await company.call('proposal/upload', { upload: { ProposalId: signed.Id }, files });
  const SignatureData = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"><path d="M5 40 L90 3"/></svg>')}`;
  const accepted = await company.call('proposal/accept', { ProposalId: signed.Id, Name: 'Ana', SignatureData });
  if (accepted.status !== 200) throw new Error(accepted.text);
  const context = callerContext(testTable(), accountCaller(company.accountId, { role: 'Owner' }), new Date());
  bookingLink = (await listLinks(context, 'organization', company.organizationId)).booking ?? '';
  overviewLink = (await listLinks(context, 'contact', company.contact)).overview ?? '';
  visitLink = slotIn(await company.book('Ann', '2035-03-05T09:00')).TrackingUrl;
});

/** A page as a container serves it that has served one before, and what that has used of the table. */
async function serve(link: string): Promise<{ answer: PageAnswer; usage: Usage }> {
  const open = async () => {
    const table = testTable();
    const call = {
      event: pageEvent(link),
      table,
      now: new Date(),
      requestId: 'test',
      log: { account: null, operation: 'pages' },
      sourceIp: '127.0.0.1',
      readSent: undefined,
    };
    return { answer: await servePage(call), usage: table.meter.usage };
  };
  await open();
  return open();
}

test.each([
  ['proposal', () => proposal.ClientUrl],
  ['invoice', () => invoice.ClientPayUrl],
  ['visit', () => visitLink],
  ['proposal with a picture that was signed', () => signed.ClientUrl],
  ['booking', () => bookingLink],
  ['contact', () => overviewLink],
])(
  'the page of a %s reads the table in at most 3 rounds, and has at most 30 KB with style and script',
  async (_, link) => {
    const { answer, usage } = await serve(link());
    expect(answer.status).toBe(200);
    expect(usage.rounds).toBeLessThanOrEqual(3);
    expect(usage.writeUnits).toBe(0);
    const { style, script } = assetPaths();
    const assets = [style, script].map((path) => assetAnswer(path.split('/').at(-1))?.body ?? '');
    const bytes = [answer.body, ...assets].map((each) => Buffer.byteLength(each));
    expect(bytes[2]).toBeLessThanOrEqual(15 * 1024);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(30 * 1024);
  },
);

const figures = (text: string): string[] => [...new Set(text.match(/\$[\d,]+\.\d\d/g) ?? [])].sort();

test('the PDF of an invoice has the figures and texts of its page', async () => {
  const { answer } = await serve(invoice.ClientPayUrl);
  const text = await textOfPdf(invoice.ClientPdfUrl);
  expect(figures(String(answer.body)).length).toBeGreaterThanOrEqual(4);
  expect(figures(text)).toEqual(figures(String(answer.body)));
  for (const part of ['Wörk Ωμέγα Анна', 'Pay in 30 days.', 'Work 30']) expect(text).toContain(part);
  const due = /(?:Due|It was due on) \w+ \d+, \d{4}/.exec(text)?.[0] ?? 'no day';
  expect(String(answer.body)).toContain(due);
  expect(due).toContain(wordingOf('en', 'US').calendarDate(invoice.DueDate ?? ''));
});

test('the PDF of a signed proposal has the figures of its page, who signed, and the hash of the evidence', async () => {
  const link = onStack(proposal.ClientUrl);
  const page = { text: await (await fetch(link)).text() };
  const { body } = await company.call('proposal/details', { Id: proposal.Id });
  const option = (body as unknown as Proposal).ProposalLines.find(
    ({ ProposalOption }) => ProposalOption?.Name === 'Good',
  )?.ProposalOption?.Id;
  const sent = await sendForm(link, page, 'accept', { name: 'Ana Diaz', option: String(option) });
  expect(sent.status).toBe(303);
  const signed = await (await fetch(link)).text();
  const text = await textOfPdf(`${link}/pdf`);
  const [hash = ''] = /[0-9a-f]{64}/.exec(signed) ?? [];
  expect(hash).toHaveLength(64);
  expect(text.replaceAll(/\s/g, '')).toContain(hash);
  expect(text).toContain('Ana Diaz accepted this proposal');
  expect(figures(text)).toEqual(expect.arrayContaining(figures(signed)));
});
