import { Blog } from '../../lib/entities/blogs.ts';
import { operation } from '../../lib/api/operation.ts';
import { blogToResource, parseIdOrSlug } from '../../lib/domain/blogs.ts';
import { searchFields } from '../../lib/resources/blogs.ts';
import { many, required } from '../../lib/resources/fields.ts';
import { invalid, notFound } from '../../lib/shared/failure.ts';
import { findBlog, findBlogLike } from '../../lib/store/organizations/blogs.ts';

export const get = operation({
  title: 'Get an article',
  summary: 'Returns one article, by its id or its slug in IdSearch; the other search fields are ignored.',
  access: 'read',
  request: () => ({ ...searchFields(), IdSearch: required(searchFields().IdSearch) }),
  ignores: () => ['NameSearch', 'DateSearch'],
  response: () => ({ Matches: many(Blog) }),
  failures: ['notFound'],
  example: { IdSearch: '1' },
  async run({ IdSearch }, { store }) {
    const name = parseIdOrSlug(IdSearch);
    if (!name) throw invalid({ field: 'IdSearch', code: 'required', message: 'is required' });
    const blog = await findBlog(store, name);
    if (blog) return { Matches: [blog].map(blogToResource) };
    const near = 'slug' in name ? await findBlogLike(store, name.slug) : undefined;
    const advice = near ? `Did you mean ${JSON.stringify(near.Slug)}?` : 'blogs/find lists them.';
    throw notFound('article', 'IdSearch', IdSearch.trim(), { advice });
  },
});
