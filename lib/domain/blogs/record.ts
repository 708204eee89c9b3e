import type { Blog } from '../../resources/blogs.ts';
import { toUtc } from '../moments-out.ts';

/** An article as it is kept. `Date` in milliseconds since 1970; OrganizationId 0 for one of the whole account. */
export interface BlogRecord extends Omit<Blog, 'Date'> {
  readonly Date: number;
  readonly V: number;
}

/** The complete resource. */
export const blogOf = ({ V: _, Date: at, ...record }: BlogRecord): Blog => ({ ...record, Date: toUtc(at) });

/** Whether a key sees it: one of an organization sees its own articles and those of the whole account. */
export const isVisible = (blog: Pick<BlogRecord, 'OrganizationId'>, organizationId: number | null): boolean =>
  organizationId === null || blog.OrganizationId === 0 || blog.OrganizationId === organizationId;
