import { type Output, moment, described, id, list, resource, text } from './fields.ts';

export const Blog = resource(
  'Blog',
  () => ({
    Id: id(),
    Slug: text(200),
    OrganizationId: id(),
    UserId: id(),
    Title: text(500),
    // 100,000 characters leave room for the other fields in an item of 400 KB.
    Content: text(100_000),
    Date: moment(),
    Tags: list(text(100)),
    Summary: text(),
    ImageThumbUrl: text(2048),
    ImageFullUrl: text(2048),
  }),
  { carriesResult: true },
);
export type Blog = Output<typeof Blog>;

export const searchFields = () => ({
  NameSearch: described(text(200), 'Words; each must start a word of the title. Case and accents are ignored.'),
  DateSearch: described(text(64), 'A day such as 2026-03-08, or a month such as 2026-03.'),
  IdSearch: described(text(200), 'The id or the slug.'),
});
