import {
  type BlogInput,
  type BlogRecord,
  type BlogsPlan,
  type PlannedBlog,
  type DateRange,
  isVisible,
  planBlogs,
  requestedSlug,
} from '../domain/blogs.ts';
import { matchesWords, splitWords } from '../shared/text.ts';
import type { CallerScope } from './caller.ts';
import { sortable } from './contact-index.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { reserveIds } from './dynamodb/ids.ts';
import { toRecord } from './dynamodb/records.ts';
import { layout } from './keys.ts';

/** What stands in the list of articles: enough to find one by its title and time, without its text. */
interface BlogEntry {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly Title: string;
  /** Bytes of the whole article. */
  readonly Bytes: number;
}

/** Articles by id, as far as they exist, in the order of the ids. */
async function readBlogs(table: TableReader, account: string, ids: readonly number[]): Promise<BlogRecord[]> {
  const items = await table.getMany(ids.map((id) => layout.blog.key({ account, id })));
  const byId = new Map(items.map((item) => [item['Id'] as number, toRecord<BlogRecord>(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Articles by slug, as far as they exist. */
async function blogsBySlug(table: TableReader, account: string, slugs: readonly string[]): Promise<BlogRecord[]> {
  const entries = await table.getMany([...new Set(slugs)].map((slug) => layout.blogSlug.key({ account, slug })));
  return readBlogs(
    table,
    account,
    entries.map(({ Id }) => Id as number),
  );
}

/** The article of an id or a slug, where the caller sees it. */
export async function findBlog(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  name: { readonly id: number } | { readonly slug: string },
): Promise<BlogRecord | undefined> {
  const [blog] =
    'id' in name ? await readBlogs(table, accountId, [name.id]) : await blogsBySlug(table, accountId, [name.slug]);
  return blog && isVisible(blog, organizationId) ? blog : undefined;
}

/** Most articles of one answer, and most bytes of them: an answer has at most 6 MB. */
const MAX_BLOGS = 100;
const MAX_BYTES = 4_000_000;

/**
 * The newest articles that a caller sees whose title has words that begin so, in a stretch of time; at most 100, and 4
 * MB. `left` says how many more there are. The titles of some 4,000 articles are one page (1 MB) of the list, and one
 * page is read.
 */
export async function searchBlogs(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  { words, stretch }: { words: readonly string[]; stretch: DateRange | undefined },
): Promise<{ blogs: BlogRecord[]; left: number }> {
  const range = stretch ? { from: sortable(stretch.from), to: `${sortable(stretch.through)}~` } : {};
  const { items } = await table.query({
    partition: layout.blogEntry.of({ account: accountId }),
    ...range,
    descending: true,
    consistent: true,
  });
  const entries = items
    .map((item) => toRecord<BlogEntry>(item))
    .filter((entry) => isVisible(entry, organizationId) && matchesWords(words, splitWords(entry.Title)));
  let bytes = 0;
  const shown = entries.slice(0, MAX_BLOGS).filter((entry) => (bytes += entry.Bytes) <= MAX_BYTES);
  return {
    blogs: await readBlogs(
      table,
      accountId,
      shown.map(({ Id }) => Id),
    ),
    left: entries.length - shown.length,
  };
}

/** Every article of the account, oldest first, for an export. */
export async function listBlogs(table: TableReader, account: string): Promise<BlogRecord[]> {
  const blogs: BlogRecord[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: Awaited<ReturnType<TableReader['query']>> = await table.query({
      partition: layout.blogEntry.of({ account }),
      after: after || undefined,
    });
    blogs.push(
      ...(await readBlogs(
        table,
        account,
        page.items.map(({ Id }) => Id as number),
      )),
    );
    after = page.next;
  }
  return blogs;
}

/** Plans an upsert of articles, at most 100 a call, on what is stored; nothing is written. */
export async function planBlogUpsert(
  table: TableReader,
  account: string,
  input: readonly BlogInput[],
  at: { now: Date; zone: string },
): Promise<BlogsPlan> {
  const ids = input.flatMap(({ Id }) => (Id ? [Id] : []));
  const slugs = input.map(requestedSlug).filter(Boolean);
  const [byId, bySlug] = await Promise.all([readBlogs(table, account, ids), blogsBySlug(table, account, slugs)]);
  return planBlogs([...new Map([...byId, ...bySlug].map((blog) => [blog.Id, blog])).values()], input, at);
}

function changesOf(account: string, { before, after }: PlannedBlog): Change[] {
  const { Id, Slug, Title, OrganizationId } = after;
  const record = { ...after, V: (before?.V ?? 0) + 1 };
  const entry: BlogEntry = { Id, OrganizationId, Title, Bytes: Buffer.byteLength(JSON.stringify(record)) };
  const entryKey = (blog: BlogRecord) => layout.blogEntry.key({ account, created: sortable(blog.Date), id: blog.Id });
  const slugKey = (blog: BlogRecord) => layout.blogSlug.key({ account, slug: blog.Slug });
  return [
    {
      put: { ...layout.blog.key({ account, id: Id }), ...record },
      if: before ? { equals: { V: before.V } } : 'absent',
    },
    { put: { ...entryKey(after), ...entry } },
    ...(before && before.Date !== after.Date ? [{ remove: entryKey(before) }] : []),
    ...(before?.Slug === Slug ? [] : [{ put: { ...slugKey(after), Id }, if: 'absent' } as const]),
    ...(before && before.Slug !== Slug ? [{ remove: slugKey(before) }] : []),
  ];
}

/**
 * The changes that store what was planned, an article each to be committed together; new articles get their ids. None
 * where nothing changes.
 */
export async function blogChanges(
  table: TableWriter,
  account: string,
  planned: readonly PlannedBlog[],
): Promise<Change[][]> {
  const made = planned.filter(({ change }) => change === 'created');
  const ids = made.length ? await reserveIds(table, account, 'Blog', made.length) : [];
  const numbered = new Map(made.map((entry, index) => [entry, ids[index] as number]));
  return planned
    .filter(({ change }) => change !== 'same')
    .map((entry) =>
      changesOf(account, { ...entry, after: { ...entry.after, Id: numbered.get(entry) ?? entry.after.Id } }),
    );
}
