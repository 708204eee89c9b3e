import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey, parseKey, revokeKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { carefully } from '../support/faults/carefully.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
});

const atOnce = <Answer>(count: number, one: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
/** Repeats a 503, which a busy machine may cause. */
const write = (operation: string, body: object, options: { headers?: Record<string, string> } = {}) =>
  carefully((headers) => account.call(operation, body, { headers: { ...headers, ...options.headers } }));
const statusesOf = (answers: readonly TestAnswer[]) => [...new Set(answers.map(({ status }) => status))];

interface Found {
  Id: number;
  Notes: { Id: number; Body: string }[];
  Tags: string[];
}
const contactsOf = ({ body }: TestAnswer) => body['Matches'] as Found[];
const add = async (contact: object) => contactsOf(await write('contacts/addupdate', contact))[0]?.Id ?? 0;
const locate = async (criteria: object) => contactsOf(await account.call('contacts/locate', criteria));

describe('of concurrent calls', () => {
  test('50 with one new e-mail make one contact', async () => {
    const answers = await atOnce(50, (index) =>
      write('contacts/addupdate', { Name: 'Rosa Diaz', Email: index % 2 ? 'rosa@example.com' : 'ROSA@Example.com' }),
    );
    expect(statusesOf(answers)).toEqual([200]);
    const found = await locate({ EmailSearch: 'rosa@example.com' });
    expect(found).toHaveLength(1);
    expect(new Set(answers.flatMap((answer) => contactsOf(answer).map(({ Id }) => Id)))).toEqual(
      new Set([found[0]?.Id]),
    );
    expect(await locate({ NameSearch: 'rosa' })).toHaveLength(1);
  });

  test('50 with one new phone and name make one contact, and one with another name makes another', async () => {
    const phones = ['(217) 555-0190', '+1 217-555-0190', '2175550190'];
    const answers = await atOnce(50, (index) =>
      write('contacts/addupdate', { Name: index === 20 ? 'Another' : 'Hana Sato', Phone: phones[index % 3] }),
    );
    expect(statusesOf(answers)).toEqual([200]);
    expect(await locate({ PhoneSearch: '217 555 0190' })).toHaveLength(2);
    expect(await locate({ NameSearch: 'hana sato' })).toHaveLength(1);
  });

  test('20 with one Idempotency-Key have one effect and one response', async () => {
    const ContactId = await add({ Name: 'Once', Email: 'once@example.com' });
    const headers = { 'idempotency-key': 'twenty' };
    const made = [
      await atOnce(20, () => account.call('contacts/addnote', { ContactId, Note: { Body: 'Once' } }, { headers })),
      await atOnce(20, () =>
        account.call(
          'contacts/logcall',
          { Chars: JSON.stringify({ ContactId }) },
          { headers: { 'idempotency-key': 'call' } },
        ),
      ),
      await atOnce(20, () =>
        write('contacts/addupdate', { Name: 'Nobody Known' }, { headers: { 'idempotency-key': 'contact' } }),
      ),
    ];
    for (const answers of made)
      expect([statusesOf(answers), new Set(answers.map(({ text }) => text)).size]).toEqual([[200], 1]);
    // The call is a note too.
    expect((await locate({ IdSearch: ContactId }))[0]?.Notes).toHaveLength(2);
    expect(await locate({ NameSearch: 'nobody known' })).toHaveLength(1);
  });

  test('20 with one Idempotency-Key and two bodies have the effect of one body, and the other body gets 409', async () => {
    const ContactId = await add({ Name: 'Either', Email: 'either@example.com' });
    const answers = await atOnce(20, (index) =>
      account.call(
        'contacts/addnote',
        { ContactId, Note: { Body: `${index % 2}` } },
        { headers: { 'idempotency-key': 'either' } },
      ),
    );
    const notes = (await locate({ IdSearch: ContactId }))[0]?.Notes ?? [];
    expect(notes).toHaveLength(1);
    const right = answers.map((_, index) => (String(index % 2) === notes[0]?.Body ? 200 : 409));
    expect(answers.map(({ status }) => status)).toEqual(right);
  });

  test('50 that add a note to one contact leave 50 notes with different ids', async () => {
    const ContactId = await add({ Name: 'Popular', Email: 'popular@example.com' });
    const answers = await atOnce(50, (index) =>
      write('contacts/addnote', { ContactId, Note: { Body: `note ${index}` } }),
    );
    expect(statusesOf(answers)).toEqual([200]);
    const notes = (await locate({ IdSearch: ContactId }))[0]?.Notes ?? [];
    expect(notes.map(({ Body }) => Body).sort()).toEqual(
      Array.from({ length: 50 }, (_, index) => `note ${index}`).sort(),
    );
    expect(new Set(notes.map(({ Id }) => Id)).size).toBe(50);
  });

  test('30 that add one new tag to 30 contacts make one tag, and each contact has it', async () => {
    const ids = await atOnce(30, (index) => add({ Name: `Tagged ${index}`, Email: `tagged${index}@example.com` }));
    const answers = await atOnce(30, (index) =>
      write('contacts/addtags', { ContactId: ids[index], TagList: [{ Name: index % 2 ? 'Brand New' : 'brand new' }] }),
    );
    expect(statusesOf(answers)).toEqual([200]);
    expect(new Set(answers.flatMap(({ body }) => (body['TagList'] as { Id: number }[]).map(({ Id }) => Id))).size).toBe(
      1,
    );
    expect(await locate({ TagSearch: ['brand new'] })).toHaveLength(30);
  });

  test('15 that add and 15 that remove different tags of one contact all succeed', async () => {
    const ContactId = await add({
      Name: 'Busy',
      Email: 'busy@example.com',
      Tags: Array.from({ length: 15 }, (_, index) => `old ${index}`),
    });
    const answers = await atOnce(30, (index) =>
      index % 2
        ? write('contacts/addtags', { ContactId, TagList: [{ Name: `new ${index}` }] })
        : write('contacts/removetags', { ContactId, TagList: [{ Name: `old ${index / 2}` }] }),
    );
    expect(statusesOf(answers)).toEqual([200]);
    const tags = (await locate({ IdSearch: ContactId }))[0]?.Tags ?? [];
    expect(tags.sort()).toEqual(Array.from({ length: 15 }, (_, index) => `new ${index * 2 + 1}`).sort());
  });
});

describe('the rate limit of a key', () => {
  const RATE = 2;
  const BURST = 4;

  test('allows a burst and then its rate, and says when to retry', async () => {
    const key = await account.newKey({ rate: RATE });
    const since = performance.now();
    const answers: TestAnswer[] = [];
    const having = (code: number) => answers.filter(({ status }) => status === code);
    const caller = async () => {
      while (having(200).length < BURST + RATE || !having(429).length)
        answers.push(await account.call('test/echo', {}, { key }));
    };
    await atOnce(8, caller);
    /** Whole seconds of the clock that began meanwhile, at most. */
    const seconds = Math.ceil((performance.now() - since) / 1_000);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(having(200).length).toBeLessThanOrEqual(BURST + RATE * seconds);
    for (const { status, headers, body } of refused) {
      expect([status, body['ResultCode'], headers.get('ratelimit-remaining')]).toEqual([429, 429, '0']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-limit')).toBe(String(BURST));
      expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/);
    }
    await new Promise((done) => setTimeout(done, 1_000 * Number(refused.at(-1)?.headers.get('retry-after'))));
    expect((await account.call('test/echo', {}, { key })).status, 'after Retry-After').toBe(200);
  });

  test('is separate for each key', async () => {
    const [busy, quiet] = [await account.newKey({ rate: RATE }), await account.newKey({ rate: RATE })];
    await atOnce(30, () => account.call('test/echo', {}, { key: busy }));
    expect((await account.call('test/echo', {}, { key: quiet })).status).toBe(200);
  });
});

describe('what a key may do at once', () => {
  test('is charged when a call ends: 25 new tags cost more than one token', async () => {
    const key = await account.newKey({ rate: 5 });
    const ContactId = await add({ Name: 'Many tags', Email: 'many-tags@example.com' });
    const TagList = Array.from({ length: 25 }, (_, index) => ({ Name: `costly ${index}` }));
    const tagged = await account.call('contacts/addtags', { ContactId, TagList }, { key });
    expect(tagged.status).toBe(200);
    expect(Number(tagged.headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(8);
  });

  test('is limited: one of many calls in flight is answered, others are 429 and say what to do', async () => {
    const key = await account.newKey({ inFlight: 1 });
    const answers: TestAnswer[] = [];
    const having = (code: number) => answers.filter(({ status }) => status === code);
    // On a busy machine calls may come one after another.
    while (!having(200).length || !having(429).length)
      answers.push(...(await atOnce(10, () => account.call('contacts/locate', { NameSearch: 'busy' }, { key }))));
    const refused = having(429);
    expect(answers).toHaveLength(having(200).length + refused.length);
    for (const { headers, body } of refused) {
      expect([headers.get('retry-after'), body['ResultCode']]).toEqual(['1', 429]);
      expect(body['Message']).toBe('This key may have 1 call in flight. Wait for the answer of one, then try again.');
    }
    expect((await account.call('test/echo', {}, { key })).status).toBe(200);
  });
});

describe('a key in steady use', () => {
  afterEach(() => vi.useRealTimers());

  /** Calls every second, by the clock of the handlers alone; gives the second of the first refusal. */
  async function refusedAfter(end: (account: string, key: string, now: Date) => Promise<unknown>): Promise<number> {
    const engine = await startTable();
    try {
      vi.useFakeTimers({ toFake: ['Date'] });
      const table = openTable();
      const { account: accountId } = await writeAccount(table, { name: 'Test', now: new Date() });
      const { key } = await createKey(accountStore(table, accountId), {
        hasEvent: false,
        name: 'test',
        role: 'Owner',
        now: new Date(),
        rate: 1_000,
      });
      expect((await invoke('test/echo', {}, { key })).status).toBe(200);
      const started = Date.now();
      await end(accountId, key, new Date());
      for (let second = 0; second < 120; second++) {
        vi.setSystemTime(started + second * 1_000);
        const { status } = await invoke('test/echo', {}, { key });
        if (status !== 200) {
          expect(status).toBe(401);
          return second;
        }
      }
      return Infinity;
    } finally {
      await engine.stop();
    }
  }

  test('stops within 60 s of its revocation', async () => {
    const seconds = await refusedAfter((account, key, now) =>
      revokeKey(accountStore(openTable(), account), parseKey(key)?.publicPart ?? '', now),
    );
    expect(seconds).toBeLessThan(60);
  });
});
