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
  /** The service agent whose visits, their contacts and what is theirs are all that the key sees and changes. */
  AgentId: id({ nullable: true }),
  /** `contacts/locate`, `appointments/*`. */
  Allow: texts({
    resource: true,
    description: 'Operations and groups that the key may call; all of its role if none.',
  }),
  /** Whether the key may call only operations that read. */
  ReadOnly: flag({ resource: true }),
  /** What assistants may do with the key: read, or change what a person has confirmed. */
  Assistant: word(['read', 'write'], { resource: true }),
  /** `203.0.113.0/24`. */
  From: texts({ resource: true, description: 'Ranges of addresses where it may be used; any if none.' }),
  Subscriber: text({ required: true, resource: true }),
  DateStyle: word(['iso', 'us'], { resource: true }),
  /** Whether unknown fields and values are ignored with a remark, instead of refused. */
  Lenient: flag({ resource: true }),
  Channel: text({ resource: true, description: 'The channel of new contacts without one.' }),
  Campaign: text({ resource: true, description: 'The campaign of new contacts without one.' }),
  /** What events look like in datasubscriber/fetch: the documented shape, or with its fields at the top as well. */
  Feed: word(['standard', 'flat'], { resource: true }),
  /** Public part of the key that replaces it after a rotation; this one stays valid until ExpiresAt. */
  ReplacedBy: text({ optional: true }),
  /** Set while the account is suspended. */
  SuspendedAt: moment({ optional: true }),
};

/** An API key; its secret is stored nowhere. */
export const apiKeyEntity = entity('ApiKey', fields);
export type ApiKeyRecord = RecordOf<typeof apiKeyEntity>;

/** SHA-256 of the key's secret. */
export const keySecretEntity = entity('ApiKey', { SecretHash: bytes({ required: true, secret: true }) });

/** A key in the list of its account, without the hash of its secret. Its changes are events. */
export const keyEntryEntity = entity('Key', { Id: id({ resource: true }), ...fields, V: number() });
export type KeyEntry = RecordOf<typeof keyEntryEntity>;

export const KeyEventData = /* @__PURE__ */ resourceOf(keyEntryEntity, { title: 'KeyEventData' }, () => ({
  Assistant: contract.described(contract.text(), 'What assistants may do with it: read or write.'),
  DateStyle: contract.text(),
  Feed: contract.described(contract.text(), 'Shape of events in datasubscriber/fetch: standard or flat.'),
  ReplacedBy: contract.nullable(contract.text()),
}));

/** An entry of the list of keys that expire: from its time on, the office hears of it. */
export const keyNoticeEntity = entity('KeyNotice', {
  Account: text({ required: true }),
  Public: text({ required: true }),
});
