import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, json, moment, number, object, text } from './declaration/fields.ts';

const proposalSettings = {
  /** Days from its opening after which an unanswered proposal expires; 0 for never. */
  ExpireAfterDays: number(),
};
export type ProposalSettings = ObjectOf<typeof proposalSettings>;

/** One company or franchise brand. Nothing crosses accounts. */
export const accountEntity = entity('Account', {
  AccountId: text({ required: true }),
  Name: text({ required: true }),
  CreatedAt: moment({ required: true }),
  /** Gets the leads that no organization owns. */
  DefaultOrganizationId: id({ absent: 1 }),
  /** The number of organizations: with only one, a call need not name it. */
  Organizations: number({ required: true }),
  /** The form of its items (migrations.ts); absent in an account of the first one. */
  Schema: number({ optional: true }),
  /** Set while its keys are refused. */
  SuspendedAt: moment({ optional: true }),
  /** With which business keys of erased persons are hashed; absent before the first erasure. */
  ErasureSecret: text({ optional: true, secret: true }),
  /**
   * Whether a key of an organization may add no contact whose postal code another one owns; absent: in an account of
   * several.
   */
  RefuseOwnedCodes: flag({ optional: true }),
  /** Absent where the company file sets none. */
  Proposals: object(proposalSettings, { optional: true }),
});
export type Account = RecordOf<typeof accountEntity>;

/** The newest id of a kind that the account has given. */
export const idLeaseEntity = entity('IdLease', { Last: number({ required: true }) });

/** From which the links of an account follow. */
export const linkSecretEntity = entity('LinkSecret', { Secret: text({ required: true, secret: true }) });

/** For how many days an account keeps what it may remove by the clock. */
export const retentionEntity = entity('Retention', {
  Account: text({ required: true }),
  CallDays: number({ optional: true }),
  NoteDays: number({ optional: true }),
  FileDays: number({ optional: true }),
});
export type AccountRetention = RecordOf<typeof retentionEntity>;

/** The account whose turn was the last one. */
export const retentionProgressEntity = entity('RetentionProgress', { Account: text({ optional: true }) });

/** An entry of a small list of an account; in version 0 if it was stored before versions existed. */
export const settingEntity = entity('Setting', {
  Kind: text({ required: true }),
  Id: id(),
  V: number(),
  Value: json({ required: true }),
});
