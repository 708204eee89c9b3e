import { findByIds, idOf, listRange, reserveIds } from '../dynamodb/records.ts';
import { type BlogEntry, type BlogRecord, blogEntity, blogEntryEntity } from '../../entities/blogs.ts';
import {
  type BlogInput,
  type BlogsPlan,
  type DateRange,
  type PlannedBlog,
  isVisible,
  planBlogs,
  requestedSlug,
  toSlug,
} from '../../domain/blogs.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { nearestName } from '../../shared/text/suggestions.ts';
import { matchesWords, splitWords } from '../../shared/text/text.ts';
import type { CallerScope } from '../requests/caller.ts';
import { sortable } from '../contacts/contact-index.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';

const findBlogs = (
  table: TableReader,
  account: string,
  ids: readonly number[],
  { consistent = true } = {},
): Promise<BlogRecord[]> => findByIds(table, blogEntity, ids, (id) => layout.blog.key({ account, id }), { consistent });

async function findBlogsBySlug(table: TableReader, account: string, slugs: readonly string[]): Promise<BlogRecord[]> {
  const entries = await table.getMany([...new Set(slugs)].map((slug) => layout.blogSlug.key({ account, slug })));
  const ids = entries.map(idOf);
  return findBlogs(table, account, ids);
}

/** The article of an id or a slug, if the caller sees it. */
export async function findBlog(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  name: { readonly id: number } | { readonly slug: string },
): Promise<BlogRecord | undefined> {
  const [blog] =
    'id' in name ? await findBlogs(table, accountId, [name.id]) : await findBlogsBySlug(table, accountId, [name.slug]);
  return blog && isVisible(blog, organizationId) ? blog : undefined;
}

/** The visible article whose title gives the slug that is most like one; 25 read units at most. */
export async function findBlogLike(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  slug: string,
): Promise<BlogRecord | undefined> {
  const { items } = await table.query({ partition: layout.blogEntry.of({ account: accountId }), consistent: false });
  const entries = items.map(blogEntryEntity.read).filter((entry) => isVisible(entry, organizationId));
  const near = nearestName(
    slug,
    entries.map(({ Title }) => toSlug(Title)),
  );
  const found = entries.find(({ Title }) => toSlug(Title) === near);
  return found && (await findBlogs(table, accountId, [found.Id], { consistent: false }))[0];
}

const MAX_BLOGS = 100;
/** What a search reads of articles: 125 read units. */
const MAX_BYTES = 1_000_000;

/**
 * The newest articles of a range of time whose title has words that begin so: at most 100, and 1 MB. `omitted` counts
 * the others. The list of an account's articles is one page; some may be a second old.
 */
export async function searchBlogs(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  { words, range }: { words: readonly string[]; range: DateRange | undefined },
): Promise<{ blogs: BlogRecord[]; omitted: number }> {
  const { items } = await table.query({
    partition: layout.blogEntry.of({ account: accountId }),
    ...(range ? { from: sortable(range.from), to: `${sortable(range.through)}~` } : {}),
    descending: true,
    consistent: false,
  });
  const matches = items
    .map(blogEntryEntity.read)
    .filter((entry) => isVisible(entry, organizationId) && matchesWords(words, splitWords(entry.Title)));
  let bytes = 0;
  const page = matches.slice(0, MAX_BLOGS).filter((entry) => (bytes += entry.Bytes) <= MAX_BYTES);
  const ids = page.map(({ Id }) => Id);
  const blogs = await findBlogs(table, accountId, ids, { consistent: false });
  return { blogs, omitted: matches.length - page.length };
}

/** Every article of the account, oldest first, for an export. */
export async function listBlogs(table: TableReader, account: string): Promise<BlogRecord[]> {
  const entries = await listRange(table, { partition: layout.blogEntry.of({ account }) });
  const ids = entries.map(idOf);
  return findBlogs(table, account, ids);
}

/** Plans an upsert of at most 100 articles; nothing is written. */
export async function planBlogUpsert(
  table: TableReader,
  account: string,
  inputs: readonly BlogInput[],
  at: { now: Date; zone: string },
): Promise<BlogsPlan> {
  const ids = inputs.flatMap(({ Id }) => Id || []);
  const slugs = inputs.map(requestedSlug).filter(Boolean);
  const [byId, bySlug, entries] = await Promise.all([
    findBlogs(table, account, ids),
    findBlogsBySlug(table, account, slugs),
    listRange(table, { partition: layout.blogEntry.of({ account }), consistent: true }),
  ]);
  const stored = [...new Map([...byId, ...bySlug].map((blog) => [blog.Id, blog])).values()];
  return planBlogs(stored, inputs, { ...at, count: entries.length });
}

/** Stores an article with its entry in the list and its slug. */
export function blogChange(account: string, { before, after }: Pick<PlannedBlog, 'before' | 'after'>): Change[] {
  const { Id, Slug, Title, OrganizationId } = after;
  const record = { ...after, V: (before?.V ?? 0) + 1 };
  const entry: BlogEntry = { Id, OrganizationId, Title, Bytes: jsonByteLength(record) };
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

/** Stores planned articles: a transaction for each that changes. New articles get their ids. */
export async function blogChanges(
  table: TableWriter,
  account: string,
  planned: readonly PlannedBlog[],
): Promise<Change[][]> {
  const created = planned.filter(({ change }) => change === 'created').length;
  const ids = created ? await reserveIds(table, account, 'Blog', created) : [];
  return planned
    .filter(({ change }) => change !== 'same')
    .map(({ change, before, after }) => {
      const Id = change === 'created' ? (ids.shift() ?? 0) : after.Id;
      return blogChange(account, { before, after: { ...after, Id } });
    });
}
