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
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';
import { sortable, layout } from '../keys.ts';
import type { Change } from '../dynamodb/changes.ts';

const findBlogs = (
  { table, account }: StoreReader,
  ids: readonly number[],
  { consistent = true } = {},
): Promise<BlogRecord[]> => findByIds(table, blogEntity, ids, (id) => layout.blog.key({ account, id }), { consistent });

async function findBlogsBySlug(store: StoreReader, slugs: readonly string[]): Promise<BlogRecord[]> {
  const { table, account } = store;
  const entries = await table.getMany([...new Set(slugs)].map((slug) => layout.blogSlug.key({ account, slug })));
  const ids = entries.map(idOf);
  return findBlogs(store, ids);
}

/** The article for an id or a slug, if the caller may see it. */
export async function findBlog(
  store: StoreReader,
  name: { readonly id: number } | { readonly slug: string },
): Promise<BlogRecord | undefined> {
  const { organizationId } = store;
  const [blog] = 'id' in name ? await findBlogs(store, [name.id]) : await findBlogsBySlug(store, [name.slug]);
  return blog && isVisible(blog, organizationId) ? blog : undefined;
}

/** The visible article whose title gives the most similar slug; 25 read units at most. */
export async function findBlogLike(store: StoreReader, slug: string): Promise<BlogRecord | undefined> {
  const { table, account, organizationId } = store;
  const { items } = await table.query({ partition: layout.blogEntry.of({ account }), consistent: false });
  const entries = items.map(blogEntryEntity.read).filter((entry) => isVisible(entry, organizationId));
  const near = nearestName(
    slug,
    entries.map(({ Title }) => toSlug(Title)),
  );
  const found = entries.find(({ Title }) => toSlug(Title) === near);
  return found && (await findBlogs(store, [found.Id], { consistent: false }))[0];
}

const MAX_BLOGS = 100;
/** Maximum bytes of articles that a search reads: 125 read units. */
const MAX_BYTES = 1_000_000;

/**
 * The newest articles in a time range whose title has words with the given prefixes: at most 100, and 1 MB. `omitted`
 * counts the others. The list of an account's articles is one page; some may be a second old.
 */
export async function searchBlogs(
  store: StoreReader,
  { words, range }: { words: readonly string[]; range: DateRange | undefined },
): Promise<{ blogs: BlogRecord[]; omitted: number }> {
  const { table, account, organizationId } = store;
  const { items } = await table.query({
    partition: layout.blogEntry.of({ account }),
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
  const blogs = await findBlogs(store, ids, { consistent: false });
  return { blogs, omitted: matches.length - page.length };
}

/** Every article of the account, oldest first, for an export. */
export async function listBlogs(store: StoreReader): Promise<BlogRecord[]> {
  const { table, account } = store;
  const entries = await listRange(table, { partition: layout.blogEntry.of({ account }) });
  const ids = entries.map(idOf);
  return findBlogs(store, ids);
}

/** Plans an upsert of at most 100 articles; nothing is written. */
export async function planBlogUpsert(
  store: StoreReader,
  inputs: readonly BlogInput[],
  at: { now: Date; zone: string },
): Promise<BlogsPlan> {
  const { table, account } = store;
  const ids = inputs.flatMap(({ Id }) => Id || []);
  const slugs = inputs.map(requestedSlug).filter(Boolean);
  const [byId, bySlug, entries] = await Promise.all([
    findBlogs(store, ids),
    findBlogsBySlug(store, slugs),
    listRange(table, { partition: layout.blogEntry.of({ account }), consistent: true }),
  ]);
  const stored = [...new Map([...byId, ...bySlug].map((blog) => [blog.Id, blog])).values()];
  return planBlogs(stored, inputs, { ...at, count: entries.length });
}

/** Stores an article with its entry in the list and its slug. */
export function blogChange(
  { account }: StoreAccount,
  { before, after }: Pick<PlannedBlog, 'before' | 'after'>,
): Change[] {
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

/** Stores planned articles, with one transaction for each that changes. New articles get their ids. */
export async function blogChanges(store: StoreWriter, planned: readonly PlannedBlog[]): Promise<Change[][]> {
  const created = planned.filter(({ change }) => change === 'created').length;
  const ids = created ? await reserveIds(store, 'Blog', created) : [];
  return planned
    .filter(({ change }) => change !== 'same')
    .map(({ change, before, after }) => {
      const Id = change === 'created' ? (ids.shift() ?? 0) : after.Id;
      return blogChange(store, { before, after: { ...after, Id } });
    });
}
