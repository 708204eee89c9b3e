import type { UserRecord } from '../../entities/users.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import {
  type ContactInput,
  type ReferencedContacts,
  applyContactInput,
  applyNoteInputs,
  changedFields,
  findContradictions,
  referenceErrors,
} from '../../domain/contacts/apply-input.ts';
import { findDuplicates } from '../../domain/contacts/duplicates.ts';
import { hasMarketingInput, resolveMarketing } from '../../domain/contacts/marketing.ts';
import {
  MAX_TAGS,
  contactSizeErrors,
  hasIdentifyingInfo,
  TAGS_FULL,
  tagNameKey,
} from '../../domain/contacts/record.ts';
import {
  type ContactCriteria,
  type ContactSearchFields,
  personName,
  searchKeys,
} from '../../domain/contacts/search.ts';
import { closedReason } from '../../domain/closed-organizations.ts';
import { applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import type { PostalOwner } from '../../domain/postal-ownership.ts';
import type { SettingKind, SettingValues } from '../../domain/settings.ts';
import { ownerError } from '../../domain/users.ts';
import { Contact, type Note, type Tag } from '../../resources/contacts.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { normalizePostalCode } from '../../shared/text/addresses.ts';
import { type Failure, conflict, forbidden, invalid, notFound } from '../../shared/failure.ts';
import { type FieldError, type IndexedError, collectErrors } from '../../shared/field-errors.ts';
import { pick } from '../../shared/objects.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { fold } from '../../shared/text/text.ts';
import { callerOrganization, findOnlyOrganization } from '../../store/accounts/accounts.ts';
import { type CallerScope, isVisible } from '../../store/requests/caller.ts';
import { guardRanges } from '../../store/contacts/contact-index.ts';
import { listOlderNotes } from '../../store/contacts/contact-notes.ts';
import { findContactByHash } from '../../store/contacts/contact-search.ts';
import {
  type ContactWrite,
  MAX_CHANGES,
  type TakenKey,
  contactChanges,
  findContacts,
  findGuard,
  findTaken,
  newGuardRanges,
} from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { findPostalOwner, findRecentOrganization } from '../../store/organizations/organizations.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { findTags, tagChanges } from '../../store/contacts/tags.ts';
import { findUsers } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';
import { findMatchingContacts } from './find-contacts.ts';
import { loadContactResources } from './load-contact-resources.ts';
import { loadCriteria } from './load-criteria.ts';

export const MAX_CONTACTS = 25;
const MAX_CANDIDATES = 25;

/** The request of contacts/addupdate: contacts in Matches, one of them perhaps at the top level, and search fields. */
type UpsertRequest = ContactInput &
  ContactSearchFields & { readonly Matches?: readonly ContactInput[] | null | undefined };

interface UpsertedContacts {
  readonly records: readonly ContactRecord[];
  readonly changes: readonly Change[];
  /** Why new leads belong to their organizations, a sentence each. */
  readonly reasons: readonly string[];
}

/**
 * Adds the contacts of a request, or updates those that exist: all of them or none.
 * Throws invalid with the path of every invalid field, forbidden for another organization than the key's, notFound for
 * an unknown Id or Hash, and conflict with the candidates in Matches. Writes nothing: returns the changes.
 */
export async function upsertContacts(request: UpsertRequest, context: WriteContext): Promise<UpsertedContacts> {
  const contacts = requestedContacts(request);
  checkOrganizations(contacts, context.caller);
  const criteria = await loadCriteria(request, context);
  const hasCriteria = Object.keys(criteria).length > 0;
  if (hasCriteria && contacts.length > 1)
    throw invalid({ field: 'Matches', message: 'must hold only one contact if the request has search fields' });

  const upserts = contacts.map(({ input }): ContactUpsert => ({
    input,
    criteria: hasCriteria ? criteria : undefined,
    distribute: request.DistributeLead ?? false,
  }));
  const plan = await planUpserts(upserts, context);
  if (plan.kind !== 'ready') throw await toFailure(plan, contacts, context, request.ReturnPmtOnFile ?? false);
  return plan;
}

/** A contact of the request, and the path of its fields: `Matches[2].`, or nothing at the top level. */
interface RequestedContact {
  readonly input: ContactInput;
  readonly path: string;
}

function requestedContacts(request: UpsertRequest): RequestedContact[] {
  const listed = (request.Matches ?? []).map((input, index) => ({ input, path: `Matches[${index}].` }));
  const single = topLevelContact(request, listed.length === 0);
  const contacts = [...(single ? [{ input: single, path: '' }] : []), ...listed];
  if (contacts.length === 0) throw invalid({ field: 'Matches', message: 'must hold at least one contact' });
  if (contacts.length > MAX_CONTACTS) {
    const message = `must hold at most ${MAX_CONTACTS} contacts, including the one at the top level`;
    throw invalid({ field: 'Matches', message });
  }
  return contacts;
}

/** Typed clients send such values in every field that they leave out. */
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && !value.length);

/** The contact at the top level: if any of its fields is not blank or, as the only contact, if it has any field. */
function topLevelContact(request: UpsertRequest, isOnly: boolean): ContactInput | undefined {
  const names = Object.keys(Contact.shape()) as (keyof ContactInput)[];
  const fields = names.filter((name) => request[name] !== undefined);
  return fields.some((name) => isOnly || !isBlank(request[name])) ? pick(request, ...fields) : undefined;
}

function checkOrganizations(contacts: readonly RequestedContact[], { organizationId }: CallerScope): void {
  const foreign = contacts.find(
    ({ input }) => organizationId !== null && input.OrganizationId && input.OrganizationId !== organizationId,
  );
  if (foreign)
    throw forbidden(
      `This key belongs to organization ${organizationId} and cannot use another one.`,
      `${foreign.path}OrganizationId`,
    );
}

async function toFailure(
  plan: Exclude<UpsertPlan, { kind: 'ready' }>,
  contacts: readonly RequestedContact[],
  context: WriteContext,
  paymentOnFile: boolean,
): Promise<Failure> {
  const pathOf = (index: number) => contacts[index]?.path ?? '';
  switch (plan.kind) {
    case 'invalid':
      return invalid(
        ...plan.errors.map(({ index, field, message }) => ({ field: `${pathOf(index)}${field}`, message })),
      );
    case 'missing': {
      const { Id, Hash } = contacts[plan.index]?.input ?? {};
      return notFound('contact', `${pathOf(plan.index)}${Id ? 'Id' : 'Hash'}`, Id || Hash);
    }
    case 'ambiguous': {
      const { table, caller, now } = context;
      const view = { accountId: caller.accountId, now, paymentOnFile };
      const Matches = await loadContactResources(table, plan.candidates, view);
      const count = Matches.length < MAX_CANDIDATES ? `${Matches.length}` : `${MAX_CANDIDATES} or more`;
      return conflict(`${count} contacts match; Matches lists them. Repeat the call with one Id.`, { Matches });
    }
  }
}

/** One contact to be added or updated. */
interface ContactUpsert {
  readonly input: ContactInput;
  /** The search fields beside it, if the request has any. */
  readonly criteria: ContactCriteria | undefined;
  /** Whether a new lead goes to the organization that owns its postal code. */
  readonly distribute: boolean;
}

/** What becomes of the contacts; `index` is that of a contact among them. */
export type UpsertPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedError[] }
  | { readonly kind: 'ambiguous'; readonly index: number; readonly candidates: readonly ContactRecord[] }
  | { readonly kind: 'missing'; readonly index: number }
  | ({ readonly kind: 'ready' } & UpsertedContacts);

/** The caller is a call, or the command-line tool. */
interface PlanContext {
  readonly table: TableWriter;
  readonly caller: CallerScope;
  readonly now: Date;
}

interface UpsertContext extends PlanContext {
  /** The organization of the key, else the default one of the account. */
  readonly defaultOrganization: OrganizationRecord;
  /** Of an account with one organization. */
  readonly onlyOrganizationId: number | undefined;
}

/**
 * The rules of contacts/addupdate for callers with errors of their own: web leads and imports. The changes are for one
 * transaction; a contact that does not change has none.
 */
export async function planUpserts(upserts: readonly ContactUpsert[], planContext: PlanContext): Promise<UpsertPlan> {
  const { table, caller, now } = planContext;
  const [defaultOrganization, onlyOrganizationId] = await Promise.all([
    callerOrganization(table, caller, now),
    findOnlyOrganization(table, caller.accountId, now),
  ]);
  const context = { ...planContext, defaultOrganization, onlyOrganizationId };
  const unnamed = upserts.filter(({ input }) => !input.Id && !input.Hash).length;
  const [lookups] = await Promise.all([
    Promise.all(upserts.map((upsert) => lookUp(upsert, context))),
    prefetchIds(table, caller.accountId, 'Contact', unnamed),
  ]);
  const missing = lookups.findIndex(({ matches }) => matches.isNamed && !matches.candidates.length);
  if (missing >= 0) return { kind: 'missing', index: missing };
  const ambiguous = lookups.findIndex(({ matches }) => matches.candidates.length > 1);
  if (ambiguous >= 0)
    return { kind: 'ambiguous', index: ambiguous, candidates: lookups[ambiguous]?.matches.candidates ?? [] };

  const newTags = await reserveTags(upserts, lookups, context);
  if (newTags === 'full')
    return { kind: 'invalid', errors: [{ index: firstNewTag(lookups), field: 'Tags', message: TAGS_FULL }] };
  const prepared = await Promise.all(lookups.map((lookup) => prepareWrite(lookup, newTags.byName, context)));
  const writes = prepared.map(({ write }) => write);
  const errors = [
    ...prepared.flatMap(({ errors: own }, index) => own.map((error) => ({ ...error, index }))),
    ...findDuplicates(writes),
    ...contactSizeErrors(writes.map(({ after }) => after)),
  ];
  if (errors.length) return { kind: 'invalid', errors };

  const changed = writes.filter(({ before, after }) => !before || changedFields(before, after).length > 0);
  const changes = await contactChanges(table, caller.accountId, changed, { now, beside: newTags.changes });
  if (changes.length > MAX_CHANGES) {
    const field = newTags.changes.length ? 'Tags' : 'Notes';
    const count = `need ${changes.length} changes with the contacts and new tags`;
    const message = `${count}, and one call makes at most ${MAX_CHANGES}; send some of them in another call`;
    return { kind: 'invalid', errors: [{ index: upserts.length - 1, field, message }] };
  }
  return {
    kind: 'ready',
    records: writes.map(({ after }) => after),
    changes,
    reasons: prepared.flatMap(({ reason }) => reason || []),
  };
}

/** What is read for a contact before it is known which one it is, so that it takes no round of its own. */
interface Lookup {
  readonly upsert: ContactUpsert;
  readonly matches: ContactMatches;
  readonly postalOwner: PostalOwner | null | undefined;
  readonly tags: ReadonlyMap<string, Tag>;
  readonly references: ReferencedContacts;
  /** The user of OwnerUserId, if it exists for the caller. */
  readonly users: readonly UserRecord[];
}

async function lookUp(upsert: ContactUpsert, context: UpsertContext): Promise<Lookup> {
  const { input, criteria } = upsert;
  const { table, caller } = context;
  const postalCode = normalizePostalCode(input.Zip ?? '');
  const [matches, owner, tags, references, users] = await Promise.all([
    findMatches(input, criteria, context),
    postalCode ? findPostalOwner(table, caller.accountId, postalCode) : undefined,
    findTags(table, caller.accountId, tagNames(input)),
    findReferencedContacts(input, context),
    findUsers(table, caller, input.OwnerUserId ? [input.OwnerUserId] : []),
  ]);
  const postalOwner = input.Zip === undefined ? undefined : (owner ?? null);
  return { upsert, matches, postalOwner, tags, references, users };
}

/** The contacts that an input may mean, and what the partitions of its e-mail and phone hold. */
interface ContactMatches {
  readonly candidates: readonly ContactRecord[];
  readonly taken: readonly TakenKey[];
  /** Whether the input names one contact, by Id or Hash, which then must exist. */
  readonly isNamed: boolean;
}

/**
 * Finds the contact that an input means: by Id or Hash; else by the search fields; if they find nobody, or without
 * them, by e-mail; without an e-mail, by phone together with name. Without Id or Hash only in the organization of the
 * input. At most two rounds, and one more if search fields find nobody. New entries in the partitions of its e-mail and
 * phone are guarded by what they hold now.
 */
export async function findMatches(
  input: ContactInput,
  criteria: ContactCriteria | undefined,
  { table, caller, defaultOrganization, onlyOrganizationId }: UpsertContext,
): Promise<ContactMatches> {
  const { accountId } = caller;
  const blank = contactEntity.blank({ Id: 0, Hash: '', OrganizationId: 0, LocationID: '', Created: 0 });
  const facts = { organization: defaultOrganization, postalOwner: undefined, at: 0 };
  const preview = applyContactInput(blank, input, facts).contact;
  const isNamed = Boolean(input.Id || input.Hash);
  const organizationId = caller.organizationId ?? (isNamed ? null : input.OrganizationId || null);

  const reading = Promise.all(
    guardRanges(accountId, preview).map((range) =>
      findTaken(table, range, organizationId ?? onlyOrganizationId ?? null),
    ),
  );
  const findCandidates = async (): Promise<readonly ContactRecord[]> => {
    if (input.Id) return findContacts(table, accountId, [input.Id]);
    if (input.Hash) {
      const id = await findContactByHash(table, accountId, input.Hash);
      const contacts = id === undefined ? [] : await findContacts(table, accountId, [id]);
      return contacts.filter(({ Hash }) => Hash === input.Hash);
    }
    if (criteria) {
      const visible = organizationId === null ? criteria : { ...criteria, organizationId };
      const page = { skip: 0, limit: MAX_CANDIDATES };
      const { records: found } = await findMatchingContacts(table, accountId, visible, page);
      if (found.length) return found;
    }
    // The first is the e-mail, or without one the phone with the name.
    const [identity] = await reading;
    if (!identity || !(preview.Email || personName(preview))) return [];
    if (!identity.isComplete) throw tooManyAlike(preview, organizationId);
    return findSamePerson(preview, await findContacts(table, accountId, identity.ids));
  };
  const [taken, candidates] = await Promise.all([reading, findCandidates()]);
  return { candidates: candidates.filter((contact) => isVisible({ organizationId }, contact)), taken, isNamed };
}

/** Entries of the same person that were not all read: nobody can say whether one of them is meant. */
const tooManyAlike = ({ Email }: ContactRecord, organizationId: number | null): Failure =>
  conflict(
    `Too many contacts have or had this ${Email ? 'Email' : 'Phone and Name'}. ` +
      `Name the contact by its Id${organizationId === null ? ', or its organization by OrganizationId' : ''}.`,
  );

/** The contacts with the e-mail of `contact`, or if it has none, with its phone and name. */
function findSamePerson(contact: ContactRecord, others: readonly ContactRecord[]): ContactRecord[] {
  const { email, phone } = searchKeys(contact);
  if (email) return others.filter((other) => searchKeys(other).email === email);
  const name = personName(contact);
  return others.filter((other) => [other.PhoneKey, other.AltPhoneKey].includes(phone) && personName(other) === name);
}

/**
 * The contacts that an input refers to, as far as the caller may see them: at most two rounds, none without references.
 */
async function findReferencedContacts(
  { ReferredByContactId, ManagedByContactId, ReferredByHash }: ContactInput,
  { table, caller }: PlanContext,
): Promise<ReferencedContacts> {
  const hash = ReferredByHash?.trim();
  const idOfHash = hash ? await findContactByHash(table, caller.accountId, hash) : undefined;
  const ids = new Set([ReferredByContactId, ManagedByContactId, idOfHash].filter((id) => typeof id === 'number'));
  const contacts = ids.size ? await findContacts(table, caller.accountId, [...ids]) : [];
  const visible = contacts.filter((contact) => isVisible(caller, contact));
  return { ids: new Set(visible.map(({ Id }) => Id)), hashes: new Map(visible.map(({ Hash, Id }) => [Hash, Id])) };
}

const tagNames = ({ Tags }: ContactInput): string[] => (Tags ?? []).filter((name) => tagNameKey(name) !== '');

type TagsByName = ReadonlyMap<string, Tag>;

/** The tags of all contacts, once: a new name on several contacts is one tag. */
async function reserveTags(
  upserts: readonly ContactUpsert[],
  lookups: readonly Lookup[],
  { table, caller }: PlanContext,
): Promise<{ byName: TagsByName; changes: readonly Change[] } | 'full'> {
  const known = new Map(lookups.flatMap(({ tags }) => [...tags]));
  const names = upserts.flatMap(({ input }) => tagNames(input));
  const result = await tagChanges(table, caller.accountId, names, known);
  if (result.kind === 'full') return 'full';
  const { tags, changes } = result;
  return { byName: new Map(tags.map((tag) => [tagNameKey(tag.Name), tag])), changes };
}

/** The contact that names the first new tag. */
const firstNewTag = (lookups: readonly Lookup[]): number =>
  lookups.findIndex(({ upsert, tags }) => tagNames(upsert.input).some((name) => !tags.has(tagNameKey(name))));

interface PreparedWrite {
  readonly write: ContactWrite;
  readonly errors: readonly FieldError[];
  readonly reason: string;
}

/** Places a contact in its organization, applies the input, and guards its new e-mail and phone. */
async function prepareWrite(lookup: Lookup, tagsByName: TagsByName, context: UpsertContext): Promise<PreparedWrite> {
  const { table, caller, now } = context;
  const { input } = lookup.upsert;
  const [before] = lookup.matches.candidates;
  const { organization, reason, errors } = await resolveOrganization(lookup, context);
  const start = before ?? (await newContact(organization, context));
  const facts = { organization, postalOwner: lookup.postalOwner, at: now.getTime() };
  const merged = applyContactInput(start, input, facts);
  const complete = await applyListedFields(merged.contact, input, tagsByName, context);
  const after = complete.contact;
  const write = { before, after, guards: [] };
  const guards = newGuardRanges(caller.accountId, write).map((range) =>
    findGuard(table, range, after.OrganizationId, lookup.matches.taken),
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
        ['OwnerUserId', ownerError(after.OwnerUserId, start.OwnerUserId, lookup.users, organization.Id)],
        ['Email', !hasIdentifyingInfo(after) && 'or a name, phone, address or DigitalTrackingId is required'],
      ),
    ],
    reason,
  };
}

async function newContact(
  organization: OrganizationRecord,
  { table, caller, now }: PlanContext,
): Promise<ContactRecord> {
  const [Id = 0] = await reserveIds(table, caller.accountId, 'Contact', 1);
  const { Id: OrganizationId, LocationID } = organization;
  return contactEntity.blank({ Id, OrganizationId, LocationID, Hash: randomHandle(22), Created: now.getTime() });
}

/**
 * The organization of a contact, and for a distributed lead the reason. If it has none, that is an error, and the
 * caller's own organization reads the other fields: so the response has all errors.
 */
async function resolveOrganization(
  lookup: Lookup,
  context: UpsertContext,
): Promise<{ organization: OrganizationRecord; reason: string; errors: readonly FieldError[] }> {
  const [before] = lookup.matches.candidates;
  const { id, reason = '' } = before ? { id: before.OrganizationId } : await chooseOrganization(lookup, context);
  const { table, caller, now } = context;
  const organization = id === undefined ? undefined : await findRecentOrganization(table, caller.accountId, id, now);
  const closed = !before && organization && closedReason(organization);
  if (organization && !closed) return { organization, reason, errors: [] };
  const message =
    id === undefined
      ? 'is required, because the account has several organizations'
      : `must be the Id of an existing organization${closed ? ` that is open. ${closed}` : ''}`;
  return { organization: context.defaultOrganization, reason: '', errors: [{ field: 'OrganizationId', message }] };
}

/**
 * Where a new contact belongs: the key's organization, the one of the input, the owner of its postal code, or the only
 * one of the account.
 */
async function chooseOrganization(
  { upsert: { input, distribute }, postalOwner }: Lookup,
  { table, caller, now, defaultOrganization }: UpsertContext,
): Promise<{ id: number | undefined; reason?: string }> {
  if (caller.organizationId !== null) return { id: caller.organizationId };
  if (input.OrganizationId) return { id: input.OrganizationId };
  if (!distribute) return { id: await findOnlyOrganization(table, caller.accountId, now) };
  const code = input.Zip ? `postal code ${input.Zip}` : 'an address without postal code';
  const owner = postalOwner?.OrganizationId;
  const found = owner ? await findRecentOrganization(table, caller.accountId, owner, now) : undefined;
  const nobody = found ? closedReason(found) : `No organization owns ${code}`;
  if (nobody === undefined) return { id: found?.Id, reason: `Organization ${owner} owns ${code}.` };
  const cause = found ? `${nobody} and owns ${code}` : nobody;
  return { id: defaultOrganization.Id, reason: `${cause}; the lead goes to organization ${defaultOrganization.Id}.` };
}

/** A part of an input that depends on the account's lists or on older notes. */
interface ListedFields {
  readonly fields: Partial<ContactRecord>;
  readonly errors?: readonly FieldError[];
}

async function applyListedFields(
  contact: ContactRecord,
  input: ContactInput,
  tagsByName: TagsByName,
  context: PlanContext,
): Promise<{ contact: ContactRecord; errors: FieldError[] }> {
  const [marketing, taxRate, customFields, tags, notes] = await Promise.all([
    applyMarketing(contact, input, context),
    applyTaxRate(input, context),
    applyCustomFields(contact, input, context),
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

const listValues = <Kind extends SettingKind>(
  kind: Kind,
  { table, caller, now }: PlanContext,
): Promise<SettingValues[Kind][]> => listRecentSettings(table, caller.accountId, kind, now);

async function applyMarketing(
  contact: ContactRecord,
  input: ContactInput,
  context: PlanContext,
): Promise<ListedFields> {
  if (!hasMarketingInput(contact, input)) return { fields: {} };
  const result = resolveMarketing(contact, input, await listValues('Channel', context));
  return 'error' in result ? { fields: {}, errors: [result.error] } : { fields: result.marketing };
}

async function applyTaxRate({ NamedTaxRate: input }: ContactInput, context: PlanContext): Promise<ListedFields> {
  if (input === undefined) return { fields: {} };
  if (input === null) return { fields: { NamedTaxRateId: null } };
  const isRequested = ({ Id, Name }: NamedTaxRate) =>
    input.Id ? Id === input.Id : fold(Name) === fold((input.Name ?? '').trim());
  const rate = (await listValues('NamedTaxRate', context)).find(isRequested);
  return rate
    ? { fields: { NamedTaxRateId: rate.Id } }
    : { fields: {}, errors: [{ field: 'NamedTaxRate', message: 'must have the Id or Name of an existing tax rate' }] };
}

async function applyCustomFields(
  contact: ContactRecord,
  { CustomFields: inputs }: ContactInput,
  context: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const definitions = (await listValues('CustomField', context)).filter(({ TableType }) => TableType === 0);
  const { values, errors } = applyCustomFieldInputs(contact.CustomFields, inputs, definitions);
  return { fields: { CustomFields: values }, errors };
}

function applyTags(contact: ContactRecord, input: ContactInput, tagsByName: TagsByName): ListedFields {
  const added = tagNames(input).flatMap((name) => tagsByName.get(tagNameKey(name)) ?? []);
  const Tags = [...new Map([...contact.Tags, ...added].map((tag) => [tag.Id, tag])).values()];
  const message = Tags.length > MAX_TAGS && `must be at most ${MAX_TAGS}, including those of the contact`;
  return { fields: { Tags }, errors: collectErrors(['Tags', message]) };
}

async function applyNotes(
  contact: ContactRecord,
  { Notes: inputs }: ContactInput,
  { table, caller: { accountId } }: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const hasUnknown = inputs.some(({ Id }) => Id && !contact.Notes.some((note) => note.Id === Id));
  const older = hasUnknown ? ((await listOlderNotes(table, accountId, [contact])).get(contact.Id) ?? []) : [];
  const { notes, added, errors } = applyNoteInputs(contact.Notes, older, inputs);
  const ids = added.length ? await reserveIds(table, accountId, 'Note', added.length) : [];
  return {
    fields: { Notes: [...notes, ...added.map((note, index): Note => ({ Id: ids[index] as number, ...note }))] },
    errors,
  };
}
