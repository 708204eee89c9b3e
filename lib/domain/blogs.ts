import { type BlogRecord, blogEntity, type Blog } from '../entities/blogs.ts';
import { type Input, applyText, applyValue } from '../resources/fields.ts';
import { isEqual } from '../shared/objects.ts';
import { type IndexedError, collectErrors } from '../shared/failure.ts';
import { type ParseError, parseMoment, parseRangeEnd, parseRangeStart } from '../shared/time/read-moments.ts';
import { splitWords } from '../shared/text/text.ts';
import { normalizeWebAddress, webAddressError } from '../shared/web/web-addresses.ts';
import { firstInstantAt, wholeSecond } from '../shared/time/time.ts';
import { LIST_LIMITS, describeLimit } from './list-limits.ts';

export const blogToResource = (blog: BlogRecord): Blog => blogEntity.toResource(blog);

/** Whether a caller can see the article: an organization sees its own articles and those of the whole account. */
export const isVisible = (blog: Pick<BlogRecord, 'OrganizationId'>, organizationId: number | null): boolean =>
  organizationId === null || blog.OrganizationId === 0 || blog.OrganizationId === organizationId;

/**
 * An article of a company file. Its Content has already been sanitized; a Date without an offset is in the account's
 * zone.
 */
export type BlogInput = Input<typeof Blog>;

export interface PlannedBlog {
  readonly change: 'created' | 'updated' | 'same';
  readonly before: BlogRecord | undefined;
  /** A new article has Id 0 until it gets its own. */
  readonly after: BlogRecord;
}

export type BlogsPlan =
  | { readonly kind: 'planned'; readonly entries: readonly PlannedBlog[] }
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedError[] };

const SLUG = /^(?=.*\p{L})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/**
 * The slug of a title: `10 tips for José's lawn!` → `10-tips-for-joses-lawn`. Digits alone would look like an id:
 * `2026` → `article-2026`.
 */
export function toSlug(title: string): string {
  const slug = splitWords(title).join('-').slice(0, 100).replace(/-+$/, '');
  return /^\d*$/.test(slug.replaceAll('-', '')) ? `article-${slug}`.replace(/-$/, '') : slug;
}

/** The slug by which an input without Id finds its article. */
export const requestedSlug = ({ Slug, Title }: BlogInput): string => Slug?.trim().toLowerCase() || toSlug(Title ?? '');

const blankBlog = (): BlogRecord => blogEntity.blank({ Id: 0, Slug: '', Date: 0 });

const applyBlogInput = (before: BlogRecord, input: BlogInput, at: number): BlogRecord => ({
  ...before,
  Slug: input.Slug?.trim().toLowerCase() || before.Slug || toSlug(input.Title ?? ''),
  OrganizationId: applyValue(input.OrganizationId, before.OrganizationId, 0),
  UserId: applyValue(input.UserId, before.UserId, 0),
  Title: applyText(input.Title, before.Title),
  Content: applyValue(input.Content, before.Content, ''),
  Date: at,
  Tags:
    input.Tags === undefined ? before.Tags : [...new Set((input.Tags ?? []).map((tag) => tag.trim()).filter(Boolean))],
  Summary: applyText(input.Summary, before.Summary),
  ImageThumbUrl: normalizeWebAddress(applyText(input.ImageThumbUrl, before.ImageThumbUrl)),
  ImageFullUrl: normalizeWebAddress(applyText(input.ImageFullUrl, before.ImageFullUrl)),
});

/**
 * Plans the upsert of articles by Id, else by slug (by default that of the title); all others stay. `stored` has the
 * articles that the inputs may mean. A new one without Date gets `now`. Planning again on the result changes nothing.
 * `count` is the number of articles in the account, which is limited.
 */
export function planBlogs(
  stored: readonly BlogRecord[],
  inputs: readonly BlogInput[],
  { now, zone, count = 0 }: { now: Date; zone: string; count?: number },
): BlogsPlan {
  const errors: IndexedError[] = [];
  const entries: PlannedBlog[] = [];
  /** Slug → id of its article; negative for a new article. */
  const slugs = new Map(stored.map(({ Slug, Id }) => [Slug, Id]));
  for (const [index, input] of inputs.entries()) {
    const before = stored.find(({ Id, Slug }) => (input.Id ? Id === input.Id : Slug === requestedSlug(input)));
    const date = input.Date ? parseMoment(input.Date, zone) : undefined;
    const at = date?.ok ? date.at : (before?.Date ?? wholeSecond(now.getTime()));
    const after = applyBlogInput(before ?? blankBlog(), input, at);
    const slugOwner = slugs.get(after.Slug);
    const found = collectErrors(
      ['Id', Boolean(input.Id) && !before && 'must be the Id of an existing article', 'not_found'],
      ['Date', date?.ok === false && date.reason, 'format'],
      [
        'Slug',
        slugOwner !== undefined && slugOwner !== before?.Id && `${after.Slug} is used by another article`,
        'duplicate',
      ],
      [
        'Slug',
        before && entries.some((entry) => entry.before === before) && `repeats article ${before.Id}`,
        'duplicate',
      ],
      ['Title', !after.Title && 'is required', 'required'],
      [
        'Slug',
        !SLUG.test(after.Slug) && 'must be words of letters and digits joined by -, with at least one letter',
        'format',
      ],
      ['Content', after.Content.length > 100_000 && 'must be at most 100000 characters', 'too_long'],
      ['Date', after.Date < 0 && 'must be in 1970 or later', 'range'],
      ['ImageThumbUrl', webAddressError(after.ImageThumbUrl), 'format'],
      ['ImageFullUrl', webAddressError(after.ImageFullUrl), 'format'],
    );
    errors.push(...found.map((error) => ({ index, ...error })));
    if (slugOwner === undefined) slugs.set(after.Slug, before?.Id ?? -index - 1);
    entries.push({ change: before ? (isEqual(before, after) ? 'same' : 'updated') : 'created', before, after });
  }
  const created = entries.filter(({ change }) => change === 'created').length;
  if (created && count + created > LIST_LIMITS.articles.entries) {
    const message = `exceeds the limit: an account has ${describeLimit(LIST_LIMITS.articles)} articles`;
    errors.push({ index: inputs.length - 1, field: 'Title', code: 'limit', message });
  }
  return errors.length ? { kind: 'invalid', errors } : { kind: 'planned', entries };
}

/** Both ends inclusive, in milliseconds since 1970. */
export interface DateRange {
  readonly from: number;
  readonly through: number;
}

const MONTH = /^\s*(\d{4})-(\d{1,2})\s*$/;

/**
 * The range of a text that is a day or a month (`2026-03`) in the zone: `2026-03` in New York is from March 1 00:00
 * -05:00 through March 31 23:59:59.999 -04:00. The range of a moment is its second.
 */
export function parseDateRange(text: string, zone: string): { ok: true; range: DateRange } | ParseError {
  const [, yearText, monthText] = MONTH.exec(text) ?? [];
  if (yearText) {
    const [year, month] = [Number(yearText), Number(monthText)];
    if (month < 1 || month > 12 || year < 1900 || year > 2200) {
      const reason = `${text.trim()} is not a month. Write a day such as 2026-03-08 or a month such as 2026-03.`;
      return { ok: false, reason };
    }
    const from = firstInstantAt(Date.UTC(year, month - 1), zone);
    return { ok: true, range: { from, through: firstInstantAt(Date.UTC(year, month), zone) - 1 } };
  }
  const [from, through] = [parseRangeStart(text, zone), parseRangeEnd(text, zone)];
  if (!from.ok) return from;
  return through.ok ? { ok: true, range: { from: from.at, through: through.at } } : through;
}

/** Reads IdSearch: digits are an id, anything else is a slug. */
export function parseIdOrSlug(text: string): { readonly id: number } | { readonly slug: string } | undefined {
  const name = text.trim();
  if (!name) return undefined;
  if (!/^\d+$/.test(name)) return { slug: name.toLowerCase() };
  const id = Number(name);
  return { id: id <= 2 ** 31 - 1 ? id : 0 };
}
