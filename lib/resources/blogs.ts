import { datetime, id, list, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** An article of an organization. */
export const Blog = resource(
  'Blog',
  () => ({
    Id: id(),
    Slug: text(200),
    OrganizationId: id(),
    UserId: id(),
    Title: text(500),
    // An article is longer than other texts; 100,000 characters leave room for the rest in an item of 400 KB.
    Content: text(100_000),
    Date: datetime(),
    Tags: list(text(100)),
    Summary: text(),
    ImageThumbUrl: text(2048),
    ImageFullUrl: text(2048),
  }),
  { carriesResult: true },
);
export type Blog = Output<typeof Blog>;
