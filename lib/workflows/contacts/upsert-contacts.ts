import {
  type ContactError,
  type ContactInput,
  type ReferencedContacts,
  changedFields,
  findContradictions,
  referenceErrors,
  applyContactInput,
} from '../../domain/contacts/apply-input.ts';
import { findDuplicates } from '../../domain/contacts/duplicates.ts';
import { type ChannelChoice, hasMarketingInput, resolveMarketing } from '../../domain/contacts/marketing.ts';
import { mergeNotes } from '../../domain/contacts/notes.ts';
import {
  type ContactRecord,
  blankContact,
  hasIdentifyingInfo,
  contactSizeErrors,
} from '../../domain/contacts/record.ts';
import type { ContactCriteria } from '../../domain/contacts/search.ts';
import { MAX_TAGS, tagNameKey } from '../../domain/contacts/tags.ts';
import { applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import type { PostalOwner } from '../../domain/postal-ownership.ts';
import type { Note, Tag } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { normalizePostalCode } from '../../shared/addresses.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { fold } from '../../shared/text.ts';
import { callerOrganization, findOnlyOrganization } from '../../store/accounts.ts';
import { type CallerScope, isVisible } from '../../store/caller.ts';
import { listOlderNotes } from '../../store/contact-notes.ts';
import { type ContactMatches, findContactByHash, findMatches } from '../../store/contact-search.ts';
import {
  type ContactWrite,
  MAX_CHANGES,
  newGuardPartitions,
  findContacts,
  findTaken,
  contactChanges,
} from '../../store/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TablePager, TableWriter } from '../../store/dynamodb/client.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { findRecentOrganization, findPostalOwner } from '../../store/organizations.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { findTags, tagChanges } from '../../store/tags.ts';

/** One contact of a request. */
export interface UpsertInput {
  readonly contactInput: ContactInput;
  /** The search fields beside it, when the request has any. */
  readonly criteria: ContactCriteria | undefined;
  /** Send a new lead to the organization that owns its postal code. */
  readonly distribute: boolean;
}

/** What becomes of a request's contacts; `index` is the contact's place among them. */
export type Upsert =
  | { readonly kind: 'invalid'; readonly errors: readonly (ContactError & { readonly index: number })[] }
  | { readonly kind: 'ambiguous'; readonly index: number; readonly candidates: readonly ContactRecord[] }
  | { readonly kind: 'missing'; readonly index: number }
  | {
      readonly kind: 'ready';
      readonly records: readonly ContactRecord[];
      readonly changes: readonly Change[];
      readonly reasons: readonly string[];
    };

interface Prepared {
  readonly write: ContactWrite;
  readonly errors: readonly ContactError[];
  readonly reason: string;
}

interface Facts {
  readonly scope: CallerScope;
  readonly now: Date;
  readonly home: OrganizationRecord;
}

/** What is asked for at once, whatever the contact turns out to be, so that it costs no round of its own. */
interface Early {
  readonly lookup: ContactMatches;
  readonly postalOwner: PostalOwner | null | undefined;
  readonly tags: ReadonlyMap<string, Tag>;
  readonly linked: ReferencedContacts;
}

async function askEarly(
  table: TableWriter,
  { scope, home }: Facts,
  { contactInput, criteria }: UpsertInput,
): Promise<Early> {
  const code = normalizePostalCode(contactInput.Zip ?? '');
  const [lookup, owner, tags, linked] = await Promise.all([
    findMatches(table, scope, contactInput, { organization: home, criteria }),
    code ? findPostalOwner(table, scope.accountId, code) : undefined,
    findTags(table, scope.accountId, tagNames(contactInput)),
    findLinkedContacts(table, scope, contactInput),
  ]);
  return { lookup, postalOwner: contactInput.Zip === undefined ? undefined : (owner ?? null), tags, linked };
}

/** An organization for a contact. */
interface Placed {
  readonly organization: OrganizationRecord;
  readonly reason: string;
  readonly errors: readonly ContactError[];
}

/**
 * Where a new contact belongs, and why: the key's own organization, the one named, the owner of its postal code, or the
 * only one there is.
 */
async function placeFor(
  table: TableWriter,
  { scope, now, home }: Facts,
  { contactInput, distribute }: UpsertInput,
  owner: PostalOwner | null | undefined,
): Promise<{ id: number; reason: string } | ContactError> {
  const { accountId, organizationId } = scope;
  if (organizationId !== null) return { id: organizationId, reason: '' };
  if (contactInput.OrganizationId) return { id: contactInput.OrganizationId, reason: '' };
  if (distribute) {
    const code = contactInput.Zip ? `postal code ${contactInput.Zip}` : 'an address without postal code';
    if (owner?.OrganizationId)
      return { id: owner.OrganizationId, reason: `Organization ${owner.OrganizationId} owns ${code}.` };
    return { id: home.Id, reason: `No organization owns ${code}; organization ${home.Id} takes what nobody owns.` };
  }
  const only = await findOnlyOrganization(table, accountId, now);
  return only === undefined
    ? { field: 'OrganizationId', message: 'is required, because the account has several organizations' }
    : { id: only, reason: '' };
}

/**
 * The organization of a contact. One that cannot be had is a fault, and the other fields are read by the caller's home,
 * so that all faults are told at once.
 */
async function place(
  table: TableWriter,
  facts: Facts,
  input: UpsertInput,
  { lookup, postalOwner }: Early,
): Promise<Placed> {
  const { scope, now, home } = facts;
  const [before] = lookup.found;
  const found = before ? { id: before.OrganizationId, reason: '' } : await placeFor(table, facts, input, postalOwner);
  if ('field' in found) return { organization: home, reason: '', errors: [found] };
  const organization = await findRecentOrganization(table, scope.accountId, found.id, now);
  if (organization) return { organization, reason: found.reason, errors: [] };
  return {
    organization: home,
    reason: '',
    errors: [{ field: 'OrganizationId', message: 'must be an organization there is' }],
  };
}

async function prepare(
  table: TableWriter,
  facts: Facts,
  input: UpsertInput,
  early: Early,
  tagOf: ReadonlyMap<string, Tag>,
): Promise<Prepared> {
  const { scope, now } = facts;
  const { accountId: account } = scope;
  const { contactInput } = input;
  const [before] = early.lookup.found;
  const { organization, reason, errors } = await place(table, facts, input, early);
  const [id = 0] = before ? [before.Id] : await reserveIds(table, account, 'Contact', 1);
  const start = before ?? blankOf(id, organization, now);
  const merged = applyContactInput(start, contactInput, {
    organization,
    postalOwner: early.postalOwner,
    at: now.getTime(),
  });
  const rich = await enrichContact({ table, account, now }, merged.contact, contactInput, tagOf);
  const all = [
    ...errors,
    ...(before ? findContradictions(before, contactInput) : []),
    ...merged.errors,
    ...referenceErrors(start, contactInput, early.linked),
    ...rich.errors,
  ];
  if (!hasIdentifyingInfo(rich.contact))
    all.push({ field: 'Email', message: 'or a name, phone, address or DigitalTrackingId is required' });
  const write = { before, after: rich.contact, guards: [] };
  const guards = newGuardPartitions(account, write).map(async (partition) => ({
    partition,
    taken: early.lookup.taken.get(partition) ?? (await findTaken(table, partition)),
  }));
  return { write: { ...write, guards: await Promise.all(guards) }, errors: all, reason };
}

const blankOf = (Id: number, { Id: OrganizationId, LocationID }: OrganizationRecord, now: Date): ContactRecord =>
  blankContact({ Id, OrganizationId, LocationID, Hash: randomHandle(22), Created: now.getTime() });

/**
 * Finds or makes every contact of a request, and merges what the request brings: the rules of contacts/addupdate, which
 * quickbook shares. All or none: the changes are for one transaction. A contact in which nothing changes is not
 * written.
 */
export async function upsertContacts(
  table: TableWriter,
  scope: CallerScope,
  inputs: readonly UpsertInput[],
  now: Date,
): Promise<Upsert> {
  const home = await callerOrganization(table, scope, now);
  const facts = { scope, now, home };
  const unnamed = inputs.filter(({ contactInput }) => !contactInput.Id && !contactInput.Hash).length;
  const [early] = await Promise.all([
    Promise.all(inputs.map((input) => askEarly(table, facts, input))),
    prefetchIds(table, scope.accountId, 'Contact', unnamed),
  ]);
  const lookups = early.map(({ lookup }) => lookup);
  const missing = lookups.findIndex(({ named, found }) => named && !found.length);
  if (missing >= 0) return { kind: 'missing', index: missing };
  const ambiguous = lookups.findIndex(({ found }) => found.length > 1);
  if (ambiguous >= 0) return { kind: 'ambiguous', index: ambiguous, candidates: lookups[ambiguous]?.found ?? [] };

  // Once for all contacts: a name that is new and borne by several is one tag.
  const known = new Map(early.flatMap(({ tags }) => [...tags]));
  const { tags, changes: newTagChanges } = await tagChanges(
    table,
    scope.accountId,
    inputs.flatMap(({ contactInput }) => tagNames(contactInput)),
    known,
  );
  const tagOf = new Map(tags.map((tag): [string, Tag] => [tagNameKey(tag.Name), tag]));
  const prepared = await Promise.all(
    inputs.map((input, index) => prepare(table, facts, input, early[index] as Early, tagOf)),
  );
  const writes = prepared.map(({ write }) => write);
  const ownFaults = prepared.flatMap(({ errors }, index) => errors.map((fault) => ({ ...fault, index })));
  const errors = [...ownFaults, ...findDuplicates(writes), ...contactSizeErrors(writes.map(({ after }) => after))];
  if (errors.length) return { kind: 'invalid', errors };

  const changed = writes.filter(({ before, after }) => !before || changedFields(before, after).length > 0);
  const changes = await contactChanges(table, scope.accountId, changed, { now, beside: newTagChanges });
  if (changes.length > MAX_CHANGES) {
    const message = `bring ${changes.length} changes with the contacts and their new tags, and at most ${MAX_CHANGES} are made at once; send some in another call`;
    return {
      kind: 'invalid',
      errors: [{ index: inputs.length - 1, field: newTagChanges.length ? 'Tags' : 'Notes', message }],
    };
  }
  return {
    kind: 'ready',
    records: writes.map(({ after }) => after),
    changes,
    reasons: prepared.flatMap(({ reason }) => (reason ? [reason] : [])),
  };
}

/** A contact with one more part of the request laid over it. */
interface Enriched {
  readonly fields: Partial<ContactRecord>;
  readonly errors?: readonly ContactError[];
}

interface Enriching {
  readonly table: TableWriter;
  readonly account: string;
  readonly now: Date;
}

/** The names of the tags a request brings. */
export const tagNames = ({ Tags }: ContactInput): string[] => (Tags ?? []).filter((name) => tagNameKey(name) !== '');

async function marketing(
  { table, account, now }: Enriching,
  contact: ContactRecord,
  contactInput: ContactInput,
): Promise<Enriched> {
  if (!hasMarketingInput(contact, contactInput)) return { fields: {} };
  const result = resolveMarketing(
    contact,
    contactInput,
    await listRecentSettings<ChannelChoice>(table, account, 'Channel', now),
  );
  return 'fault' in result ? { fields: {}, errors: [result.fault] } : { fields: result.marketing };
}

async function taxRate({ table, account, now }: Enriching, contactInput: ContactInput): Promise<Enriched> {
  const wanted = contactInput.NamedTaxRate;
  if (wanted === undefined) return { fields: {} };
  if (wanted === null) return { fields: { NamedTaxRateId: null } };
  const rates = await listRecentSettings<NamedTaxRate>(table, account, 'NamedTaxRate', now);
  const rate = rates.find(({ Id, Name }) =>
    wanted.Id ? Id === wanted.Id : fold(Name) === fold((wanted.Name ?? '').trim()),
  );
  return rate
    ? { fields: { NamedTaxRateId: rate.Id } }
    : { fields: {}, errors: [{ field: 'NamedTaxRate', message: 'must be a tax rate there is, by Id or Name' }] };
}

async function customFields(
  { table, account, now }: Enriching,
  contact: ContactRecord,
  contactInput: ContactInput,
): Promise<Enriched> {
  if (!contactInput.CustomFields?.length) return { fields: {} };
  const definitions = (await listRecentSettings<CustomField>(table, account, 'CustomField', now)).filter(
    ({ TableType }) => TableType === 0,
  );
  const { values, errors } = applyCustomFieldInputs(contact.CustomFields, contactInput.CustomFields, definitions);
  return { fields: { CustomFields: values }, errors: errors.map(({ path, message }) => ({ field: path, message })) };
}

function tags(contact: ContactRecord, contactInput: ContactInput, tagOf: ReadonlyMap<string, Tag>): Enriched {
  const named = tagNames(contactInput).flatMap((name) => tagOf.get(tagNameKey(name)) ?? []);
  const Tags = [...new Map([...contact.Tags, ...named].map((tag) => [tag.Id, tag])).values()];
  const errors =
    Tags.length > MAX_TAGS
      ? [{ field: 'Tags', message: `must be at most ${MAX_TAGS}, with those that the contact has` }]
      : [];
  return { fields: { Tags }, errors };
}

async function notes(
  { table, account }: Enriching,
  contact: ContactRecord,
  contactInput: ContactInput,
): Promise<Enriched> {
  if (!contactInput.Notes?.length) return { fields: {} };
  const unknown = contactInput.Notes.some(({ Id }) => Id && !contact.Notes.some((note) => note.Id === Id));
  const older = unknown ? ((await listOlderNotes(table, account, [contact])).get(contact.Id) ?? []) : [];
  const merged = mergeNotes(contact.Notes, older, contactInput.Notes);
  const ids = merged.added.length ? await reserveIds(table, account, 'Note', merged.added.length) : [];
  const added = merged.added.map((note, index): Note => ({ Id: ids[index] as number, ...note }));
  return { fields: { Notes: [...merged.notes, ...added] }, errors: merged.errors };
}

/**
 * Lays over a contact what has to be looked up: marketing, tax rate, custom fields, tags (`tagOf` has those of the
 * request by nameKey) and notes.
 */
export async function enrichContact(
  from: Enriching,
  contact: ContactRecord,
  contactInput: ContactInput,
  tagOf: ReadonlyMap<string, Tag>,
): Promise<{ contact: ContactRecord; errors: ContactError[] }> {
  const parts = await Promise.all([
    marketing(from, contact, contactInput),
    taxRate(from, contactInput),
    customFields(from, contact, contactInput),
    tags(contact, contactInput, tagOf),
    notes(from, contact, contactInput),
  ]);
  return {
    contact: Object.assign({}, contact, ...parts.map(({ fields }) => fields)) as ContactRecord,
    errors: parts.flatMap(({ errors = [] }) => errors),
  };
}

const nobody: ReferencedContacts = { ids: new Set(), hashes: new Map() };

/**
 * The contacts that a request's contact names as referring or managing it, as far as the caller may see them. Two
 * rounds at most, none where it names none.
 */
export async function findLinkedContacts(
  table: TablePager,
  scope: CallerScope,
  { ReferredByContactId, ManagedByContactId, ReferredByHash }: ContactInput,
): Promise<ReferencedContacts> {
  const hash = ReferredByHash?.trim();
  const ofHash = hash ? await findContactByHash(table, scope.accountId, hash) : undefined;
  const ids = new Set([ReferredByContactId, ManagedByContactId, ofHash].filter((id) => typeof id === 'number'));
  if (!ids.size) return nobody;
  const contacts = await findContacts(table, scope.accountId, [...ids]);
  const visible = contacts.filter((contact) => isVisible(scope, contact));
  return { ids: new Set(visible.map(({ Id }) => Id)), hashes: new Map(visible.map(({ Hash, Id }) => [Hash, Id])) };
}
