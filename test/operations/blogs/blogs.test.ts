import type { Blog } from '../../../lib/entities/blogs.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { planBlogs } from '../../../lib/domain/blogs.ts';
import { planBlogUpsert } from '../../../lib/store/organizations/blogs.ts';
import { putBlogs } from '../../support/settings.ts';
import { type TestAccount, type TestAnswer, testAccount, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const matches = ({ body }: TestAnswer) => body['Matches'] as Blog[];
const slugs = (answer: TestAnswer) => matches(answer).map(({ Slug }) => Slug);

const articles = [
  {
    Title: 'Spring lawn care',
    Content: '<p>Seed <b>early</b>.</p>',
    Date: '2026-03-01 00:30',
    Tags: ['lawn', ' lawn '],
    Summary: 'What to do in March',
  },
  { Title: 'José’s ten tips', Slug: 'ten-tips', Date: '2026-02-28T23:30:00', OrganizationId: 1 },
  { Title: 'Fall leaves', Date: '10/5/2026', OrganizationId: 2, UserId: 3, ImageThumbUrl: 'https://a.example/t.png' },
  { Title: '2026', Date: '2026-11-01T12:00:00Z' },
];

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  await putBlogs(account.accountId, articles);
});
const find = (body: object, key?: string) => account.call('blogs/find', body, key ? { key } : {});

describe('blogs/find', () => {
  test('returns the newest first, complete', async () => {
    const answer = await find({});
    expect(slugs(answer)).toEqual(['article-2026', 'fall-leaves', 'spring-lawn-care', 'ten-tips']);
    expect(matches(answer)[2]).toEqual({
      Id: 1,
      Slug: 'spring-lawn-care',
      OrganizationId: 0,
      UserId: 0,
      Title: 'Spring lawn care',
      Content: '<p>Seed <b>early</b>.</p>',
      Date: '2026-03-01T05:30:00Z',
      Tags: ['lawn'],
      Summary: 'What to do in March',
      ImageThumbUrl: '',
      ImageFullUrl: '',
    });
  });

  test.each<[object, string[]]>([
    [{ NameSearch: 'SPRING' }, ['spring-lawn-care']],
    [{ NameSearch: 'lawn spr' }, ['spring-lawn-care']],
    [{ NameSearch: 'joses tip' }, ['ten-tips']],
    [{ NameSearch: 'winter' }, []],
    [{ DateSearch: '2026-03' }, ['spring-lawn-care']],
    [{ DateSearch: '2026-2' }, ['ten-tips']],
    [{ DateSearch: '3/1/2026' }, ['spring-lawn-care']],
    [{ DateSearch: '2026-02-28' }, ['ten-tips']],
    [{ DateSearch: '2026-10-05', NameSearch: 'spring' }, []],
    [{ IdSearch: '3' }, ['fall-leaves']],
    [{ IdSearch: 'Ten-Tips' }, ['ten-tips']],
    [{ IdSearch: '3', NameSearch: 'spring' }, []],
    [{ IdSearch: '3', DateSearch: '2026-10' }, ['fall-leaves']],
    [{ IdSearch: '99999999999' }, []],
    [{ NameSearch: '', DateSearch: '', IdSearch: '' }, ['article-2026', 'fall-leaves', 'spring-lawn-care', 'ten-tips']],
  ])('%j', async (body, expected) => {
    const answer = await find(body);
    expect([answer.status, slugs(answer)]).toEqual([200, expected]);
  });

  test.each([
    ['DateSearch', { DateSearch: 'last week' }],
    ['DateSearch', { DateSearch: '2026-13' }],
    ['NameSearch', { NameSearch: '!?' }],
  ])('refuses an unreadable %s: %j', async (Field, body) => {
    const answer = await find(body);
    expect([answer.status, (answer.body['Errors'] as { Field: string }[])[0]?.Field]).toEqual([400, Field]);
  });

  test('a key of an organization sees its articles and those of the whole account', async () => {
    const key = await account.newKey({ role: 'ReadOnly', organizationId: 1 });
    expect(slugs(await find({}, key))).toEqual(['article-2026', 'spring-lawn-care', 'ten-tips']);
    expect(slugs(await find({ IdSearch: '3' }, key))).toEqual([]);
    expect((await account.call('blogs/get', { IdSearch: 'fall-leaves' }, { key })).status).toBe(404);
    expect(slugs(await (await testAccount()).call('blogs/find'))).toEqual([]);
  });

  test('returns the newest, at most 100 and 1 MB, and the number of older ones', async () => {
    const many = await testAccount();
    const input = (from: number, size: number) =>
      Array.from({ length: 60 }, (_, index) => ({
        Title: `Article ${from + index}`,
        Date: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`,
        Content: 'x'.repeat(size),
      }));
    await putBlogs(many.accountId, input(100, 10));
    await putBlogs(many.accountId, input(200, 10));
    const answer = await many.call('blogs/find');
    expect([matches(answer).length, answer.body['Message']]).toEqual([
      100,
      'The newest 100; 20 older ones match. Narrow DateSearch to find them.',
    ]);
    await putBlogs(many.accountId, input(300, 95_000));
    const large = await many.call('blogs/find', { NameSearch: 'article 3' });
    expect([matches(large).length, large.body['Message']]).toEqual([
      10,
      'The newest 10; 50 older ones match. Narrow DateSearch to find them.',
    ]);
  });
});

describe('blogs/get', () => {
  test('returns the article of an id or a slug; an unknown one is 404, a blank one 400', async () => {
    expect(slugs(await account.call('blogs/get', { IdSearch: '2' }))).toEqual(['ten-tips']);
    expect(slugs(await account.call('blogs/get', { IdSearch: ' article-2026 ' }))).toEqual(['article-2026']);
    const missing = await account.call('blogs/get', { IdSearch: '2026' });
    expect([missing.status, missing.body['Message']]).toEqual([
      404,
      'There is no article "2026". blogs/find lists them.',
    ]);
    expect((await account.call('blogs/get', { NameSearch: 'Spring' })).status).toBe(400);
    expect((await account.call('blogs/get', { IdSearch: '  ' })).status).toBe(400);
  });
});

describe('storing articles', () => {
  const at = { now: new Date('2026-11-21T12:00:00Z'), zone: 'America/New_York' };

  test('writes nothing the second time, and moves a changed article to its new place', async () => {
    const own = await testAccount();
    expect(await putBlogs(own.accountId, articles)).toBe(4);
    expect(await putBlogs(own.accountId, articles)).toBe(0);
    expect(await putBlogs(own.accountId, [{ Id: 1, Date: '2027-01-01', Slug: 'spring' }])).toBe(1);
    expect(slugs(await own.call('blogs/find'))).toEqual(['spring', 'article-2026', 'fall-leaves', 'ten-tips']);
    expect((await own.call('blogs/get', { IdSearch: 'spring-lawn-care' })).status).toBe(404);
    expect(await putBlogs(own.accountId, [{ Title: 'Spring lawn care' }])).toBe(1);
    expect((await own.call('blogs/get', { IdSearch: 'spring-lawn-care' })).body['Matches']).toEqual([
      expect.objectContaining({ Date: '2026-11-21T12:00:00Z' }),
    ]);
  });

  test.each<[string, readonly object[], readonly string[]]>([
    ['no title', [{ Content: 'a' }], ['0 Title']],
    ['an invalid slug', [{ Title: 'a', Slug: 'A b/c' }], ['0 Slug']],
    ['a slug like an id', [{ Title: 'a', Slug: '12' }], ['0 Slug']],
    ['an unreadable date', [{ Title: 'a', Date: 'soon' }], ['0 Date']],
    ['a script as a picture', [{ Title: 'a', ImageFullUrl: 'javascript:alert(1)' }], ['0 ImageFullUrl']],
    ['two with one slug', [{ Title: 'New' }, { Title: 'new' }], ['1 Slug']],
    ['an unknown id', [{ Id: 99, Title: 'a' }], ['0 Id']],
    [
      'a slug of another article',
      [
        { Id: 1, Slug: 'ten-tips' },
        { Title: 'José’s ten tips', Slug: 'ten-tips' },
      ],
      ['0 Slug'],
    ],
  ])('refuses %s', async (_, input, expected) => {
    const plan = await planBlogUpsert(accountStore(testTable(), account.accountId), input, at);
    expect(plan.kind === 'invalid' ? plan.errors.map(({ index, field }) => `${index} ${field}`) : []).toEqual(expected);
  });
});

const plannedBlogs = (plan: ReturnType<typeof planBlogs>) =>
  plan.kind === 'planned' ? plan.entries.map(({ after }) => after) : [];

test('an account has at most 1,000 articles; existing ones may change', () => {
  const at = { now: new Date(), zone: 'UTC', count: 1_000 };
  const plan = planBlogs([], [{ Title: 'One more' }], at);
  const message = 'exceeds the limit: an account has at most 1,000 articles';
  expect(plan).toEqual({ kind: 'invalid', errors: [{ index: 0, field: 'Title', code: 'limit', message }] });
  const [stored] = plannedBlogs(planBlogs([], [{ Title: 'An article' }], { ...at, count: 999 }));
  expect(plannedBlogs(planBlogs(stored ? [stored] : [], [{ Title: 'An article', Summary: 'New' }], at))).toHaveLength(
    1,
  );
});
