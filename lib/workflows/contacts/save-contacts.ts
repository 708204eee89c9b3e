import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { Tag } from '../../entities/contact-entries.ts';
import type { Note } from '../../entities/contact-parts.ts';
import {
  type ContactInput,
  applyContactInput,
  applyNoteInputs,
  changedFields,
  findContradictions,
  hasMarketingInput,
  referenceErrors,
  resolveMarketing,
} from '../../domain/contacts/apply-input.ts';
import {
  MAX_TAGS,
  TAGS_FULL,
  contactSizeErrors,
  hasIdentifyingInfo,
  tagNameKey,
} from '../../domain/contacts/record.ts';
import { findDuplicates } from '../../domain/contacts/search.ts';
import { sharedMailbox } from '../../domain/contacts/same-person.ts';
import { applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import type { SettingKind, SettingValues } from '../../domain/settings.ts';
import { ownerError } from '../../domain/users.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type FieldError, type IndexedError, collectErrors } from '../../shared/failure.ts';
import { prefetchIds, randomHash, reserveIds } from '../../store/dynamodb/records.ts';
import { omit } from '../../shared/objects.ts';
import { fold } from '../../shared/text/text.ts';
import { callerOrganization, findOnlyOrganization } from '../../store/accounts/accounts.ts';
import {
  type ContactWrite,
  MAX_CHANGES,
  contactChanges,
  findGuard,
  listOlderNotes,
  newGuardRanges,
} from '../../store/contacts/contacts.ts';
import { tagChanges } from '../../store/contacts/tags.ts';
import { type Change, partChanges } from '../../store/dynamodb/changes.ts';
import { settingsOf } from '../../store/settings.ts';
import { placeContact } from './choose-organization.ts';
import {
  type ContactUpsert,
  type Lookup,
  type PlanContext,
  type UpsertContext,
  lookUp,
  tagNames,
} from './match-contacts.ts';

/**
 * Creates and changes contacts: finds the organization of each, applies its input, and plans the changes that store it.
 */

export interface UpsertedContacts {
  readonly records: readonly ContactRecord[];
  readonly changes: readonly Change[];
  /** Sentences about new contacts: why their organization was chosen, and who shares their e-mail. */
  readonly remarks: readonly string[];
}

/** The outcome for the contacts; `index` is the position of a contact among them. */
export type UpsertPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedError[] }
  | { readonly kind: 'ambiguous'; readonly index: number; readonly candidates: readonly ContactRecord[] }
  | { readonly kind: 'missing'; readonly index: number }
  | ({ readonly kind: 'ready' } & UpsertedContacts);

/** Whether several inputs refer to the same contact, as two rows of a file do if their contacts were merged. */
export const isOfOneContact = (plan: UpsertPlan): boolean =>
  plan.kind === 'invalid' && plan.errors.some(({ code, field }) => code === 'duplicate' && field === 'Id');

/**
 * The rules of contacts/addupdate for callers with errors of their own: web leads and imports. The changes are for one
 * transaction; an unchanged contact has none.
 */
export async function planUpserts(upserts: readonly ContactUpsert[], planContext: PlanContext): Promise<UpsertPlan> {
  const { store, now } = planContext;
  const [defaultOrganization, onlyOrganizationId] = await Promise.all([
    callerOrganization(store),
    findOnlyOrganization(store),
  ]);
  const context = { ...planContext, defaultOrganization, onlyOrganizationId };
  const unnamed = upserts.filter(({ input }) => !input.Id && !input.Hash).length;
  const [lookups] = await Promise.all([
    Promise.all(upserts.map((upsert) => lookUp(upsert, context))),
    prefetchIds(store, 'Contact', unnamed),
  ]);
  const missing = lookups.findIndex(({ matches }) => matches.isNamed && !matches.candidates.length);
  if (missing >= 0) return { kind: 'missing', index: missing };
  const ambiguous = lookups.findIndex(({ matches }) => matches.candidates.length > 1);
  if (ambiguous >= 0)
    return { kind: 'ambiguous', index: ambiguous, candidates: lookups[ambiguous]?.matches.candidates ?? [] };

  const newTags = await reserveTags(upserts, lookups, context);
  if (newTags === 'full')
    return {
      kind: 'invalid',
      errors: [{ index: firstNewTag(lookups), field: 'Tags', code: 'limit', message: TAGS_FULL }],
    };
  const prepared = await Promise.all(lookups.map((lookup) => prepareWrite(lookup, newTags.byName, context)));
  const writes = prepared.map(({ write }) => write);
  const errors = [
    ...prepared.flatMap(({ errors: own }, index) => own.map((error) => ({ ...error, index }))),
    ...findDuplicates(writes),
    ...contactSizeErrors(writes.map(({ after }) => after)),
  ];
  if (errors.length) return { kind: 'invalid', errors };

  const changed = writes.filter(({ before, after }) => !before || changedFields(before, after).length > 0);
  const changes = contactChanges(store, changed, { now, beside: newTags.changes });
  const { length } = partChanges(changes).transaction;
  if (length > MAX_CHANGES) {
    const field = newTags.changes.length ? 'Tags' : 'Notes';
    const count = `need ${length} changes with the contacts and new tags`;
    const message = `${count}, and one call makes at most ${MAX_CHANGES}; send some of them in another call`;
    return { kind: 'invalid', errors: [{ index: upserts.length - 1, field, code: 'limit', message }] };
  }
  return {
    kind: 'ready',
    records: writes.map(({ after }) => after),
    changes,
    remarks: prepared.flatMap(({ remarks }) => remarks.filter(Boolean)),
  };
}

/** Reserves the tags of all contacts together, so that a new name on several contacts becomes one tag. */
async function reserveTags(
  upserts: readonly ContactUpsert[],
  lookups: readonly Lookup[],
  { store }: PlanContext,
): Promise<{ byName: TagsByName; changes: readonly Change[] } | 'full'> {
  const known = new Map(lookups.flatMap(({ tags }) => [...tags]));
  const names = upserts.flatMap(({ input }) => tagNames(input));
  const result = await tagChanges(store, names, known);
  if (result.kind === 'full') return 'full';
  const { tags, changes } = result;
  return { byName: new Map(tags.map((tag) => [tagNameKey(tag.Name), tag])), changes };
}

/** The first contact that has a new tag. */
const firstNewTag = (lookups: readonly Lookup[]): number =>
  lookups.findIndex(({ upsert, tags }) => tagNames(upsert.input).some((name) => !tags.has(tagNameKey(name))));

interface PreparedWrite {
  readonly write: ContactWrite;
  readonly errors: readonly FieldError[];
  readonly remarks: readonly string[];
}

/** Places a contact in its organization, applies the input, and guards its new e-mail and phone. */
async function prepareWrite(lookup: Lookup, tagsByName: TagsByName, context: UpsertContext): Promise<PreparedWrite> {
  const { store, now } = context;
  const { input } = lookup.upsert;
  const [before] = lookup.matches.candidates;
  const { upsert, postalOwner } = lookup;
  const { organization, reason, errors } = await placeContact({ upsert, before, postalOwner }, context);
  const start = before ?? (await newContact(organization, context));
  const facts = { organization, postalOwner: lookup.postalOwner, at: now.getTime() };
  const merged = applyContactInput(start, input, facts);
  const source = before ? NO_SOURCE : await findLeadSource(merged.contact, input, context);
  const sourced = { ...merged.contact, ...source.fields };
  const listed = source === NO_SOURCE ? input : omit(input, 'Channel', 'ChannelId', 'Campaign', 'CampaignId');
  const complete = await applyListedFields(sourced, listed, { tagsByName, organization }, context);
  const after = complete.contact;
  const write = { before, after, guards: [] };
  const guards = newGuardRanges(store, write).map((range) =>
    findGuard(store, range, after.OrganizationId, lookup.matches.taken),
  );
  return {
    write: { ...write, guards: await Promise.all(guards) },
    errors: [
      ...errors,
      ...(before ? findContradictions(before, input) : []),
      ...merged.errors,
      ...referenceErrors(start, input, lookup.references),
      ...complete.errors,
      ...collectErrors(
        ['OwnerUserId', ownerError(after.OwnerUserId, start.OwnerUserId, lookup.users, organization.Id), 'not_found'],
        [
          'Email',
          !hasIdentifyingInfo(after) && 'or a name, phone, address or DigitalTrackingId is required',
          'required',
        ],
      ),
    ],
    remarks: [reason, source.remark, before ? '' : sharedMailbox(after, lookup.matches.sharing)],
  };
}

async function newContact(organization: OrganizationRecord, { store, now }: PlanContext): Promise<ContactRecord> {
  const [Id = 0] = await reserveIds(store, 'Contact', 1);
  const { Id: OrganizationId, LocationID } = organization;
  return contactEntity.blank({ Id, OrganizationId, LocationID, Hash: randomHash(), Created: now.getTime() });
}

type TagsByName = ReadonlyMap<string, Tag>;

/** The part of an input that depends on the account's lists or on older notes. */
interface ListedFields {
  readonly fields: Partial<ContactRecord>;
  readonly errors?: readonly FieldError[];
}

async function applyListedFields(
  contact: ContactRecord,
  input: ContactInput,
  { tagsByName, organization }: { readonly tagsByName: TagsByName; readonly organization: OrganizationRecord },
  context: PlanContext,
): Promise<{ contact: ContactRecord; errors: FieldError[] }> {
  const [marketing, taxRate, customFields, tags, notes] = await Promise.all([
    applyMarketing(contact, input, context),
    applyTaxRate(input, context),
    applyCustomFields(contact, input, organization, context),
    applyTags(contact, input, tagsByName),
    applyNotes(contact, input, context),
  ]);
  const parts = [marketing, taxRate, customFields, tags, notes];
  return {
    contact: {
      ...contact,
      ...marketing.fields,
      ...taxRate.fields,
      ...customFields.fields,
      ...tags.fields,
      ...notes.fields,
    },
    errors: parts.flatMap(({ errors = [] }) => errors),
  };
}

const listValues = <Kind extends SettingKind>(kind: Kind, { store }: PlanContext): Promise<SettingValues[Kind][]> =>
  settingsOf(store, kind);

async function applyMarketing(
  contact: ContactRecord,
  input: ContactInput,
  context: PlanContext,
): Promise<ListedFields> {
  if (!hasMarketingInput(contact, input)) return { fields: {} };
  const channels = await listValues('Channel', context);
  const result = resolveMarketing(contact, input, channels);
  if (!('error' in result)) return { fields: result.marketing };
  const { field, message } = result.error;
  if (!context.caller.isLenient || !context.remark) return { fields: {}, errors: [result.error] };
  const value = JSON.stringify(input[field as 'Channel' | 'ChannelId' | 'Campaign' | 'CampaignId']);
  context.remark(
    `Contact ${contact.Id} is stored without its ${field} ${value}, which ${message}.`.replace(/\?\.$/, '?'),
  );
  const left = field.startsWith('Channel')
    ? omit(input, 'Channel', 'ChannelId')
    : omit(input, 'Campaign', 'CampaignId');
  return applyMarketing(contact, left, context);
}

interface LeadSource {
  readonly fields: Partial<ContactRecord>;
  /** A sentence, or `''`. */
  readonly remark: string;
}

const NO_SOURCE: LeadSource = { fields: {}, remark: '' };

/**
 * Channel and campaign of the key, for a new contact without its own; entries that the account has removed are left
 * out.
 */
async function findLeadSource(contact: ContactRecord, input: ContactInput, context: PlanContext): Promise<LeadSource> {
  const { Channel = '', Campaign = '' } = context.caller.leadSource ?? {};
  const hasOwn = Boolean(input.Channel?.trim() || input.ChannelId || input.Campaign?.trim() || input.CampaignId);
  if (hasOwn || !(Channel || Campaign)) return NO_SOURCE;
  const channels = await listValues('Channel', context);
  const whole = resolveMarketing(contact, { Channel, Campaign }, channels);
  if (!('error' in whole)) return { fields: whole.marketing, remark: '' };
  const isCampaign = whole.error.field === 'Campaign';
  const part = isCampaign && Channel ? resolveMarketing(contact, { Channel }, channels) : whole;
  const [noun, name] = isCampaign ? ['campaign', Campaign] : ['channel', Channel];
  return {
    fields: 'error' in part ? {} : part.marketing,
    remark:
      `The ${noun} ${JSON.stringify(name)} of this key does not exist; ` +
      `contact ${contact.Id} is stored without it.`,
  };
}

async function applyTaxRate({ NamedTaxRate: input }: ContactInput, context: PlanContext): Promise<ListedFields> {
  if (input === undefined) return { fields: {} };
  if (input === null) return { fields: { NamedTaxRateId: null } };
  const isRequested = ({ Id, Name }: NamedTaxRate) =>
    input.Id ? Id === input.Id : fold(Name) === fold((input.Name ?? '').trim());
  const rate = (await listValues('NamedTaxRate', context)).find(isRequested);
  return rate
    ? { fields: { NamedTaxRateId: rate.Id } }
    : {
        fields: {},
        errors: [
          { field: 'NamedTaxRate', code: 'not_found', message: 'must have the Id or Name of an existing tax rate' },
        ],
      };
}

async function applyCustomFields(
  contact: ContactRecord,
  { CustomFields: inputs }: ContactInput,
  { Country }: OrganizationRecord,
  context: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const definitions = (await listValues('CustomField', context)).filter(({ TableType }) => TableType === 0);
  const { values, errors } = applyCustomFieldInputs(contact.CustomFields, inputs, definitions, Country);
  const refused = errors.filter((error) => !isLeftOut(error, context));
  for (const error of errors) if (!refused.includes(error)) context.remark?.(`Contact ${contact.Id}: ${error.remark}`);
  return { fields: { CustomFields: values }, errors: refused };
}

/** A value that does not fit its custom field never loses a lead; for a lenient key, neither does an unknown field. */
const isLeftOut = ({ code }: FieldError, { caller, remark }: PlanContext): boolean =>
  remark !== undefined && (code === 'format' || caller.isLenient === true);

function applyTags(contact: ContactRecord, input: ContactInput, tagsByName: TagsByName): ListedFields {
  const added = tagNames(input).flatMap((name) => tagsByName.get(tagNameKey(name)) ?? []);
  const Tags = [...new Map([...contact.Tags, ...added].map((tag) => [tag.Id, tag])).values()];
  const message = Tags.length > MAX_TAGS && `must be at most ${MAX_TAGS}, including those of the contact`;
  return { fields: { Tags }, errors: collectErrors(['Tags', message, 'limit']) };
}

async function applyNotes(
  contact: ContactRecord,
  { Notes: inputs }: ContactInput,
  { store }: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const hasUnknown = inputs.some(({ Id }) => Id && !contact.Notes.some((note) => note.Id === Id));
  const older = hasUnknown ? ((await listOlderNotes(store, [contact])).get(contact.Id) ?? []) : [];
  const { notes, added, errors } = applyNoteInputs(contact.Notes, older, inputs);
  const ids = added.length ? await reserveIds(store, 'Note', added.length) : [];
  return {
    fields: { Notes: [...notes, ...added.map((note, index): Note => ({ Id: ids[index] as number, ...note }))] },
    errors,
  };
}
