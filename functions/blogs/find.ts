import { Blog } from '../../lib/entities/blogs.ts';
import { operation } from '../../lib/api/operation.ts';
import { blogToResource, parseDateRange, parseIdOrSlug } from '../../lib/domain/blogs.ts';
import { searchFields } from '../../lib/resources/blogs.ts';
import { many } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { matchesWords, splitWords } from '../../lib/shared/text/text.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { findBlog, searchBlogs } from '../../lib/store/organizations/blogs.ts';

export const find = operation({
  title: 'Search articles',
  summary: 'Finds the articles that meet every criterion, newest first; without criteria, the newest.',
  rules: [
    'At most 100 articles and 1 MB are returned; Message says if older ones were left out.',
    'Days and months are in the time zone of the organization.',
    'A key of an organization sees its articles and those of the whole account (OrganizationId 0).',
    'Content is sanitized HTML.',
  ],
  access: 'read',
  request: searchFields,
  response: () => ({ Matches: many(Blog) }),
  example: { NameSearch: 'spring lawn' },
  async run({ NameSearch, DateSearch, IdSearch }, { store }) {
    const parsed = DateSearch?.trim()
      ? parseDateRange(DateSearch, (await callerOrganization(store)).Timezone)
      : undefined;
    if (parsed && !parsed.ok)
      throw invalid({ field: 'DateSearch', code: 'format', message: `cannot be read: ${parsed.reason}` });
    const words = splitWords(NameSearch ?? '');
    if (NameSearch?.trim() && !words.length)
      throw invalid({ field: 'NameSearch', code: 'required', message: 'must hold a word' });
    const range = parsed?.range;
    const name = parseIdOrSlug(IdSearch ?? '');
    if (name) {
      const blog = await findBlog(store, name);
      const isInRange = (at: number) => !range || (at >= range.from && at <= range.through);
      const isMatch = blog && matchesWords(words, splitWords(blog.Title)) && isInRange(blog.Date);
      return { Matches: isMatch ? [blogToResource(blog)] : [] };
    }
    const { blogs, omitted } = await searchBlogs(store, { words, range });
    const Message = omitted
      ? `The newest ${blogs.length}; ${omitted} older ones match. Narrow DateSearch to find them.`
      : '';
    return { Matches: blogs.map(blogToResource), Message };
  },
});
