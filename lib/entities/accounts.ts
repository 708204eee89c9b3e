import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, id, json, moment, number, object, text } from './declaration/fields.ts';

const proposalSettings = {
  /** Days after its opening at which an unanswered proposal expires; 0 for never. */
  ExpireAfterDays: number(),
};
export type ProposalSettings = ObjectOf<typeof proposalSettings>;

/** A company or a franchise brand. Nothing crosses accounts. */
export const accountEntity = entity('Account', {
  AccountId: text({ required: true }),
  Name: text({ required: true }),
  CreatedAt: moment({ required: true }),
  /** Receives the leads that no organization owns. */
  DefaultOrganizationId: id({ absent: 1 }),
  /** The number of organizations. If there is only one, calls need not name it. */
  Organizations: number({ required: true }),
  /** The schema version of its items (migrations.ts); absent in accounts of the first one. */
  Schema: number({ optional: true }),
  /** Set while the account's keys are refused. */
  SuspendedAt: moment({ optional: true }),
  /** The secret that hashes business keys of erased persons; absent before the first erasure. */
  ErasureSecret: text({ optional: true, secret: true }),
  /**
   * Whether keys of an organization may not add contacts whose postal code another organization owns. Absent: true for
   * accounts with several organizations.
   */
  RefuseOwnedCodes: flag({ optional: true }),
  /** Absent if the company file sets none. */
  Proposals: object(proposalSettings, { optional: true }),
});
export type Account = RecordOf<typeof accountEntity>;

/** The newest id of a kind that the account has assigned. */
export const idLeaseEntity = entity('IdLease', { Last: number({ required: true }) });

/** The secret from which the links of an account are derived. */
export const linkSecretEntity = entity('LinkSecret', { Secret: text({ required: true, secret: true }) });

/** How many days an account keeps what it may remove by age. */
export const retentionEntity = entity('Retention', {
  Account: text({ required: true }),
  CallDays: number({ optional: true }),
  NoteDays: number({ optional: true }),
  FileDays: number({ optional: true }),
});
export type AccountRetention = RecordOf<typeof retentionEntity>;

/** The account that was processed last. */
export const retentionProgressEntity = entity('RetentionProgress', { Account: text({ optional: true }) });

/** An entry of a small list of an account; version 0 if it was stored before versions existed. */
export const settingEntity = entity('Setting', {
  Kind: text({ required: true }),
  Id: id(),
  V: number(),
  Value: json({ required: true }),
});
