import { Blog } from '../../../lib/entities/blogs.ts';
import { requestedSlug, toSlug } from '../../../lib/domain/blogs.ts';
import { type Input, text } from '../../../lib/resources/fields.ts';
import { collectErrors } from '../../../lib/shared/failure.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { blogChanges, listBlogs, planBlogUpsert } from '../../../lib/store/organizations/blogs.ts';
import { type Directory, findAccountZone, formatMoment, loadDirectory } from './directory.ts';
import { entryFormat, extraField, fields } from './entry-format.ts';
import { sanitizeHtml } from '../../../lib/shared/web/sanitize-html.ts';
import { type PathError, type Section, type SectionGroup, importValid, toPathErrors } from './section.ts';

type BlogEntry = Input<typeof Blog> & { readonly Organization?: string | null; readonly Author?: string | null };

const format = entryFormat(
  Blog,
  {
    ...fields('title slug'),
    organization: extraField('Organization', text(200)),
    author: extraField('Author', text(254)),
    ...fields('date summary tags imageThumbUrl imageFullUrl content'),
  },
  { required: ['title'] },
);

const section: Section = {
  key: 'blogs',
  noun: 'article',
  format,
  identity: (entry) => requestedSlug(format.toInput(entry) as Parameters<typeof requestedSlug>[0]),
  async exportEntries(context) {
    const [blogs, directory, zone] = await Promise.all([
      listBlogs(context.store),
      loadDirectory(context),
      findAccountZone(context),
    ]);
    return blogs.map((blog) =>
      format.toEntry({
        ...blog,
        Date: formatMoment(blog.Date, zone),
        Slug: blog.Slug === toSlug(blog.Title) ? '' : blog.Slug,
        Organization: directory.organizationName(blog.OrganizationId),
        Author: directory.userEmail(blog.UserId),
      }),
    );
  },
};

/** The entry with ids in place of names. */
function resolveNames({ Organization, Author, ...article }: BlogEntry, directory: Directory) {
  const organization = Organization ? directory.findOrganization(Organization) : undefined;
  const author = Author ? directory.findUser(Author) : undefined;
  return {
    article: {
      ...omit(article, 'Id', 'OrganizationId', 'UserId'),
      ...(article.Content ? { Content: sanitizeHtml(article.Content) } : {}),
      ...(Organization === undefined ? {} : { OrganizationId: organization?.Id ?? 0 }),
      ...(Author === undefined ? {} : { UserId: author?.Id ?? 0 }),
    },
    errors: collectErrors(
      ['Organization', !!Organization && !organization && directory.unknownOrganization(Organization), 'not_found'],
      ['Author', !!Author && !author && directory.unknownUser(Author), 'not_found'],
    ),
  };
}

/** Articles planned at once. */
const MAX_ARTICLES = 100;

/** Articles, identified by their slugs. */
export const blogGroup: SectionGroup = {
  sections: [section],
  importEntries: (context, run) =>
    importValid(run, async (entries) => {
      const { store, now } = context;
      const blogs = entries.get(section.key) ?? [];
      if (!blogs.length) return [];
      const [directory, zone] = await Promise.all([loadDirectory(context), findAccountZone(context)]);
      const resolved = blogs.map((entry) => resolveNames(format.toInput(entry) as BlogEntry, directory));
      const errors: PathError[] = resolved.flatMap((each, index) =>
        toPathErrors([section.key, index], format, each.errors),
      );
      for (let first = 0; first < resolved.length; first += MAX_ARTICLES) {
        const articles = resolved.slice(first, first + MAX_ARTICLES).map(({ article }) => article);
        const plan = await planBlogUpsert(store, articles, { now, zone });
        if (plan.kind === 'invalid')
          for (const { index, ...error } of plan.errors)
            errors.push(...toPathErrors([section.key, first + index], format, [error]));
        else for (const changes of await blogChanges(store, plan.entries)) await store.table.commit(changes);
      }
      return errors;
    }),
};
