import type { Output } from '../resources/fields.ts';
import { entity } from './declaration/entity.ts';
import { bytes, id, moment, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** What leads to contacts: entries of searches, and tags. */

/** A search entry of a contact; those of e-mails and phones that earlier versions stored have no organization. */
export const searchEntryEntity = entity('SearchEntry', { Id: id(), At: moment(), O: id({ optional: true }) });

/** The keys and contacts of search entries that a call put before its transaction: JSON, compressed. */
export const pendingEntriesEntity = entity('PendingEntries', { Entries: bytes({ required: true }) });

/** A word for contacts, by its name. */
export const tagEntity = entity('Tag', {
  Id: id({ resource: true }),
  Name: text({ max: 100, required: true, resource: true }),
});

/** Its name is unique in the account; case is ignored. */
export const Tag = /* @__PURE__ */ resourceOf(tagEntity);
export type Tag = Output<typeof Tag>;
