import type { StoredNote } from '../../entities/contact-parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ContactMerge, TakenFields } from '../../entities/merges.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { fold, normalizeEmail } from '../../shared/text/text.ts';
import { mergedContactsOf } from './merged-states.ts';
import { MAX_TAGS } from './record.ts';

/**
 * Merges two contacts: one stays and takes what it lacks, the other stands for it from then on. Also undoes a merge.
 */

type Names = readonly (keyof ContactRecord)[];

/** Fields that belong together: the remaining contact takes all of them if it has none. */
interface FieldGroup {
  readonly names: Names;
  /** The label before the other contact's values in the note; absent if no note shows them. */
  readonly label?: string;
  /** Fields of the group that the note does not show. */
  readonly silent?: Names;
}

const single = (name: keyof ContactRecord, label: string): FieldGroup => ({ names: [name], label });

/** An address, and the fields that follow from its postal code. */
export const ADDRESS_FIELDS = ['Address1', 'Address2', 'City', 'State', 'Zip', 'Country', 'TerritoryID'] as const;

const groups: readonly FieldGroup[] = [
  single('Name', 'Name'),
  single('Nickname', 'Nickname'),
  single('Company', 'Company'),
  { names: ['Email', 'EmailProblem'], label: 'E-mail', silent: ['EmailProblem'] },
  { names: [...ADDRESS_FIELDS, 'AccountingClass'], label: 'Address', silent: ['TerritoryID', 'AccountingClass'] },
  { names: ['Channel', 'ChannelId', 'Campaign', 'CampaignId'], label: 'Channel', silent: ['ChannelId', 'CampaignId'] },
  single('Language', 'Language'),
  single('LeadSource', 'Lead source'),
  single('Category', 'Category'),
  { names: ['UtmMedium', 'UtmSource', 'UtmCampaign'], label: 'UTM' },
  single('DigitalTrackingId', 'Tracking id'),
  single('AutoOfferCode', 'Offer code'),
  single('FlashMessage', 'Flash message'),
  { names: ['ReferredByContactId', 'ReferredByHash'], label: 'Referred by contact', silent: ['ReferredByHash'] },
  single('ManagedByContactId', 'Managed by contact'),
  single('OwnerUserId', 'Owner (user)'),
  single('NamedTaxRateId', 'Tax rate'),
  { names: ['PmtOnFileKind', 'PmtOnFileLast4', 'PmtOnFileExpDate', 'PmtOnFileCustomer', 'PmtOnFileSavedAt'] },
];

/** A refusal of messages on either contact holds for the merged one, and no undo takes it back. */
export const refusals = ['Unsubscribed', 'DoNotText', 'DoNotEmail'] as const;

/** Combines the refusals of several contacts, for each of them. */
const refusedBy = (...contacts: readonly ContactRecord[]): Partial<ContactRecord> =>
  Object.fromEntries(refusals.filter((name) => contacts.some((each) => each[name])).map((name) => [name, true]));

/** Links revoked while two contacts were one are revoked for both. */
function revokedSince(kept: ContactRecord, merged: ContactRecord): Pick<ContactRecord, 'LinksRevoked'> {
  const since = (kept.LinksRevoked ?? 0) - (merged.MergedLinksRevoked ?? 0);
  return since ? { LinksRevoked: (merged.LinksRevoked ?? 0) + since } : {};
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0;

type Values = Readonly<Record<string, unknown>>;

/** A value in the form in which two contacts are compared. */
export const comparable = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return name === 'Email' ? normalizeEmail(value) : fold(value).trim();
};

/** What the remaining contact takes, and a line for each difference. */
interface Comparison {
  readonly taken: Values;
  readonly lines: readonly string[];
}

const nothing: Comparison = { taken: {}, lines: [] };

function compareGroup({ names, label, silent = [] }: FieldGroup, kept: Values, merged: Values): Comparison {
  if (names.every((name) => isBlank(merged[name]))) return nothing;
  if (names.every((name) => isBlank(kept[name])))
    return { taken: Object.fromEntries(names.map((name) => [name, merged[name]])), lines: [] };
  const shown = names.filter((name) => !silent.includes(name) && !isBlank(merged[name]));
  const differs = shown.some((name) => comparable(name, merged[name]) !== comparable(name, kept[name]));
  const values = shown.map((name) => String(merged[name]));
  return { taken: {}, lines: label && differs ? [`${label}: ${values.join(', ')}`] : [] };
}

interface Phone {
  readonly text: string;
  readonly key: string;
  readonly label: string;
}

const phonesOf = (contact: ContactRecord): Phone[] =>
  [
    { text: contact.Phone, key: contact.PhoneKey, label: contact.PhoneLabel },
    { text: contact.AltPhone, key: contact.AltPhoneKey, label: contact.AltPhoneLabel },
  ].filter(({ text }) => text !== '');

/** The other contact's phones fill the free fields; a third number goes into the note. */
function comparePhones(kept: ContactRecord, merged: ContactRecord): Comparison {
  const known = new Set(phonesOf(kept).map(({ key, text }) => key || text));
  const others = phonesOf(merged).filter(({ key, text }) => !known.has(key || text));
  const places = [
    { isFree: kept.Phone === '', names: ['Phone', 'PhoneKey', 'PhoneLabel'] },
    { isFree: kept.AltPhone === '', names: ['AltPhone', 'AltPhoneKey', 'AltPhoneLabel'] },
  ].filter(({ isFree }) => isFree);
  const taken = others
    .slice(0, places.length)
    .flatMap(({ text, key, label }, index) =>
      (places[index]?.names ?? []).map((name, part) => [name, [text, key, label][part]] as const),
    );
  const lines = others.slice(places.length).map(({ text, label }) => `${label || 'Phone'}: ${text}`);
  return { taken: Object.fromEntries(taken), lines };
}

function compareCustomFields(kept: ContactRecord, merged: ContactRecord, fields: readonly CustomField[]): Comparison {
  const own = new Map(kept.CustomFields.map((field) => [field.Id, field]));
  const others = merged.CustomFields.filter(({ Value }) => !isBlank(Value));
  const added = others.filter(({ Id }) => isBlank(own.get(Id)?.Value));
  const addedIds = new Set(added.map(({ Id }) => Id));
  const lines = others
    .filter(({ Id, Value }) => !addedIds.has(Id) && !isEqual(own.get(Id)?.Value, Value))
    .map(({ Id, Value }) => {
      const name = fields.find((field) => field.Id === Id)?.Name ?? `Custom field ${Id}`;
      return `${name}: ${typeof Value === 'string' ? Value : JSON.stringify(Value)}`;
    });
  if (!added.length) return { taken: {}, lines };
  return { taken: { CustomFields: [...kept.CustomFields.filter(({ Id }) => !addedIds.has(Id)), ...added] }, lines };
}

/** Oldest first; notes from earlier versions have no time and count as older than those that do. */
export const sortedNotes = (notes: readonly StoredNote[]): StoredNote[] =>
  notes.toSorted((one, other) => (one.At ?? 0) - (other.At ?? 0) || one.Id - other.Id);

/** The time of the oldest note of all these contacts; absent if none has notes. */
export function oldestOf(...contacts: readonly Pick<ContactRecord, 'OldestNote'>[]): Pick<ContactRecord, 'OldestNote'> {
  const times = contacts.flatMap(({ OldestNote }) => OldestNote ?? []);
  return times.length ? { OldestNote: Math.min(...times) } : {};
}

const firstCustomer = (kept: ContactRecord, merged: ContactRecord): Partial<ContactRecord> => {
  const times = [kept, merged].flatMap(({ CustomerSince }) => CustomerSince ?? []);
  return {
    IsCustomer: kept.IsCustomer || merged.IsCustomer,
    ...(times.length ? { CustomerSince: Math.min(...times) } : {}),
  };
};

const idsOf = (records: readonly { readonly Id: number }[]): number[] => records.map(({ Id }) => Id);

const MAX_BODY = 10_000;

interface MergeFacts {
  readonly customFields: readonly CustomField[];
  readonly noteId: number;
  readonly at: number;
}

/** Adds one more merge or undo that blocks the use of its credit. */
const withHold = (contact: ContactRecord, isHeld: boolean): ContactRecord =>
  isHeld ? { ...contact, CreditHolds: (contact.CreditHolds ?? 0) + 1 } : contact;

/** Two contacts after a merge, and what an undo needs. */
export interface MergedContacts {
  readonly kept: ContactRecord;
  readonly merged: ContactRecord;
  readonly merge: ContactMerge;
}

/**
 * Merges a contact into another one. Its older notes, its records and the sums that depend on them follow one by one.
 */
export function mergeContact(
  kept: ContactRecord,
  merged: ContactRecord,
  { customFields, noteId, at }: MergeFacts,
): MergedContacts {
  const { Id: keptId, Hash } = kept;
  /** A reference from one of the two to the other becomes meaningless. */
  const isOfBoth = { [keptId]: true, [merged.Id]: true };
  const free = (contact: ContactRecord): ContactRecord => ({
    ...contact,
    ...(isOfBoth[contact.ReferredByContactId ?? 0] ? { ReferredByContactId: null } : {}),
    ...(isOfBoth[contact.ManagedByContactId ?? 0] ? { ManagedByContactId: null } : {}),
    ...([Hash, merged.Hash].includes(contact.ReferredByHash) ? { ReferredByHash: '' } : {}),
  });
  const [own, other] = [free(kept), free(merged)];
  const comparisons = [
    ...groups.map((group) => compareGroup(group, { ...own }, { ...other })),
    comparePhones(own, other),
    compareCustomFields(own, other, customFields),
  ];
  const taken = Object.assign({}, ...comparisons.map((each) => each.taken)) as Partial<ContactRecord>;
  const tags = merged.Tags.filter(({ Id }) => !kept.Tags.some((tag) => tag.Id === Id));
  const room = Math.max(0, MAX_TAGS - kept.Tags.length);
  const lines = [
    ...comparisons.flatMap((each) => each.lines),
    ...(tags.length > room
      ? [
          `Tags: ${tags
            .slice(room)
            .map(({ Name }) => Name)
            .join(', ')}`,
        ]
      : []),
  ];
  const Body = (lines.join('\n') || 'Nothing else differed.').slice(0, MAX_BODY).toWellFormed();
  const note = { Id: noteId, Title: `Merged from contact ${merged.Id}`, Body, At: at };
  const after: ContactRecord = {
    ...own,
    ...taken,
    ...refusedBy(kept, merged),
    ...firstCustomer(kept, merged),
    ...oldestOf(kept, merged, { OldestNote: at }),
    Tags: [...kept.Tags, ...tags.slice(0, room)],
    Notes: [...sortedNotes([...kept.Notes, ...merged.Notes]), note],
    ContactPictures: [...kept.ContactPictures, ...merged.ContactPictures],
    ContactDocuments: [...kept.ContactDocuments, ...merged.ContactDocuments],
    MergedContacts: [...kept.MergedContacts, ...mergedContactsOf(merged)],
  };
  const changed = Object.keys(taken).filter((name) => !isEqual({ ...own }[name], { ...after }[name]));
  const Taken: TakenFields = Object.fromEntries(
    changed.map((name) => {
      const before: unknown = { ...own }[name];
      return [name, { ...(before === undefined ? {} : { before }), after: { ...after }[name] }];
    }),
  );
  const HoldsCredit = merged.CreditBalance !== undefined;
  const gone: ContactRecord = {
    ...merged,
    Notes: [],
    ContactPictures: [],
    ContactDocuments: [],
    MergedInto: keptId,
    MergedLinksRevoked: kept.LinksRevoked ?? 0,
  };
  return {
    kept: withHold(after, HoldsCredit),
    merged: withHold(gone, HoldsCredit),
    merge: {
      Id: keptId,
      MergedId: merged.Id,
      OrganizationId: kept.OrganizationId,
      StartedAt: at,
      State: 'moving',
      Taken,
      NoteId: noteId,
      NoteIds: idsOf(merged.Notes),
      TagIds: idsOf(tags.slice(0, room)),
      FileIds: idsOf([...merged.ContactPictures, ...merged.ContactDocuments]),
      Credit: 0,
      HoldsCredit,
    },
  };
}

/** A contact without the given optional fields. */
const withoutFields = (contact: ContactRecord, names: readonly string[]): ContactRecord =>
  Object.fromEntries(Object.entries(contact).filter(([name]) => !names.includes(name))) as ContactRecord;

/** Splits a list by whether its entries are among `among`. */
export function splitByIds<Of extends { readonly Id: number }>(list: readonly Of[], among: readonly number[]) {
  const ids = new Set(among);
  return { own: list.filter(({ Id }) => !ids.has(Id)), others: list.filter(({ Id }) => ids.has(Id)) };
}

/**
 * Undoes a merge: what came with the other contact and is still there goes back, and a taken field is restored unless
 * somebody has changed it since. Nobody knows which of the two refused messages in the meantime, so both keep every
 * refusal. Older notes and records follow.
 */
export function partContact(kept: ContactRecord, merged: ContactRecord, merge: ContactMerge): MergedContacts {
  const notes = splitByIds(kept.Notes, merge.NoteIds);
  const pictures = splitByIds(kept.ContactPictures, merge.FileIds);
  const documents = splitByIds(kept.ContactDocuments, merge.FileIds);
  const given = Object.entries(merge.Taken ?? {}).filter(([name, { after }]) => isEqual({ ...kept }[name], after));
  const gone = given.filter(([, { before }]) => before === undefined).map(([name]) => name);
  const restored = Object.fromEntries(
    given.flatMap(([name, { before }]) => (before === undefined ? [] : [[name, before]])),
  );
  const { own: Tags } = splitByIds(kept.Tags, merge.TagIds);
  const isHeld = merge.State === 'moving' && merge.HoldsCredit;
  const HoldsCredit = isHeld || kept.CreditBalance !== undefined;
  const parted: MergedContacts = {
    kept: {
      ...withoutFields(kept, gone),
      ...restored,
      ...refusedBy(kept),
      Tags,
      Notes: notes.own.filter(({ Id }) => Id !== merge.NoteId),
      ContactPictures: pictures.own,
      ContactDocuments: documents.own,
      MergedContacts: splitByIds(kept.MergedContacts, idsOf(mergedContactsOf(merged))).own,
    },
    merged: {
      ...omit(merged, 'MergedInto', 'MergedLinksRevoked'),
      ...refusedBy(kept, merged),
      ...revokedSince(kept, merged),
      Notes: notes.others,
      ContactPictures: pictures.others,
      ContactDocuments: documents.others,
    },
    merge: { ...merge, State: 'parting', HoldsCredit },
  };
  const isNew = HoldsCredit && !isHeld;
  return { ...parted, kept: withHold(parted.kept, isNew), merged: withHold(parted.merged, isNew) };
}
