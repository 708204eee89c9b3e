import { beforeAll, expect, test } from 'vitest';
import { DAY } from '../../lib/shared/time/time.ts';
import { type Query, readPages } from '../support/existing-programs/nightly-sync.ts';
import { type Post, poster } from '../support/existing-programs/post.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testStack } from '../support/stack/stack.ts';

/** Records of each kind: the last page of 7 is neither full nor empty. `npm run prove -- lists` has thousands. */
const RECORDS = 60;
const TAKE = 7;

let company: Bookable;
let post: Post;

const day = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const numbers = Array.from({ length: RECORDS }, (_, index) => index);

async function make(operation: string, bodies: readonly object[]): Promise<void> {
  const answers = await Promise.all(bodies.map((body) => company.call(operation, body)));
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
}

beforeAll(async () => {
  company = await bookable();
  post = poster(testStack().BaseUrl, await company.newKey({ role: 'Office' }));
  const ContactId = company.contact;
  const Lines = [{ Description: 'Work', Rate: 1, Qty: 1 }];
  // Of some one date, of others several: a page ends within a day too.
  const dateOf = (index: number) => day(-390 + Math.floor(index / 4) * 20);
  await make(
    'contacts/addupdate',
    numbers.slice(1).map((index) => ({ Name: `Person ${index}`, Email: `person${index}@example.com` })),
  );
  await make(
    'invoice/import',
    numbers.map((index) => ({ Invoice: { ContactId, Date: dateOf(index), Lines } })),
  );
  await make(
    'payment/import',
    numbers.map((index) => ({ Payment: { ContactId, InvoiceId: 0, Date: dateOf(index), Amount: 1 } })),
  );
  await make(
    'proposal/create',
    numbers.map((index) => ({ ContactId, ServiceName: 'Lawn care', Title: `Offer ${index}`, Status: 'Open' })),
  );
  await make(
    'task/create',
    numbers.map((index) => ({ ContactId, Description: 'Call', Due: day(index) })),
  );
  await make(
    'appointments/queue',
    numbers.map((index) => ({ ContactId, ServiceId: company.services['Lawn care'], QueueDate: day(index * 6) })),
  );
  for (const index of numbers.slice(1)) await make('organizations/create', [{ Name: `Town ${index}` }]);
});

type Case = Query & { readonly id: string; readonly hasCount: boolean };

const counted = (operation: string, list: string, filter: () => object, id = 'Id') =>
  [operation, () => ({ operation, list, id, filter: { ...filter() }, take: TAKE, hasCount: true })] as const;

const cases: readonly (readonly [string, () => Case])[] = [
  counted('invoice/query', 'Invoices', () => ({ FromDate: day(-395) })),
  counted('payment/query', 'Payments', () => ({ FromDate: day(-395) })),
  counted('proposal/query', 'Proposals', () => ({ Scope: 'open', FromDate: day(-395) })),
  counted('task/query', 'Tasks', () => ({ DueFrom: day(-1), DueThrough: day(365) })),
  counted(
    'appointments/query',
    'Appointments',
    () => ({ FromDate: day(-1), ThroughDate: day(365), IncludeContact: true }),
    'AppointmentId',
  ),
  [
    'contacts/locate',
    () => ({
      operation: 'contacts/locate',
      list: 'Matches',
      id: 'Id',
      filter: { CreatedFrom: day(-2), NameSearch: '', PhoneSearch: '' },
      size: 'Limit',
      take: TAKE,
      hasCount: false,
    }),
  ],
  [
    'organizations/query',
    () => ({
      operation: 'organizations/query',
      list: 'Organizations',
      id: 'Id',
      filter: { PublicName: '', InternalName: '', LocationId: '', PostalCode: '', IncludeInactive: false },
      take: TAKE,
      hasCount: false,
    }),
  ],
];

test.each(cases)('a program that reads %s until a page is short has every record once', async (_, caseOf) => {
  const { id, hasCount, ...query } = caseOf();
  const { records, counts } = await readPages(post, query);
  const ids = records.map((record) => record[id]);
  expect([ids.length, new Set(ids).size]).toEqual([RECORDS, RECORDS]);
  expect(counts).toEqual([hasCount ? RECORDS : undefined]);
});

test('organizations/query without a page has them all at once', async () => {
  const { body } = await company.call('organizations/query', { PublicName: '', IncludeInactive: false });
  expect(body['Organizations']).toHaveLength(RECORDS);
});
