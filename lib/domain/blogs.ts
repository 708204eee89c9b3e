import type { Blog } from '../resources/blogs.ts';
import { isEqual } from '../shared/equality.ts';
import { toUtc } from '../shared/format-moments.ts';
import { parseMoment, parseRangeEnd, parseRangeStart } from '../shared/read-moments.ts';
import { splitWords } from '../shared/text.ts';
import { firstInstantAt } from '../shared/zones.ts';
import { webAddressError } from './campaigns.ts';
import { sanitizeHtml } from './html.ts';

/** An article as it is kept. `Date` in milliseconds since 1970; OrganizationId 0 for one of the whole account. */
export interface BlogRecord extends Omit<Blog, 'Date'> {
  readonly Date: number;
  readonly V: number;
}

/** The complete resource. */
export const blogToResource = ({ V: _, Date: at, ...record }: BlogRecord): Blog => ({ ...record, Date: toUtc(at) });

/** Whether a key sees it: one of an organization sees its own articles and those of the whole account. */
export const isVisible = (blog: Pick<BlogRecord, 'OrganizationId'>, organizationId: number | null): boolean =>
  organizationId === null || blog.OrganizationId === 0 || blog.OrganizationId === organizationId;

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

export type BlogsPlan =
  | { readonly kind: 'planned'; readonly entries: readonly PlannedBlog[] }
  | { readonly kind: 'invalid'; readonly errors: readonly Fault[] };

const SLUG = /^(?=.*\p{L})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/** The slug that a title gives: `10 tips for José's lawn!` → `10-tips-for-joses-lawn`. Digits alone would look like an id: `2026` → `article-2026`. */
export function toSlug(title: string): string {
  const slug = splitWords(title).join('-').slice(0, 100).replace(/-+$/, '');
  return /^\d*$/.test(slug.replaceAll('-', '')) ? `article-${slug}`.replace(/-$/, '') : slug;
}

/** The slug under which a given article is looked for when it has no Id. */
export const requestedSlug = ({ Slug, Title }: BlogInput): string => Slug?.trim().toLowerCase() || toSlug(Title ?? '');

const blank: BlogRecord = {
  Id: 0,
  V: 0,
  Slug: '',
  OrganizationId: 0,
  UserId: 0,
  Title: '',
  Content: '',
  Date: 0,
  Tags: [],
  Summary: '',
  ImageThumbUrl: '',
  ImageFullUrl: '',
};

const text = (blogInput: string | null | undefined, before: string): string =>
  blogInput === undefined ? before : (blogInput ?? '').trim();

function merged(before: BlogRecord | undefined, blogInput: BlogInput, at: number): BlogRecord {
  const was = before ?? blank;
  return {
    ...was,
    Slug: blogInput.Slug?.trim().toLowerCase() || was.Slug || toSlug(blogInput.Title ?? ''),
    OrganizationId: blogInput.OrganizationId === undefined ? was.OrganizationId : (blogInput.OrganizationId ?? 0),
    UserId: blogInput.UserId === undefined ? was.UserId : (blogInput.UserId ?? 0),
    Title: text(blogInput.Title, was.Title),
    Content: blogInput.Content === undefined ? was.Content : sanitizeHtml(blogInput.Content ?? ''),
    Date: at,
    Tags:
      blogInput.Tags === undefined
        ? was.Tags
        : [...new Set((blogInput.Tags ?? []).map((tag) => tag.trim()).filter(Boolean))],
    Summary: text(blogInput.Summary, was.Summary),
    ImageThumbUrl: text(blogInput.ImageThumbUrl, was.ImageThumbUrl),
    ImageFullUrl: text(blogInput.ImageFullUrl, was.ImageFullUrl),
  };
}

function faultsOf(blog: BlogRecord): Omit<Fault, 'index'>[] {
  const checks: readonly (readonly [string, string | false | undefined])[] = [
    ['Title', !blog.Title && 'is required'],
    ['Slug', !SLUG.test(blog.Slug) && 'must be words of letters and digits with - between them, and not digits alone'],
    ['Content', blog.Content.length > 100_000 && 'must be at most 100000 characters'],
    ['Date', blog.Date < 0 && 'must be in 1970 or later'],
    ['ImageThumbUrl', webAddressError(blog.ImageThumbUrl)],
    ['ImageFullUrl', webAddressError(blog.ImageFullUrl)],
  ];
  return checks.flatMap(([field, message]) => (message ? [{ field, message }] : []));
}

/**
 * Plans the upsert of articles by Id, else by slug (that of the title, when none is given); those not named stay. Content is made harmless here, before
 * it is stored. `known` are the articles that may be meant. A new one without Date is of `now`. Planned again on its result, every article is the same.
 */
export function planBlogs(
  known: readonly BlogRecord[],
  blogInput: readonly BlogInput[],
  { now, zone }: { now: Date; zone: string },
): BlogsPlan {
  // Moments are shown to the second; what is stored must not be later than what is shown.
  const thisSecond = Math.floor(now.getTime() / 1000) * 1000;
  const errors: Fault[] = [];
  const entries: PlannedBlog[] = [];
  const slugs = new Map(known.map(({ Slug, Id }) => [Slug, Id]));
  for (const [index, input] of blogInput.entries()) {
    const before = known.find(({ Id, Slug }) => (input.Id ? Id === input.Id : Slug === requestedSlug(input)));
    const moment = input.Date ? parseMoment(input.Date, zone) : undefined;
    const after = merged(before, input, moment?.ok ? moment.at : (before?.Date ?? thisSecond));
    const changed = Object.keys(after).filter(
      (field) =>
        field !== 'V' && !isEqual(after[field as keyof BlogRecord], (before ?? blank)[field as keyof BlogRecord]),
    );
    const twin = slugs.get(after.Slug);
    if (input.Id && !before) errors.push({ index, field: 'Id', message: `there is no article ${input.Id}` });
    if (moment && !moment.ok) errors.push({ index, field: 'Date', message: moment.reason });
    if (twin !== undefined && twin !== before?.Id)
      errors.push({ index, field: 'Slug', message: `${after.Slug} is that of another article` });
    if (before && entries.some((entry) => entry.before === before))
      errors.push({ index, field: 'Slug', message: `article ${before.Id} is given twice` });
    errors.push(...faultsOf(after).map((fault) => ({ index, ...fault })));
    if (twin === undefined) slugs.set(after.Slug, before?.Id ?? -index - 1);
    entries.push({ change: before ? (changed.length ? 'updated' : 'same') : 'created', before, after, changed });
  }
  return errors.length ? { kind: 'invalid', errors } : { kind: 'planned', entries };
}

/** A stretch of time, both ends inclusive, in milliseconds since 1970. */
export interface DateRange {
  readonly from: number;
  readonly through: number;
}

const MONTH = /^\s*(\d{4})-(\d{1,2})\s*$/;

/**
 * The day or the month (`2026-03`) that a text names, in the zone: `2026-03` in New York is from March 1st 00:00 -05:00 through March 31st 23:59:59.999
 * -04:00. A moment stands for its second.
 */
export function parseDateRange(
  text: string,
  zone: string,
): { ok: true; stretch: DateRange } | { ok: false; reason: string } {
  const [, year = '', month = ''] = MONTH.exec(text) ?? [];
  if (year) {
    const [y, m] = [Number(year), Number(month)];
    if (m < 1 || m > 12 || y < 1900 || y > 2200)
      return {
        ok: false,
        reason: `${text.trim()} is no month. Write a day such as 2026-03-08 or a month such as 2026-03.`,
      };
    return {
      ok: true,
      stretch: { from: firstInstantAt(Date.UTC(y, m - 1), zone), through: firstInstantAt(Date.UTC(y, m), zone) - 1 },
    };
  }
  const [from, through] = [parseRangeStart(text, zone), parseRangeEnd(text, zone)];
  if (!from.ok) return from;
  return through.ok ? { ok: true, stretch: { from: from.at, through: through.at } } : through;
}

/** What an IdSearch names: digits are an id, all else is a slug. */
export function parseIdOrSlug(text: string): { readonly id: number } | { readonly slug: string } | undefined {
  const name = text.trim();
  if (!name) return undefined;
  if (!/^\d+$/.test(name)) return { slug: name.toLowerCase() };
  const id = Number(name);
  return { id: id <= 2 ** 31 - 1 ? id : 0 };
}
