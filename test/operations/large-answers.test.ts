import { beforeAll, describe, expect, it } from 'vitest';
import { expectFailure } from '../support/failed.ts';
import { ascending } from '../support/random/ascending.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../support/stack/stack.ts';

const BODY = 'n'.repeat(9_900);
/** Notes of 190 KB and quotation marks, which are longer in the answer. */
const Notes = Array.from({ length: 19 }, (_, note) => ({ Body: `"${note}"${BODY}` }));
const CONTACTS = 33;
const INVOICES = 33;

let account: TestAccount;
const ids: number[] = [];

async function addContact(number: number): Promise<number> {
  const { status, body } = await account.call('contacts/addupdate', {
    Name: `Long Story ${number}`,
    Email: `long${number}@example.com`,
    Tags: ['long'],
    Notes,
  });
  expect(status).toBe(200);
  return (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
}

beforeAll(async () => {
  account = await testAccount();
  for (let number = 0; number < CONTACTS; number++) ids.push(await addContact(number));
});

interface Page {
  readonly ids: readonly number[];
  readonly count: unknown;
}

function toPage({ status, body, text }: TestAnswer, list: string): Page {
  expect([status, body['ResultCode']], String(body['Message'])).toEqual([200, 0]);
  expect(JSON.stringify(text).length).toBeLessThan(6 * 1024 * 1024);
  return { ids: (body[list] as { Id: number }[]).map(({ Id }) => Id), count: body['Count'] };
}

/** The number of records that a refused page says would fit. */
function fitting(answer: TestAnswer, size: 'Take' | 'Limit'): number {
  expectFailure(answer, 413);
  expect(answer.body['Code']).toBe('response_too_large');
  const said = new RegExp(`^The answer would exceed 6 MB\\. Ask for at most (\\d+) records with ${size}\\.$`);
  return Number(said.exec(String(answer.body['Message']))?.[1]);
}

describe('a page of contacts of 190 KB', { timeout: 60_000 }, () => {
  it('that does not fit into 6 MB is 413 with the Limit that does; pages of that are full', async () => {
    const search = { NameSearch: 'long story' };
    const Limit = fitting(await account.call('contacts/locate', search), 'Limit');
    expect(Limit).toBe(32);
    const pages = [];
    for (const Skip of [0, Limit])
      pages.push(toPage(await account.call('contacts/locate', { ...search, Skip, Limit }), 'Matches'));
    expect(pages.map((page) => page.ids.length)).toEqual([32, 1]);
    expect(pages.flatMap((page) => page.ids)).toEqual(ids.toReversed());
  });

  it('of hundreds is 413 before they are all read', async () => {
    const answer = await account.call('contacts/locate', { TagSearch: ['long'], Limit: 500 });
    expect(fitting(answer, 'Limit')).toBeGreaterThan(10);
  });

  it('of invoices with their contact is 413 too, and Count stays that of all', async () => {
    const ContactId = ids[0];
    const imported: number[] = [];
    for (let number = 0; number < INVOICES; number++) {
      const { status, body } = await account.call('invoice/import', {
        Invoice: { ContactId, Number: `L-${number}`, Date: '2026-03-01', TaxRate: 0, Lines: [{ Rate: 1 }] },
      });
      expect(status).toBe(200);
      imported.push((body['Invoice'] as { Id: number }).Id);
    }
    const query = { ContactId, IncludeContact: true };
    const Take = fitting(await account.call('invoice/query', query), 'Take');
    const pages = [];
    for (const Skip of [0, Take])
      pages.push(toPage(await account.call('invoice/query', { ...query, Skip, Take }), 'Invoices'));
    expect(pages.flatMap((page) => page.ids)).toEqual(ascending(imported));
    expect(pages.map(({ count }) => count)).toEqual([INVOICES, INVOICES]);
  });
});
