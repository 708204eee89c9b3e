import type { Output } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { id, moment, number, text, texts } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** An article. */
export const blogEntity = entity('Blog', {
  Id: id({ resource: true }),
  Slug: text({ max: 200, required: true, resource: true }),
  /** 0 if it belongs to the whole account. */
  OrganizationId: id({ absent: 0, resource: true }),
  UserId: id({ absent: 0, resource: true }),
  Title: text({ max: 500, resource: true }),
  // 100,000 characters leave room for the other fields in an item of 400 KB.
  Content: text({ max: 100_000, resource: true }),
  Date: moment({ required: true, resource: true }),
  Tags: texts({ max: 100, resource: true }),
  Summary: text({ resource: true }),
  ImageThumbUrl: text({ max: 2048, resource: true }),
  ImageFullUrl: text({ max: 2048, resource: true }),
  V: number(),
});
export type BlogRecord = RecordOf<typeof blogEntity>;

export const Blog = /* @__PURE__ */ resourceOf(blogEntity, { carriesResult: true });
export type Blog = Output<typeof Blog>;

/** An entry in the list of articles, which finds articles by title and time without reading their text. */
export const blogEntryEntity = entity('BlogEntry', {
  Id: id(),
  OrganizationId: id({ absent: 0 }),
  Title: text(),
  /** Size of the whole article in bytes. */
  Bytes: number(),
});
export type BlogEntry = RecordOf<typeof blogEntryEntity>;
