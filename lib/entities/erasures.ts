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

/** The counts that an erasure keeps. */
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
  Messages: number(),
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
 * An erasure that is running or done. While it runs, it holds the contact as it was, which is needed to find what is
 * still to be removed.
 */
export const erasureEntity = entity('ContactErasure', {
  Id: id(),
  OrganizationId: id(),
  StartedAt: moment({ required: true }),
  FinishedAt: moment({ optional: true }),
  RemoveSigned: flag(),
  /** Whether the person is removed from texts of other records too. */
  RedactMentions: flag(),
  /** When the worker was last asked to continue it; absent if the tool does all the work. */
  HandedOverAt: moment({ optional: true }),
  /** When the worker first finished removing all that it found. */
  FirstPassAt: moment({ optional: true }),
  /** When it was reopened for the signed documents, without the person's data. */
  ReopenedAt: moment({ optional: true }),
  /** Absent once the erasure is done. */
  Contact: object(contactEntity.fields, { optional: true }),
  /** Former identities of the person that texts may mention. */
  Former: listOf(pick(contactEntity.fields, ...identityNames(contactEntity.fields), 'PhoneKey', 'AltPhoneKey'), {
    optional: true,
  }),
  /** Contacts of the same person that were merged into this one, directly or through others. */
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
  /** The visits that were still to come. */
  CanceledVisits: listOf(canceledVisit, { optional: true }),
  /** The versions that the erasure wrote; their events end the older ones. */
  Changes: opaque<Readonly<Record<string, true>>>(),
  ...optional(counts),
});
export type ErasureRecord = RecordOf<typeof erasureEntity>;
