import { type RecordOf, entity } from './declaration/entity.ts';
import { id, moment, number, text, texts } from './declaration/fields.ts';

/** An article. */
export const blogEntity = entity('Blog', {
  Id: id({ resource: true }),
  Slug: text({ required: true, resource: true }),
  /** 0 if it belongs to the whole account. */
  OrganizationId: id({ absent: 0, resource: true }),
  UserId: id({ absent: 0, resource: true }),
  Title: text({ resource: true }),
  Content: text({ resource: true }),
  Date: moment({ required: true, resource: true }),
  Tags: texts({ resource: true }),
  Summary: text({ resource: true }),
  ImageThumbUrl: text({ resource: true }),
  ImageFullUrl: text({ resource: true }),
  V: number(),
});
export type BlogRecord = RecordOf<typeof blogEntity>;

/** An entry of the list of articles, which finds an article by title and time without reading its text. */
export const blogEntryEntity = entity('BlogEntry', {
  Id: id(),
  OrganizationId: id({ absent: 0 }),
  Title: text(),
  /** Bytes of the whole article. */
  Bytes: number(),
});
export type BlogEntry = RecordOf<typeof blogEntryEntity>;
