import { beforeAll, expect, test } from 'vitest';
import type { DuplicatePair } from '../../../lib/resources/duplicates.ts';
import { chunks } from '../../../lib/store/dynamodb/table.ts';
import { type Bookable, bookable } from '../../support/scheduling.ts';
import { contactIn, fieldsOf } from '../../support/stack/branches.ts';
import type { TestAnswer } from '../../support/stack/stack.ts';

const home = { Address1: '12 Main Street', City: 'Springfield', State: 'IL', Zip: '62701' };
const people = [
  { Name: 'Ann Lee', Email: 'ann.lee@gmail.com', Phone: '217-555-0143' },
  { Name: 'LEE, ANN', Email: 'annlee+hvac@gmail.com' },
  { Name: 'Ann B. Lee', Email: 'other@example.com', AltPhone: '(217) 555-0143' },
  { Name: 'Bob Lee', Email: 'bob@example.com', ...home },
  { Name: 'B. Lee', Email: 'b.lee@example.com', ...home, Address1: '12 Main St.' },
  { Name: 'Ann Ray', Email: 'annray@example.com', Phone: '217-555-0143' },
];
/** By index: [higher, lower, reasons]. */
const expected = [
  [1, 0, ['email']],
  [2, 0, ['phone']],
  [4, 3, ['address']],
] as const;

let company: Bookable;
let ids: number[];
beforeAll(async () => {
  company = await bookable();
  ids = [];
  for (const person of people) ids.push(contactIn(await company.call('contacts/addupdate', person)).Id);
});

const place = (contact: DuplicatePair['Duplicate']): number => ids.indexOf(contact?.Id ?? 0);

/** Pairs are in the order of ids, which containers may give in another one than that of the people. */
const byPerson = (body: Record<string, unknown>): DuplicatePair[] =>
  (body['Pairs'] as DuplicatePair[]).toSorted((one, other) => place(one.Duplicate) - place(other.Duplicate));

const pairsIn = (body: Record<string, unknown>): [one: number, other: number, reasons: unknown][] =>
  byPerson(body).map(({ Contact, Duplicate, Reasons }) => [place(Contact), place(Duplicate), Reasons]);

test('lists the pairs of a contact from both sides, with the reason in words', async () => {
  const { body } = await company.call('contacts/duplicates', { ContactId: ids[0] });
  expect(pairsIn(body)).toEqual([
    [0, 1, ['email']],
    [0, 2, ['phone']],
  ]);
  expect(byPerson(body)).toMatchObject([
    { Duplicate: { Name: 'LEE, ANN' }, Why: 'E-mails that are probably one mailbox, and names that agree.' },
    { Duplicate: { Name: 'Ann B. Lee' }, Why: 'The same phone and name.' },
  ]);
  expect(pairsIn((await company.call('contacts/duplicates', { ContactId: ids[2] })).body)).toEqual([[2, 0, ['phone']]]);
});

test('lists each pair once over all pages, and nobody who is somebody else', async () => {
  const found: unknown[] = [];
  let Skip = 0;
  for (let pages = 0; pages < 10; pages++) {
    const { body, headers } = await company.call('contacts/duplicates', { Skip, Take: 2 });
    // Which of the two is the contact, and which its duplicate, is by their ids.
    for (const [one, other, reasons] of pairsIn(body))
      found.push([Math.max(one, other), Math.min(one, other), reasons]);
    Skip = Number(headers.get('x-next-skip') ?? 0);
    if (!Skip) break;
  }
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining([...expected]));
});

test('names an unknown contact', async () => {
  const answer = await company.call('contacts/duplicates', { ContactId: 2_000_000_000 });
  expect(answer.status).toBe(404);
  expect(fieldsOf(answer)).toEqual(['ContactId']);
});

test('pages of many who are alike end early, five at once answer, and together they have each pair once', async () => {
  const COUNT = 60;
  const crowd = await bookable();
  const all = Array.from({ length: COUNT }, (_, index) => ({
    Name: 'Cy Poe',
    Email: `cy${index}@example.com`,
    Phone: '217-555-0190',
    ...home,
  }));
  for (const Matches of chunks(all, 20)) expect((await crowd.call('contacts/addupdate', { Matches })).status).toBe(200);
  const page = (Skip: number) => crowd.call('contacts/duplicates', { Skip, Take: 100 });
  const five = await Promise.all([0, 0, 0, 0, 0].map(page));
  expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const met = new Set<string>();
  let count = 0;
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { body, headers }: TestAnswer = await page(skip);
    const pairs = body['Pairs'] as DuplicatePair[];
    expect(pairs.length).toBeLessThan(1_300);
    for (const { Contact, Duplicate } of pairs) met.add(`${Contact?.Id} ${Duplicate?.Id}`);
    count += pairs.length;
    skip = headers.has('x-next-skip') ? Number(headers.get('x-next-skip')) : undefined;
  }
  expect(met.size).toBe(count);
  expect(count).toBe((COUNT * (COUNT - 1)) / 2);
});
