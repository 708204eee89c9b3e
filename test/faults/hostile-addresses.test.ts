import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { servePage } from '../../functions/pages/serve.ts';
import { toFailure } from '../../lib/api/respond.ts';
import type { ClientPage } from '../../lib/domain/client-pages.ts';
import { DAY } from '../../lib/shared/time/time.ts';
import { openLink } from '../../lib/store/links.ts';
import { handleIn, someLinks } from '../support/client-pages.ts';
import { type PageCallCase, pageCall } from '../support/random/page-calls.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

/** Calls of pages. Every run has another seed; PAGE_CALLS=10000 searches longer. */
const CALLS = Number(process.env['PAGE_CALLS'] ?? 150);

let company: Bookable;
let links: Readonly<Record<ClientPage, string>>;

beforeAll(async () => {
  vi.stubEnv('BASE_URL', testStack().BaseUrl);
  const offered = { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true };
  company = await bookable({ services: [offered] });
  links = await someLinks(company);
});

/** The status of a call, as its route answers it. */
async function statusOf({ page, file, isKnown, query, form, altered, day }: PageCallCase): Promise<number> {
  const parts = handleIn(links[page as ClientPage] ?? '').split(/-(.*?)-(.*?)-(.*?)-/);
  const handle = parts.map((part, index) => (altered?.part === index ? altered.by : part)).join('-');
  const now = new Date(Date.now() + day * DAY);
  const table = testTable();
  const known: [string, string][] = isKnown
    ? [
        ['service', String(company.services['Lawn care'])],
        ['zip', '62701'],
      ]
    : [];
  const parameters: [string, string][] = [...known, ...query.map(([name, value]): [string, string] => [name, value])];
  const token = (await openLink(table, { page, handle }, now))?.formToken ?? '';
  const fields = form && { ...Object.fromEntries([...form.fields, ...known]), token, action: form.action };
  const event = {
    headers: { 'sec-fetch-site': 'same-origin' },
    rawQueryString: new URLSearchParams(parameters).toString(),
    queryStringParameters: Object.fromEntries(parameters) as Record<string, string>,
    pathParameters: { page, handle, ...(file !== undefined && { file }) },
  } as unknown as APIGatewayProxyEventV2;
  const readSent = fields && (() => new URLSearchParams(fields));
  const call = {
    event,
    table,
    now,
    requestId: 'test',
    log: { account: null, operation: 'pages' },
    sourceIp: `203.0.${day}.9`,
    readSent,
  };
  return servePage(call).then(
    ({ status }) => status,
    (error: unknown) => {
      const { status } = toFailure(error, 'test');
      if (status === 500) throw error;
      return status;
    },
  );
}

test('no number, date, id or text in an address or a form makes a page fail', async () => {
  await fc.assert(
    fc.asyncProperty(pageCall, async (call) => {
      expect(await statusOf(call)).toBeLessThan(500);
    }),
    { numRuns: CALLS },
  );
});

const nothingKnown = { file: undefined, form: undefined, altered: undefined, day: 0 } as const;

test.each(['slot', 'from'])('a %s that is no date shows the page without it', async (name) => {
  const query: [string, string][] = [[name, '8640000000000001']];
  expect(await statusOf({ ...nothingKnown, page: 'booking', isKnown: true, query })).toBe(200);
});

test.each(['visit', 'preferences', 'feedback'] as const)('a page %s knows no form but its own', async (page) => {
  const query: [string, string][] = [['done', 'constructor']];
  expect(await statusOf({ ...nothingKnown, page, isKnown: false, query })).toBe(200);
});
