import { beforeAll, describe, expect, it } from 'vitest';
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
}, 60_000);

interface Page {
  readonly records: readonly { readonly Id: number }[];
  readonly message: string;
  readonly count: unknown;
  readonly next: number | undefined;
}

function toPage({ status, body, text }: TestAnswer, list: string): Page {
  expect([status, body['ResultCode']]).toEqual([200, 0]);
  expect(JSON.stringify(text).length).toBeLessThan(6 * 1024 * 1024);
  const message = String(body['Message']);
  const next = /Continue with Skip (\d+)\./.exec(message)?.[1];
  return {
    records: body[list] as { Id: number }[],
    message,
    count: body['Count'],
    next: next === undefined ? undefined : Number(next),
  };
}

/** All pages, each where the one before says. */
async function readAll(
  operation: string,
  list: string,
  request: object,
  between: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let Skip: number | undefined = 0; Skip !== undefined; Skip = pages.at(-1)?.next) {
    const page = toPage(await account.call(operation, { ...request, Skip }), list);
    pages.push(page);
    await between(page);
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ records }) => records.map(({ Id }) => Id));

describe('a page of contacts of 190 KB', { timeout: 60_000 }, () => {
  it('holds as many as 6 MB hold, and the next begins where it ends', async () => {
    const pages = await readAll('contacts/locate', 'Matches', { NameSearch: 'long story' });
    expect(pages.map(({ records }) => records.length)).toEqual([32, 1]);
    expect(pages[0]?.message).toBe('The answer holds 32 matches (6 MB). Continue with Skip 32.');
    expect(idsOf(pages)).toEqual(ids.toReversed());
  });

  it('is continued exactly while contacts are added', async () => {
    let number = CONTACTS;
    const pages = await readAll('contacts/locate', 'Matches', { TagSearch: ['long'], Limit: 300 }, () =>
      addContact(number++),
    );
    expect(pages.length).toBeGreaterThan(1);
    expect(idsOf(pages)).toEqual(ids.toReversed());
  });

  it('of invoices with their contact holds as many as fit, and Count stays that of all', async () => {
    const ContactId = ids[0];
    const imported: number[] = [];
    for (let number = 0; number < INVOICES; number++) {
      const { status, body } = await account.call('invoice/import', {
        Invoice: { ContactId, Number: `L-${number}`, Date: '2026-03-01', TaxRate: 0, Lines: [{ Rate: 1 }] },
      });
      expect(status).toBe(200);
      imported.push((body['Invoice'] as { Id: number }).Id);
    }
    const pages = await readAll('invoice/query', 'Invoices', { ContactId, IncludeContact: true });
    expect(idsOf(pages)).toEqual(ascending(imported));
    expect(pages.map(({ count }) => count)).toEqual(pages.map(() => INVOICES));
    expect(pages[0]?.message).toMatch(/^The answer holds 3\d of 33 matches \(6 MB\)\. Continue with Skip 3\d\.$/);
    expect(pages.at(-1)?.message).toBe('');
  });
});
