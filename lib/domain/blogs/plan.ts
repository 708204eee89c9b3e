import type { Blog } from '../../resources/blogs.ts';
import { alike } from '../alike.ts';
import { addressFault } from '../campaigns/figures.ts';
import { harmlessHtml } from '../html.ts';
import { parseMoment } from '../moments-in.ts';
import { wordsOf } from '../words.ts';
import type { BlogRecord } from './record.ts';

/** An article as a company file brings it: absent stays, `null` clears. A Date without offset is in the account's home zone. */
export type BlogInput = { readonly [Name in keyof Blog]?: Blog[Name] | null | undefined };

/** What becomes of one given article; a new one has Id 0 until it gets its own. */
export interface PlannedBlog {
  readonly change: 'created' | 'updated' | 'same';
  readonly before: BlogRecord | undefined;
  readonly after: BlogRecord;
  readonly changed: readonly string[];
}

interface Fault {
  readonly index: number;
  readonly field: string;
  readonly message: string;
}

export type BlogsPlan = { readonly kind: 'planned'; readonly entries: readonly PlannedBlog[] } | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

const SLUG = /^(?=.*\p{L})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/** The slug that a title gives: `10 tips for José's lawn!` → `10-tips-for-joses-lawn`. Digits alone would look like an id: `2026` → `article-2026`. */
export function slugOf(title: string): string {
  const slug = wordsOf(title).join('-').slice(0, 100).replace(/-+$/, '');
  return /^\d*$/.test(slug.replaceAll('-', '')) ? `article-${slug}`.replace(/-$/, '') : slug;
}

/** The slug under which a given article is looked for when it has no Id. */
export const slugGiven = ({ Slug, Title }: BlogInput): string => Slug?.trim().toLowerCase() || slugOf(Title ?? '');

const blank: BlogRecord = {
  Id: 0, V: 0, Slug: '', OrganizationId: 0, UserId: 0, Title: '', Content: '', Date: 0, Tags: [], Summary: '', ImageThumbUrl: '', ImageFullUrl: '',
};

const text = (given: string | null | undefined, before: string): string => (given === undefined ? before : (given ?? '').trim());

function merged(before: BlogRecord | undefined, given: BlogInput, at: number): BlogRecord {
  const was = before ?? blank;
  return {
    ...was,
    Slug: given.Slug?.trim().toLowerCase() || was.Slug || slugOf(given.Title ?? ''),
    OrganizationId: given.OrganizationId === undefined ? was.OrganizationId : (given.OrganizationId ?? 0),
    UserId: given.UserId === undefined ? was.UserId : (given.UserId ?? 0),
    Title: text(given.Title, was.Title),
    Content: given.Content === undefined ? was.Content : harmlessHtml(given.Content ?? ''),
    Date: at,
    Tags: given.Tags === undefined ? was.Tags : [...new Set((given.Tags ?? []).map((tag) => tag.trim()).filter(Boolean))],
    Summary: text(given.Summary, was.Summary),
    ImageThumbUrl: text(given.ImageThumbUrl, was.ImageThumbUrl),
    ImageFullUrl: text(given.ImageFullUrl, was.ImageFullUrl),
  };
}

function faultsOf(blog: BlogRecord): Omit<Fault, 'index'>[] {
  const checks: readonly (readonly [string, string | false | undefined])[] = [
    ['Title', !blog.Title && 'is required'],
    ['Slug', !SLUG.test(blog.Slug) && 'must be words of letters and digits with - between them, and not digits alone'],
    ['Content', blog.Content.length > 100_000 && 'must be at most 100000 characters'],
    ['Date', blog.Date < 0 && 'must be in 1970 or later'],
    ['ImageThumbUrl', addressFault(blog.ImageThumbUrl)],
    ['ImageFullUrl', addressFault(blog.ImageFullUrl)],
  ];
  return checks.flatMap(([field, message]) => (message ? [{ field, message }] : []));
}

/**
 * Plans the upsert of articles by Id, else by slug (that of the title, when none is given); those not named stay. Content is made harmless here, before
 * it is stored. `known` are the articles that may be meant. A new one without Date is of `now`. Planned again on its result, every article is the same.
 */
export function planBlogs(known: readonly BlogRecord[], given: readonly BlogInput[], { now, zone }: { now: Date; zone: string }): BlogsPlan {
  // Moments are shown to the second; what is stored must not be later than what is shown.
  const thisSecond = Math.floor(now.getTime() / 1000) * 1000;
  const faults: Fault[] = [];
  const entries: PlannedBlog[] = [];
  const slugs = new Map(known.map(({ Slug, Id }) => [Slug, Id]));
  for (const [index, input] of given.entries()) {
    const before = known.find(({ Id, Slug }) => (input.Id ? Id === input.Id : Slug === slugGiven(input)));
    const moment = input.Date ? parseMoment(input.Date, zone) : undefined;
    const after = merged(before, input, moment?.ok ? moment.at : (before?.Date ?? thisSecond));
    const changed = Object.keys(after).filter((field) => field !== 'V' && !alike(after[field as keyof BlogRecord], (before ?? blank)[field as keyof BlogRecord]));
    const twin = slugs.get(after.Slug);
    if (input.Id && !before) faults.push({ index, field: 'Id', message: `there is no article ${input.Id}` });
    if (moment && !moment.ok) faults.push({ index, field: 'Date', message: moment.reason });
    if (twin !== undefined && twin !== before?.Id) faults.push({ index, field: 'Slug', message: `${after.Slug} is that of another article` });
    if (before && entries.some((entry) => entry.before === before)) faults.push({ index, field: 'Slug', message: `article ${before.Id} is given twice` });
    faults.push(...faultsOf(after).map((fault) => ({ index, ...fault })));
    if (twin === undefined) slugs.set(after.Slug, before?.Id ?? -index - 1);
    entries.push({ change: before ? (changed.length ? 'updated' : 'same') : 'created', before, after, changed });
  }
  return faults.length ? { kind: 'faulty', faults } : { kind: 'planned', entries };
}
