import type { Output } from '../resources/fields.ts';
import { entity } from './declaration/entity.ts';
import { bytes, id, moment, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** Items that lead to contacts: search entries, and tags. */

/** A search entry of a contact. E-mail and phone entries stored by earlier versions have no organization. */
export const searchEntryEntity = entity('SearchEntry', { Id: id(), At: moment(), O: id({ optional: true }) });

/** The keys and contacts of search entries that a call writes before its transaction: compressed JSON. */
export const pendingEntriesEntity = entity('PendingEntries', { Entries: bytes({ required: true }) });

/** A tag for contacts, by name. */
export const tagEntity = entity('Tag', {
  Id: id({ resource: true }),
  Name: text({ max: 100, required: true, resource: true }),
});

/** Names are unique in the account, ignoring case. */
export const Tag = /* @__PURE__ */ resourceOf(tagEntity);
export type Tag = Output<typeof Tag>;
