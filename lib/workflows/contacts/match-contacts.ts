import type { Tag } from '../../entities/contact-entries.ts';
import { type ContactInput, type ReferencedContacts, applyContactInput } from '../../domain/contacts/apply-input.ts';
import { tagNameKey } from '../../domain/contacts/record.ts';
import { mergedIdMeant, withoutMergedValues } from '../../domain/contacts/merged-input.ts';
import { statesOf } from '../../domain/contacts/merged-states.ts';
import {
  type ContactCriteria,
  type ContactSearchFields,
  emailKeys,
  parseCriteria,
  personName,
  phoneKeysOf,
  searchKeys,
} from '../../domain/contacts/search.ts';
import { findByNames } from '../../domain/contacts/same-person.ts';
import type { PostalOwner } from '../../domain/postal-ownership.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { UserRecord } from '../../entities/users.ts';
import { type Failure, conflict, invalid } from '../../shared/failure.ts';
import { omit } from '../../shared/objects.ts';
import { normalizePostalCode } from '../../shared/text/text.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import { guardRanges } from '../../store/contacts/contact-index.ts';
import { findContactByHash } from '../../store/contacts/contact-search.ts';
import { type TakenKey, findContacts, findMeantContact, findTaken } from '../../store/contacts/contacts.ts';
import { findTags } from '../../store/contacts/tags.ts';
import { findZones, listZones } from '../../store/accounts/organization-zones.ts';
import { findPostalOwner } from '../../store/organizations/organizations.ts';
import { findUsers } from '../../store/organizations/users.ts';
import { hasDays } from '../../shared/time/read-moments.ts';
import { widest } from '../../store/date-filter.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { isVisible } from '../../store/visibility.ts';
import { type CallerScope, type StoreWriter, organizationStore } from '../../store/store.ts';
import type { ReadContext } from '../context.ts';
import { findMatchingContacts } from './find-contacts.ts';

/** Finds the contacts that inputs and search fields refer to. */

/** One contact to be added or updated. */
export interface ContactUpsert {
  readonly input: ContactInput;
  /** The search fields beside it, if the request has any. */
  readonly criteria: ContactCriteria | undefined;
  /** Whether a new lead goes to the organization that owns its postal code: if the caller asks, or always. */
  readonly distribute: false | 'asked' | 'always';
  /** The contact to update, if the caller has read it. */
  readonly before?: ContactRecord;
  /**
   * Which contacts with the same e-mail and names, or phone and name, may be a match; defaults to all. Several are a
   * 409.
   */
  readonly mayBe?: (contact: ContactRecord) => boolean;
}

/** The caller is a request or the command-line tool. */
export interface PlanContext {
  readonly store: StoreWriter;
  readonly caller: CallerScope & Pick<Caller, 'leadSource'>;
  readonly now: Date;
  /** If set, an invalid value is left out so that no lead is lost, and this reports it. */
  readonly remark?: (sentence: string) => void;
}

export interface UpsertContext extends PlanContext {
  /** The organization of the key, else the default one of the account. */
  readonly defaultOrganization: OrganizationRecord;
  /** Set if the account has only one organization. */
  readonly onlyOrganizationId: number | undefined;
}

/** The most contacts that one input may match; an answer lists them. */
export const MAX_CANDIDATES = 25;

export const tagNames = ({ Tags }: ContactInput): string[] => (Tags ?? []).filter((name) => tagNameKey(name) !== '');

/** Data read for a contact before it is known which one it is, so that it takes no round of its own. */
export interface Lookup {
  readonly upsert: ContactUpsert;
  readonly matches: ContactMatches;
  readonly postalOwner: PostalOwner | null | undefined;
  readonly tags: ReadonlyMap<string, Tag>;
  readonly references: ReferencedContacts;
  /** The user of OwnerUserId, if it exists for the caller. */
  readonly users: readonly UserRecord[];
}

export async function lookUp(upsert: ContactUpsert, context: UpsertContext): Promise<Lookup> {
  const { input } = upsert;
  const { store } = context;
  const postalCode = normalizePostalCode(input.Zip ?? '');
  const [matches, owner, tags, referring, users] = await Promise.all([
    matchesOf(upsert, context),
    postalCode ? findPostalOwner(store, postalCode) : undefined,
    findTags(store, tagNames(input)),
    withMeantReferences(input, context),
    input.OwnerUserId ? findUsers(store, [input.OwnerUserId]) : [],
  ]);
  const own = ownHash(referring.input, matches);
  const given = isNamedByCaller(upsert, matches) ? own : withoutBlanks(own);
  const meant = await withoutRepeated({ ...upsert, input: given }, matches, context);
  const postalOwner = meant.input.Zip === undefined ? undefined : (owner ?? null);
  return { upsert: meant, matches, postalOwner, tags, references: referring.references, users };
}

/** Whether the caller names the contact, by Id, Hash or IdSearch, instead of describing it. */
const isNamedByCaller = ({ criteria }: ContactUpsert, matches: ContactMatches): boolean =>
  matches.isNamed || (criteria?.id !== undefined && matches.candidates[0]?.Id === criteria.id);

/**
 * An input without empty texts: a caller that describes a contact sends every field of a form, and an empty one means
 * that it is not given.
 */
const withoutBlanks = ({ CustomFields, ...input }: ContactInput): ContactInput => ({
  ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== '')),
  ...(CustomFields ? { CustomFields: CustomFields.filter(({ Value }) => Value !== '') } : {}),
});

async function matchesOf({ input, criteria, before, mayBe }: ContactUpsert, context: UpsertContext) {
  if (before) return { candidates: [before], sharing: [], taken: [], isNamed: true };
  return findMatches(input, criteria, context, mayBe);
}

/** The contacts that an input may match, and the contents of the partitions of its e-mail and phone. */
interface ContactMatches {
  readonly candidates: readonly ContactRecord[];
  /** Without candidates: contacts with the same e-mail and another name. */
  readonly sharing: readonly ContactRecord[];
  readonly taken: readonly TakenKey[];
  /** Hashes of contacts that were merged into the one that the input names. */
  readonly formerHashes?: readonly string[];
  /** Whether the input names one contact, by Id or Hash, which must then exist. */
  readonly isNamed: boolean;
}

/**
 * Finds the contact that an input refers to: by Id or Hash; else by the search fields; if they find nobody, or without
 * them, by an e-mail with agreeing names; without an e-mail, by phone together with name. Without Id or Hash, it
 * searches only the input's organization. At most two rounds, and one more if search fields find nobody. New entries in
 * the partitions of its e-mail and phone are guarded by what these hold now.
 */
export async function findMatches(
  input: ContactInput,
  criteria: ContactCriteria | undefined,
  { store, caller, defaultOrganization, onlyOrganizationId }: UpsertContext,
  mayBe?: ContactUpsert['mayBe'],
): Promise<ContactMatches> {
  const preview = previewOf(input, defaultOrganization);
  const isNamed = Boolean(input.Id || input.Hash);
  const organizationId = caller.organizationId ?? (isNamed ? null : input.OrganizationId || null);

  const scope = organizationId ?? onlyOrganizationId ?? null;
  const reading = Promise.all(guardRanges(store, preview).map((range) => findTaken(store, range, scope)));
  const findNamed = async (): Promise<Pick<ContactMatches, 'candidates' | 'formerHashes'>> => {
    if (isNamed) {
      const id = input.Id || (await findContactByHash(store, input.Hash ?? ''));
      const meant = id ? await findMeantContact(store, id) : undefined;
      if (!meant) return { candidates: [] };
      const { contact, formerHashes } = meant;
      const isRight = input.Id || [contact.Hash, ...formerHashes].includes(input.Hash ?? '');
      return { candidates: isRight ? [contact] : [], formerHashes };
    }
    if (!criteria) return { candidates: [] };
    const page = { skip: 0, limit: MAX_CANDIDATES };
    const { records } = await findMatchingContacts(organizationStore(store, organizationId), criteria, page);
    return { candidates: records };
  };
  const findSamePerson = async (): Promise<Pick<ContactMatches, 'candidates' | 'sharing'>> => {
    // The first is the e-mail, or without one the phone with the name.
    const [identity] = await reading;
    if (!identity || !(preview.Email || personName(preview))) return { candidates: [], sharing: [] };
    // In one organization a mailbox may have more people than are read; an input that matches none of them becomes a
    // new contact.
    const mayBeAnother = preview.Email !== '' && scope !== null;
    if (!identity.isComplete && !mayBe && !mayBeAnother) throw tooManyAlike(preview, organizationId);
    const found = await findContacts(store, identity.ids);
    const alike = withSameKeys(
      preview,
      found.filter((contact) => isVisible({ organizationId }, contact)),
    );
    const candidates = findByNames(preview, mayBe ? alike.filter(mayBe) : alike).slice(0, MAX_CANDIDATES);
    return { candidates, sharing: candidates.length || !preview.Email ? [] : alike };
  };
  const find = async (): Promise<Pick<ContactMatches, 'candidates' | 'sharing' | 'formerHashes'>> => {
    const named = await findNamed();
    if (!isNamed && !named.candidates.length) return findSamePerson();
    const candidates = named.candidates.filter((contact) => isVisible({ organizationId }, contact));
    return { ...named, candidates, sharing: [] };
  };
  const [taken, found] = await Promise.all([reading, find()]);
  return { ...found, taken, isNamed };
}

/** Not all entries of the same person were read, so it is unknown whether one of them matches. */
const tooManyAlike = ({ Email }: ContactRecord, organizationId: number | null): Failure =>
  conflict(
    'ambiguous',
    `Too many contacts have or had this ${Email ? 'Email' : 'Phone and Name'}. ` +
      `Name the contact by its Id${organizationId === null ? ', or its organization by OrganizationId' : ''}.`,
  );

/** The contacts with the e-mail of `contact`, or if it has none, with its phone and name. */
function withSameKeys(contact: ContactRecord, others: readonly ContactRecord[]): ContactRecord[] {
  const { email, phone } = searchKeys(contact);
  if (email) return others.filter((other) => emailKeys(other).includes(email));
  const name = personName(contact);
  const hasName = (other: ContactRecord) => statesOf(other).some((state) => personName(state) === name);
  return others.filter((other) => phoneKeysOf(other).includes(phone) && hasName(other));
}

/** An input that matches a contact through values of one merged into it, without those values. Takes one more round. */
async function withoutRepeated(
  upsert: ContactUpsert,
  { candidates, isNamed }: ContactMatches,
  { store, defaultOrganization }: UpsertContext,
): Promise<ContactUpsert> {
  const [contact, ...others] = candidates;
  if (!contact?.MergedContacts.length || others.length || (isNamed && !upsert.before)) return upsert;
  const id = mergedIdMeant(contact, previewOf(upsert.input, defaultOrganization));
  const [merged] = id === undefined ? [] : await findContacts(store, [id], { asRecorded: true });
  if (!merged) return upsert;
  return { ...upsert, input: withoutMergedValues(upsert.input, merged, defaultOrganization) };
}

/** A contact made from an input alone. */
function previewOf(input: ContactInput, organization: OrganizationRecord): ContactRecord {
  const blank = contactEntity.blank({ Id: 0, Hash: '', OrganizationId: 0, LocationID: '', Created: 0 });
  return applyContactInput(blank, input, { organization, postalOwner: undefined, at: 0 }).contact;
}

/** Replaces the Hash of a contact merged into the one that the input names, because it means that one. */
const ownHash = (input: ContactInput, { formerHashes = [] }: ContactMatches): ContactInput =>
  input.Hash && formerHashes.includes(input.Hash) ? omit(input, 'Hash') : input;

/**
 * An input with the contacts that it refers to, as far as the caller may see them: at most two rounds, none without
 * references. A reference to a merged contact means the one that it became.
 */
async function withMeantReferences(
  input: ContactInput,
  { store, caller }: PlanContext,
): Promise<{ readonly input: ContactInput; readonly references: ReferencedContacts }> {
  const { ReferredByContactId, ManagedByContactId } = input;
  const hash = input.ReferredByHash?.trim();
  const idOfHash = hash ? await findContactByHash(store, hash) : undefined;
  const ids = new Set([ReferredByContactId, ManagedByContactId, idOfHash].filter((id) => typeof id === 'number'));
  const found = await Promise.all([...ids].map(async (id) => [id, await findMeantContact(store, id)] as const));
  const meant = new Map(found.flatMap(([id, of]) => (of && isVisible(caller, of.contact) ? [[id, of.contact]] : [])));
  const referred = meant.get(ReferredByContactId ?? 0);
  const manager = meant.get(ManagedByContactId ?? 0);
  const ofHash = meant.get(idOfHash ?? 0);
  const contacts = [...meant.values()];
  return {
    input: {
      ...input,
      ...(referred ? { ReferredByContactId: referred.Id } : {}),
      ...(manager ? { ManagedByContactId: manager.Id } : {}),
      ...(ofHash ? { ReferredByHash: ofHash.Hash } : {}),
    },
    references: {
      ids: new Set(contacts.map(({ Id }) => Id)),
      hashes: new Map(contacts.map(({ Hash, Id }) => [Hash, Id])),
    },
  };
}

/**
 * The criteria of search fields, in the zone and country of the caller's organization, except days, which use each
 * contact's own zone; 400 names the invalid fields.
 */
export async function loadCriteria(fields: ContactSearchFields, { store }: ReadContext): Promise<ContactCriteria> {
  const reading = parseCriteria(fields, await callerOrganization(store));
  if ('errors' in reading) throw invalid(...reading.errors);
  const { criteria, created } = reading;
  if (!hasDays(created) || (await findZones(store)).only) return criteria;
  const { from, through } = widest(created);
  const zones = await listZones(store);
  return {
    ...criteria,
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(through === undefined ? {} : { createdThrough: through }),
    createdDays: { firstDay: created.firstDay, lastDay: created.lastDay, zones },
  };
}
