import type { StoredNote, Note } from '../../entities/contact-parts.ts';
import { type ContactRecord, contactEntity, type Contact } from '../../entities/contacts.ts';
import { secretNames } from '../../entities/declaration/marks.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type Input, applyText, applyValue } from '../../resources/fields.ts';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import { type FieldCheck, type FieldError, collectErrors } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { fold, isEmail, normalizeEmail } from '../../shared/text/text.ts';
import { type PostalOwner, postalClass } from '../postal-ownership.ts';
import { flagFields, referenceFields, textFields } from './record.ts';

/** Applies a caller's input to a contact: its fields, references, notes and marketing, with every error. */

export type ContactInput = Input<typeof Contact>;

/** What applying an input requires besides the contact. */
export interface ContactFacts {
  readonly organization: OrganizationRecord;
  /**
   * The owner and classes of the input's postal code; `null` if it has none, `undefined` if the input has no postal
   * code.
   */
  readonly postalOwner: PostalOwner | null | undefined;
  /** The moment of the change, in milliseconds since 1970. */
  readonly at: number;
}

const COUNTRY = /^[A-Za-z]{2}$/;
/** Chosen from the account's lists by resolveMarketing. */
const LISTED: readonly string[] = ['Channel', 'Campaign'];
/** Responses leave these empty unless asked for them, so an empty text changes nothing; only `null` clears them. */
const CONCEALED: readonly string[] = secretNames(contactEntity.fields);

function applyPlainFields(contact: ContactRecord, input: ContactInput): ContactRecord {
  const fields: Record<string, unknown> = {};
  for (const name of textFields)
    if (!LISTED.includes(name) && !(input[name] === '' && CONCEALED.includes(name)))
      fields[name] = applyText(input[name], contact[name]);
  for (const name of flagFields) fields[name] = applyValue(input[name], contact[name], false);
  for (const name of referenceFields) fields[name] = applyValue(input[name], contact[name], null);
  return { ...contact, ...fields };
}

/**
 * The territory of a contact without an accounting class: as typed, unless it comes from the class that the contact
 * leaves.
 */
const typedTerritory = ({ AccountingClass }: ContactRecord, { TerritoryID }: ContactRecord): string =>
  AccountingClass?.TerritoryID === TerritoryID ? '' : TerritoryID;

/**
 * The phones of a contact as searches compare them, `null` if it is not a number. Phones without a calling code belong
 * to the contact's country if that is an ISO 3166 code, else to the organization's.
 */
export function phoneKeys(
  { Phone, AltPhone, Country }: Pick<ContactRecord, 'Phone' | 'AltPhone' | 'Country'>,
  organization: Pick<OrganizationRecord, 'Country'>,
): { phone: string | null; altPhone: string | null } {
  const country = COUNTRY.test(Country) ? Country.toUpperCase() : organization.Country;
  const keyOf = (text: string) => (text ? normalizePhone(text, country) : '');
  return { phone: keyOf(Phone), altPhone: keyOf(AltPhone) };
}

/**
 * Applies an input to a contact. The postal code decides AccountingClass, and TerritoryID if the class has one. Tags,
 * notes, custom fields, tax rate and marketing need other records and are applied separately.
 */
export function applyContactInput(
  contact: ContactRecord,
  input: ContactInput,
  { organization, postalOwner, at }: ContactFacts,
): { contact: ContactRecord; errors: FieldError[] } {
  const merged = applyPlainFields(contact, input);
  const { phone, altPhone } = phoneKeys(merged, organization);
  const postal = postalClass(postalOwner, merged.OrganizationId);
  return {
    contact: {
      ...merged,
      PhoneKey: phone ?? '',
      AltPhoneKey: altPhone ?? '',
      // A new address has no problem yet.
      ...(normalizeEmail(merged.Email) === normalizeEmail(contact.Email) || input.EmailProblem
        ? {}
        : { EmailProblem: '' }),
      ...(postalOwner === undefined
        ? {}
        : { AccountingClass: postal, TerritoryID: postal?.TerritoryID || typedTerritory(contact, merged) }),
      ...(merged.IsCustomer && contact.CustomerSince === undefined ? { CustomerSince: at } : {}),
    },
    errors: collectErrors(
      ['Email', merged.Email && !isEmail(merged.Email) && 'must be an e-mail address', 'format'],
      ['Phone', phone === null && 'must be a phone number', 'format'],
      ['AltPhone', altPhone === null && 'must be a phone number', 'format'],
      [
        'PmtOnFileLast4',
        merged.PmtOnFileLast4 && !/^\d{4}$/.test(merged.PmtOnFileLast4) && 'must be 4 digits',
        'format',
      ],
    ),
  };
}

/** The fields of an input that contradict its contact, whose Hash and organization never change. */
export const findContradictions = (contact: ContactRecord, { Hash, OrganizationId }: ContactInput): FieldError[] =>
  collectErrors(
    ['Hash', Boolean(Hash) && Hash !== contact.Hash && `is not the Hash of contact ${contact.Id}`, 'mismatch'],
    [
      'OrganizationId',
      Boolean(OrganizationId) &&
        OrganizationId !== contact.OrganizationId &&
        `must be ${contact.OrganizationId}, the organization of contact ${contact.Id}`,
      'mismatch',
    ],
  );

/** The names of the fields that differ between two states of a contact, except V and Updated. */
export function changedFields(before: ContactRecord, after: ContactRecord): string[] {
  const names = Object.keys(after) as (keyof ContactRecord)[];
  return names.filter((name) => name !== 'V' && name !== 'Updated' && !isEqual(before[name], after[name]));
}

/** The contacts that an input refers to, if they exist for the caller. */
export interface ReferencedContacts {
  readonly ids: ReadonlySet<number>;
  /** Hash → id. */
  readonly hashes: ReadonlyMap<string, number>;
}

/**
 * Errors of references to referring and managing contacts. A reference that the contact already has is valid, even if
 * the caller may not see that contact.
 */
export function referenceErrors(
  contact: ContactRecord,
  input: ContactInput,
  { ids, hashes }: ReferencedContacts,
): FieldError[] {
  const check = (field: string, id: number | undefined, key: 'Id' | 'Hash'): FieldCheck =>
    id === undefined
      ? [field, `must be the ${key} of an existing contact`, 'not_found']
      : [field, id === contact.Id && 'must be another contact', 'mismatch'];
  const checkId = (field: 'ReferredByContactId' | 'ManagedByContactId'): FieldCheck[] => {
    const id = input[field];
    return id && id !== contact[field] ? [check(field, ids.has(id) ? id : undefined, 'Id')] : [];
  };
  const checkHash = (): FieldCheck[] => {
    const field = 'ReferredByHash';
    const hash = input[field]?.trim();
    if (!hash || hash === contact[field]) return [];
    const id = hashes.get(hash);
    return id !== undefined && input.ReferredByContactId && input.ReferredByContactId !== id
      ? [[field, `is not the Hash of contact ${input.ReferredByContactId}`, 'mismatch']]
      : [check(field, id, 'Hash')];
  };
  return collectErrors(...checkId('ReferredByContactId'), ...checkId('ManagedByContactId'), ...checkHash());
}

type NoteInput = NonNullable<ContactInput['Notes']>[number];
type NewNote = Pick<Note, 'Title' | 'Body'>;

const blankNote: NewNote = { Title: '', Body: '' };

/**
 * Applies the notes of an input: one with an Id changes that note; the others are added, still without ids.
 * `olderNotes` are those on pages outside the contact's item; they may only be sent back unchanged.
 */
export function applyNoteInputs(
  notes: readonly StoredNote[],
  olderNotes: readonly Note[],
  inputs: readonly NoteInput[],
): { notes: StoredNote[]; added: NewNote[]; errors: FieldError[] } {
  const merged = new Map(notes.map((note) => [note.Id, note]));
  const older = new Map(olderNotes.map((note) => [note.Id, note]));
  const added: NewNote[] = [];
  const errors: FieldError[] = [];
  for (const [index, { Id, ...input }] of inputs.entries()) {
    const before = Id ? (merged.get(Id) ?? older.get(Id)) : blankNote;
    const fail = (field: string, code: FieldErrorCode, message: string) =>
      errors.push({ field: `Notes[${index}]${field}`, code, message });
    if (!before) {
      fail('.Id', 'not_found', 'must be the Id of a note of this contact, or absent for a new note');
      continue;
    }
    const after = { Title: applyText(input.Title, before.Title), Body: applyText(input.Body, before.Body) };
    if (!after.Title && !after.Body) fail('.Body', 'required', 'is required, or Title');
    else if (!Id) added.push(after);
    else if (merged.has(Id)) merged.set(Id, { ...merged.get(Id), Id, ...after });
    else if (after.Title !== before.Title || after.Body !== before.Body)
      fail('', 'fixed', 'is too old to change; add another note');
  }
  return { notes: [...merged.values()], added, errors };
}

interface Choice {
  readonly Id: number;
  readonly Name: string;
}
/** A marketing channel with its campaigns, reduced to what a contact needs. */
interface ChannelChoice extends Choice {
  readonly Campaigns: readonly Choice[];
}

type Marketing = Pick<ContactRecord, 'Channel' | 'ChannelId' | 'Campaign' | 'CampaignId'>;

/** The entry with an id and a name, which must agree if both are given; `null` if neither is. */
function findChoice<Entry extends Choice>(
  entries: readonly Entry[],
  { id, name }: { id?: number | null | undefined; name?: string | null | undefined },
  noun: 'Channel' | 'Campaign',
): { entry: Entry | null } | { error: FieldError } {
  const byName = name ? entries.find((entry) => fold(entry.Name) === fold(name.trim())) : undefined;
  const byId = id ? entries.find((entry) => entry.Id === id) : undefined;
  const existing = `an existing ${noun.toLowerCase()}`;
  if (name && !byName) {
    const hint = didYouMean(
      name,
      entries.map(({ Name }) => Name),
    );
    return {
      error: { field: noun, code: 'not_found', message: `must be the name of ${existing}${hint && `. ${hint}`}` },
    };
  }
  if (id && !byId)
    return { error: { field: `${noun}Id`, code: 'not_found', message: `must be the Id of ${existing}` } };
  if (byName && byId && byName.Id !== byId.Id)
    return {
      error: {
        field: noun,
        code: 'mismatch',
        message: `is not the name of ${noun}Id ${byId.Id}, which is ${byId.Name}`,
      },
    };
  return { entry: byId ?? byName ?? null };
}

/**
 * Whether an input changes the channel or campaign. Current values may be sent back, even if the list has changed
 * since.
 */
export const hasMarketingInput = (contact: Marketing, input: ContactInput): boolean =>
  (['Channel', 'Campaign'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? '').trim() !== contact[field],
  ) ||
  (['ChannelId', 'CampaignId'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? 0) !== contact[field],
  );

/**
 * Channel and campaign of a contact after an input: id and name must agree, and the campaign must belong to the
 * channel. Without a campaign in the input, the campaign stays as long as the channel does.
 */
export function resolveMarketing(
  contact: Marketing,
  input: ContactInput,
  channels: readonly ChannelChoice[],
): { marketing: Marketing } | { error: FieldError } {
  const hasChannel = input.Channel !== undefined || input.ChannelId !== undefined;
  const channel = findChoice(
    channels,
    hasChannel ? { id: input.ChannelId, name: input.Channel } : { id: contact.ChannelId },
    'Channel',
  );
  if ('error' in channel) return channel;
  const { Campaign, CampaignId } = contact;
  if (channel.entry?.Id === contact.ChannelId && input.Campaign === undefined && input.CampaignId === undefined)
    return { marketing: { Channel: channel.entry.Name, ChannelId: channel.entry.Id, Campaign, CampaignId } };
  const campaigns = (channel.entry ? [channel.entry] : channels).flatMap(({ Campaigns }) => Campaigns);
  const campaign = findChoice(campaigns, { id: input.CampaignId, name: input.Campaign }, 'Campaign');
  if ('error' in campaign) return campaign;
  const owner =
    channel.entry ?? channels.find(({ Campaigns }) => Campaigns.some(({ Id }) => Id === campaign.entry?.Id));
  return {
    marketing: {
      Channel: owner?.Name ?? '',
      ChannelId: owner?.Id ?? 0,
      Campaign: campaign.entry?.Name ?? '',
      CampaignId: campaign.entry?.Id ?? 0,
    },
  };
}
