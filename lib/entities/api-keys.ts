import * as contract from '../resources/fields.ts';
import { rolesLeastFirst } from '../shared/roles.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { bytes, flag, id, moment, number, text, texts, word } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

export const DEFAULT_IN_FLIGHT = 25;

const fields = {
  Public: text({ max: 12, required: true, resource: true, description: 'The public part of the key.' }),
  Account: text({ required: true }),
  OrganizationId: id({ nullable: true, resource: true }),
  Name: text({ resource: true }),
  Role: word(rolesLeastFirst, { required: true, resource: true }),
  CreatedAt: moment({ required: true, resource: true, shownNullable: true }),
  ExpiresAt: moment({ nullable: true, resource: true }),
  RevokedAt: moment({ nullable: true, resource: true }),
  Rate: number({ required: true, resource: true, description: 'Calls a second.' }),
  Burst: number({ required: true, resource: true }),
  /** Calls that may run at the same time. */
  InFlight: number({ absent: DEFAULT_IN_FLIGHT }),
  /** The service agent whose visits, with their contacts and related records, are all that the key sees and changes. */
  AgentId: id({ nullable: true }),
  /** The user whose session this is: the key works only in the office. */
  UserId: id({ nullable: true }),
  /** `contacts/locate`, `appointments/*`. */
  Allow: texts({
    resource: true,
    description: 'Operations and groups that the key may call; all of its role if none.',
  }),
  /** Whether the key may call only operations that read. */
  ReadOnly: flag({ resource: true }),
  /** What assistants may do with the key: read, or make changes that a person has confirmed. */
  Assistant: word(['read', 'write'], { resource: true }),
  /** `203.0.113.0/24`. */
  From: texts({ resource: true, description: 'Ranges of addresses where it may be used; any if none.' }),
  Subscriber: text({ required: true, resource: true }),
  DateStyle: word(['iso', 'us'], { resource: true }),
  /** Whether unknown fields and values are ignored with a remark instead of being refused. */
  Lenient: flag({ resource: true }),
  Channel: text({ resource: true, description: 'The channel of new contacts without one.' }),
  Campaign: text({ resource: true, description: 'The campaign of new contacts without one.' }),
  /** The shape of events in datasubscriber/fetch: as documented, or with the fields at the top level as well. */
  Feed: word(['standard', 'flat'], { resource: true }),
  /** Public part of the key that replaced this one in a rotation; this one stays valid until ExpiresAt. */
  ReplacedBy: text({ optional: true }),
  /** Set while the account is suspended. */
  SuspendedAt: moment({ optional: true }),
};

/** An API key. Its secret is not stored. */
export const apiKeyEntity = entity('ApiKey', fields);
export type ApiKeyRecord = RecordOf<typeof apiKeyEntity>;

/** SHA-256 of the key's secret. */
export const keySecretEntity = entity('ApiKey', { SecretHash: bytes({ required: true, secret: true }) });

/** A key in its account's list, without the hash of its secret. Its changes are events. */
export const keyEntryEntity = entity('Key', { Id: id({ resource: true }), ...fields, V: number() });
export type KeyEntry = RecordOf<typeof keyEntryEntity>;

export const KeyEventData = /* @__PURE__ */ resourceOf(keyEntryEntity, { title: 'KeyEventData' }, () => ({
  Assistant: contract.described(contract.text(), 'What assistants may do with it: read or write.'),
  DateStyle: contract.text(),
  Feed: contract.described(contract.text(), 'Shape of events in datasubscriber/fetch: standard or flat.'),
  ReplacedBy: contract.nullable(contract.text()),
}));

/** An entry in the list of expiring keys: the office is notified from its time on. */
export const keyNoticeEntity = entity('KeyNotice', {
  Account: text({ required: true }),
  Public: text({ required: true }),
});
