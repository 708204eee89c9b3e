import { operation } from '../../lib/api/operation.ts';
import { blogToResource, parseIdOrSlug, parseDateRange } from '../../lib/domain/blogs.ts';
import { Blog, searchFields } from '../../lib/resources/blogs.ts';
import { many } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { matchesWords, splitWords } from '../../lib/shared/text.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { findBlog, searchBlogs } from '../../lib/store/blogs.ts';

export const find = operation({
  name: 'blogs/find',
  summary: 'The articles that meet every criterion given, newest first; without any, the newest.',
  description:
    'At most 100 articles, and 4 MB of them; Message says when there are more. Days and months are those of the organization. A key of an organization sees ' +
    'its articles and those of the whole account (OrganizationId 0). Content is HTML that was made harmless before it was stored.',
  access: 'read',
  needs: ['table:read'],
  request: searchFields,
  response: () => ({ Matches: many(Blog) }),
  failures: ['invalid'],
  example: { NameSearch: 'spring lawn' },
  async run({ NameSearch, DateSearch, IdSearch }, { caller, table, now }) {
    const dated = DateSearch?.trim()
      ? parseDateRange(DateSearch, (await callerOrganization(table, caller, now)).Timezone)
      : undefined;
    if (dated && !dated.ok) throw invalid({ field: 'DateSearch', message: `is not understood: ${dated.reason}` });
    const words = splitWords(NameSearch ?? '');
    if (NameSearch?.trim() && !words.length) throw invalid({ field: 'NameSearch', message: 'must hold a word' });
    const stretch = dated?.stretch;
    const name = parseIdOrSlug(IdSearch ?? '');
    if (name) {
      const blog = await findBlog(table, caller, name);
      const met =
        blog &&
        matchesWords(words, splitWords(blog.Title)) &&
        (!stretch || (blog.Date >= stretch.from && blog.Date <= stretch.through));
      return { Matches: met ? [blogToResource(blog)] : [] };
    }
    const { blogs, left } = await searchBlogs(table, caller, { words, stretch });
    const Message = left ? `These are the newest ${blogs.length}; ${left} more are older. DateSearch finds them.` : '';
    return { Matches: blogs.map(blogToResource), Message };
  },
});
