import { requestedSlug, toSlug } from '../../../lib/domain/blogs.ts';
import { Blog } from '../../../lib/resources/blogs.ts';
import { text } from '../../../lib/resources/fields.ts';
import type { Input } from '../../../lib/resources/resource.ts';
import { listBlogs, blogChanges, planBlogUpsert } from '../../../lib/store/blogs.ts';
import { sanitizeHtml } from './sanitize-html.ts';
import type { Section, SectionFault, Stage, Target } from './section.ts';
import { type FileValue, form, own } from './form.ts';
import { momentText, readPeople, zoneOfHome } from './people.ts';

type BlogEntry = Input<typeof Blog> & { readonly Organization?: string | null; readonly Author?: string | null };

const blogForm = form(
  Blog,
  {
    title: 'Title',
    slug: 'Slug',
    organization: own('Organization', text(200)),
    author: own('Author', text(254)),
    date: 'Date',
    summary: 'Summary',
    tags: 'Tags',
    imageThumbUrl: 'ImageThumbUrl',
    imageFullUrl: 'ImageFullUrl',
    content: 'Content',
  },
  { needs: ['title'] },
);

async function show(target: Target): Promise<FileValue[]> {
  const { table, account } = target;
  const [blogs, people, zone] = await Promise.all([listBlogs(table, account), readPeople(target), zoneOfHome(target)]);
  return blogs.map((blog) =>
    blogForm.write({
      ...blog,
      Date: momentText(blog.Date, zone),
      Slug: blog.Slug === toSlug(blog.Title) ? '' : blog.Slug,
      Organization: people.organizationName(blog.OrganizationId),
      Author: people.userEmail(blog.UserId),
    }),
  );
}

const section: Section = {
  key: 'blogs',
  noun: 'article',
  keyField: 'title',
  entry: blogForm.schema,
  identity: (entry) => requestedSlug(blogForm.read(entry) as Parameters<typeof requestedSlug>[0]),
  show,
};

/** Articles planned in one go. */
const AT_ONCE = 100;

/** Articles, known by their slugs. */
export const blogStage: Stage = {
  sections: [section],
  async bring(target, entries) {
    const { table, account, now } = target;
    const errors: SectionFault[] = [];
    const input = entries.get(section.key) ?? [];
    if (!input.length) return [];
    const [people, zone] = await Promise.all([readPeople(target), zoneOfHome(target)]);
    const inputs = input.map((entry, index) => {
      const {
        Organization,
        Author,
        Id: _,
        OrganizationId: __,
        UserId: ___,
        ...article
      } = blogForm.read(entry) as BlogEntry;
      const organization = Organization ? people.organization(Organization)?.Id : undefined;
      const author = Author ? people.user(Author)?.Id : undefined;
      if (Organization && !organization)
        errors.push({
          path: [section.key, index, 'organization'],
          message: `names no organization there is: ${Organization}`,
        });
      if (Author && !author)
        errors.push({ path: [section.key, index, 'author'], message: `names no user there is: ${Author}` });
      return {
        ...article,
        ...(article.Content ? { Content: sanitizeHtml(article.Content) } : {}),
        ...(Organization === undefined ? {} : { OrganizationId: organization ?? 0 }),
        ...(Author === undefined ? {} : { UserId: author ?? 0 }),
      };
    });
    for (let at = 0; at < inputs.length; at += AT_ONCE) {
      const plan = await planBlogUpsert(table, account, inputs.slice(at, at + AT_ONCE), { now, zone });
      if (plan.kind === 'invalid')
        errors.push(
          ...plan.errors.map(({ index, field, message }) => ({
            path: [section.key, at + index, ...blogForm.place(field)],
            message,
          })),
        );
      else for (const changes of await blogChanges(table, account, plan.entries)) await table.commit(changes);
    }
    return errors;
  },
};
