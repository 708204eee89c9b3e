import type { ObjectOf } from './declaration/field.ts';
import { pick } from '../shared/objects.ts';
import { contactEntity } from './contacts.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  flag,
  id,
  listOf,
  moment,
  number,
  numbers,
  object,
  opaque,
  optional,
  text,
  word,
} from './declaration/fields.ts';
import { identityNames } from './declaration/marks.ts';

/** What an erasure counts. */
const counts = {
  SearchEntries: number(),
  NotePages: number(),
  Calls: number(),
  Tasks: number(),
  Appointments: number(),
  Proposals: number(),
  SignedProposals: number(),
  Invoices: number(),
  Payments: number(),
  Links: number(),
  Files: number(),
  Callbacks: number(),
  Downloads: number(),
  SavedResponses: number(),
  Events: number(),
  ParkedRecords: number(),
};
export type ErasureCount = keyof typeof counts;

/** A visit that an erasure canceled; `null` if it had no time. */
const canceledVisit = { Id: id(), Start: moment({ nullable: true }) };
export type CanceledVisit = ObjectOf<typeof canceledVisit>;

/**
 * An erasure under way or done. While it is under way it holds the contact as it was: what is still to be removed is
 * found by it.
 */
export const erasureEntity = entity('ContactErasure', {
  Id: id(),
  OrganizationId: id(),
  StartedAt: moment({ required: true }),
  FinishedAt: moment({ optional: true }),
  RemoveSigned: flag(),
  /** Removes the person from texts of other records too. */
  RedactMentions: flag(),
  /** When the worker was last asked to go on with it; absent where the tool does all of it. */
  HandedOverAt: moment({ optional: true }),
  /** When the worker had removed all that it found for the first time. */
  FirstPassAt: moment({ optional: true }),
  /** When it was begun again for the signed documents, without knowing the person any more. */
  ReopenedAt: moment({ optional: true }),
  /** Absent once it is done. */
  Contact: object(contactEntity.fields, { optional: true }),
  /** How texts may name the person besides. */
  Former: listOf(pick(contactEntity.fields, ...identityNames(contactEntity.fields), 'PhoneKey', 'AltPhoneKey'), {
    optional: true,
  }),
  /** Contacts that were merged into this one, directly or through others: the same person. */
  Merged: numbers({ optional: true }),
  /** Other records that mention the person, or did. */
  Mentions: listOf(
    {
      Kind: word(['Contact', 'Call', 'Task', 'Appointment', 'Proposal', 'Invoice', 'Payment', 'Upload'], {
        required: true,
      }),
      Id: id(),
      Field: text(),
    },
    { optional: true },
  ),
  /** The visits that were still ahead. */
  CanceledVisits: listOf(canceledVisit, { optional: true }),
  /** The versions that the erasure wrote, whose events end the old ones. */
  Changes: opaque<Readonly<Record<string, true>>>(),
  ...optional(counts),
});
export type ErasureRecord = RecordOf<typeof erasureEntity>;
