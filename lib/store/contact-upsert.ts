import { changedFields, mergeContact, type ContactFault, type ContactInput } from '../domain/contacts/merge.ts';
import { namesMarketing, resolveMarketing, type ChannelChoice } from '../domain/contacts/marketing.ts';
import { blankContact, type ContactRecord } from '../domain/contacts/record.ts';
import { hasIdentifyingInfo } from '../domain/contacts/rules.ts';
import type { ContactCriteria } from '../domain/contacts/search.ts';
import { normalizePostalCode } from '../domain/addresses.ts';
import { mergeCustomFields } from '../domain/custom-fields.ts';
import type { OrganizationRecord, PostalOwner } from '../domain/organizations.ts';
import { fold } from '../domain/words.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Note, Tag } from '../resources/notes.ts';
import type { NamedTaxRate } from '../resources/taxes.ts';
import { homeOrganization, onlyOrganization } from './accounts.ts';
import type { Change } from './changes.ts';
import type { TableWriter } from './client.ts';
import { lookUp, type Lookup, type Viewer } from './contact-lookup.ts';
import { newGuards, takenIn, writeContacts, type ContactWrite } from './contacts.ts';
import { randomHandle } from './handles.ts';
import { leaseIds, stockIds } from './ids.ts';
import { cachedList } from './lists.ts';
import { cachedOrganization, findPostalOwner } from './organizations.ts';
import { findTags, resolveTags } from './tags.ts';

/** One contact of a request. */
export interface UpsertInput {
  readonly given: ContactInput;
  /** The search fields beside it, when the request has any. */
  readonly criteria: ContactCriteria | undefined;
  /** Send a new lead to the organization that owns its postal code. */
  readonly distribute: boolean;
}

/** What becomes of a request's contacts; `index` is the contact's place among them. */
export type Upsert =
  | { readonly kind: 'faults'; readonly faults: readonly (ContactFault & { readonly index: number })[] }
  | { readonly kind: 'ambiguous'; readonly index: number; readonly candidates: readonly ContactRecord[] }
  | { readonly kind: 'missing'; readonly index: number }
  | { readonly kind: 'ready'; readonly records: readonly ContactRecord[]; readonly changes: readonly Change[]; readonly reasons: readonly string[] };

interface Prepared {
  readonly write: ContactWrite;
  readonly faults: readonly ContactFault[];
  readonly reason: string;
}

interface Facts {
  readonly viewer: Viewer;
  readonly now: Date;
  readonly home: OrganizationRecord;
}

/** What is asked for at once, whatever the contact turns out to be, so that it costs no round of its own. */
interface Early {
  readonly lookup: Lookup;
  readonly postalOwner: PostalOwner | null | undefined;
  readonly tags: ReadonlyMap<string, Tag>;
}

const tagNames = ({ Tags }: ContactInput): string[] => (Tags ?? []).filter((name) => fold(name) !== '');

async function askEarly(table: TableWriter, { viewer, home }: Facts, { given, criteria }: UpsertInput): Promise<Early> {
  const code = normalizePostalCode(given.Zip ?? '');
  const [lookup, owner, tags] = await Promise.all([
    lookUp(table, viewer, given, { organization: home, criteria }),
    code ? findPostalOwner(table, viewer.accountId, code) : undefined,
    findTags(table, viewer.accountId, tagNames(given)),
  ]);
  return { lookup, postalOwner: given.Zip === undefined ? undefined : (owner ?? null), tags };
}

/** Where a new contact belongs, and why: the organization named, the owner of its postal code, the key's own, or the only one there is. */
async function placeFor(
  table: TableWriter,
  { viewer, now, home }: Facts,
  { given, distribute }: UpsertInput,
  owner: PostalOwner | null | undefined,
): Promise<{ id: number; reason: string } | ContactFault> {
  const { accountId, organizationId } = viewer;
  if (organizationId !== null) return { id: organizationId, reason: '' };
  if (given.OrganizationId) return { id: given.OrganizationId, reason: '' };
  if (distribute) {
    const code = given.Zip ? `postal code ${given.Zip}` : 'an address without postal code';
    if (owner?.OrganizationId) return { id: owner.OrganizationId, reason: `Organization ${owner.OrganizationId} owns ${code}.` };
    return { id: home.Id, reason: `No organization owns ${code}; organization ${home.Id} takes what nobody owns.` };
  }
  const only = await onlyOrganization(table, accountId, now);
  return only === undefined ? { field: 'OrganizationId', message: 'is required, because the account has several organizations' } : { id: only, reason: '' };
}

/** Notes with an Id of the contact's replace that note, the others are added. */
function mergeNotes(notes: readonly Note[], given: NonNullable<ContactInput['Notes']>, ids: readonly number[]): Note[] {
  const merged = notes.map((note) => {
    const change = given.find(({ Id }) => Id === note.Id);
    return change ? { ...note, Title: change.Title ?? note.Title, Body: change.Body ?? note.Body } : note;
  });
  const added = given.filter(({ Id }) => !notes.some((note) => note.Id === Id)).map(({ Title, Body }, index) => ({ Id: ids[index] as number, Title: Title ?? '', Body: Body ?? '' }));
  return [...merged, ...added];
}

/** Everything that has to be looked up beyond the plain fields: marketing, tax rate, custom fields, tags and notes. */
async function enrich(table: TableWriter, { viewer, now }: Facts, contact: ContactRecord, given: ContactInput, tagOf: ReadonlyMap<string, Tag>) {
  const { accountId } = viewer;
  const faults: ContactFault[] = [];
  let enriched = contact;
  if (namesMarketing(given)) {
    const result = resolveMarketing(contact, given, await cachedList<ChannelChoice>(table, accountId, 'Channel', now));
    if ('fault' in result) faults.push(result.fault);
    else enriched = { ...enriched, ...result.marketing };
  }
  if (given.NamedTaxRate !== undefined) {
    const rates = await cachedList<NamedTaxRate>(table, accountId, 'NamedTaxRate', now);
    const rate = rates.find(({ Id, Name }) => (given.NamedTaxRate?.Id ? Id === given.NamedTaxRate.Id : fold(Name) === fold(given.NamedTaxRate?.Name ?? '')));
    if (given.NamedTaxRate && !rate) faults.push({ field: 'NamedTaxRate', message: 'must be a tax rate there is, by Id or Name' });
    else enriched = { ...enriched, NamedTaxRateId: rate?.Id ?? null };
  }
  if (given.CustomFields?.length) {
    const definitions = (await cachedList<CustomField>(table, accountId, 'CustomField', now)).filter(({ TableType }) => TableType === 0);
    const merged = mergeCustomFields(contact.CustomFields, given.CustomFields, definitions);
    faults.push(...merged.faults.map(({ path, message }) => ({ field: path, message })));
    enriched = { ...enriched, CustomFields: merged.values };
  }
  if (given.Tags?.length) {
    const had = new Set(enriched.Tags.map(({ Id }) => Id));
    const tags = new Set(tagNames(given).flatMap((name) => tagOf.get(fold(name)) ?? []));
    enriched = { ...enriched, Tags: [...enriched.Tags, ...[...tags].filter(({ Id }) => !had.has(Id))] };
  }
  if (given.Notes?.length) {
    const ids = await leaseIds(table, accountId, 'Note', given.Notes.length);
    enriched = { ...enriched, Notes: mergeNotes(contact.Notes, given.Notes, ids) };
  }
  return { contact: enriched, faults };
}

const unplaced = (fault: ContactFault, now: Date): Prepared => ({ write: { before: undefined, after: blankOf(0, 0, now), guards: [] }, faults: [fault], reason: '' });

async function prepare(table: TableWriter, facts: Facts, input: UpsertInput, { lookup, postalOwner }: Early, tagOf: ReadonlyMap<string, Tag>): Promise<Prepared> {
  const { viewer, now } = facts;
  const { accountId } = viewer;
  const before = lookup.found[0];
  const place = before ? { id: before.OrganizationId, reason: '' } : await placeFor(table, facts, input, postalOwner);
  if ('field' in place) return unplaced(place, now);
  const organization = await cachedOrganization(table, accountId, place.id, now);
  if (!organization) return unplaced({ field: 'OrganizationId', message: 'must be an organization there is' }, now);
  const [id = 0] = before ? [before.Id] : await leaseIds(table, accountId, 'Contact', 1);
  const start = before ?? { ...blankOf(id, place.id, now), LocationID: organization.LocationID };
  const merged = mergeContact(start, input.given, { organization, postalOwner });
  const rich = await enrich(table, facts, merged.contact, input.given, tagOf);
  const faults = [...merged.faults, ...rich.faults];
  if (!hasIdentifyingInfo(rich.contact)) faults.push({ field: 'Email', message: 'or a name, phone, address or DigitalTrackingId is required' });
  const write = { before, after: rich.contact, guards: [] };
  const guards = newGuards(accountId, write).map(async (partition) => ({ partition, taken: lookup.taken.get(partition) ?? (await takenIn(table, partition)) }));
  return { write: { ...write, guards: await Promise.all(guards) }, faults, reason: place.reason };
}

const blankOf = (Id: number, OrganizationId: number, now: Date): ContactRecord =>
  blankContact({ Id, OrganizationId, Hash: randomHandle(22), LocationID: '', Created: now.getTime() });

/** Contacts of one request that would meet in one stored contact, or be made with one e-mail or phone: neither can be told from the other. */
function doubles(prepared: readonly Prepared[]): (ContactFault & { index: number })[] {
  const seen = new Map<string, number>();
  const once = (index: number, what: string, field: string) => {
    const first = seen.get(what);
    if (first === undefined) seen.set(what, index);
    return first === undefined ? [] : [{ index, field, message: `is also that of contact ${first} of this call` }];
  };
  return prepared.flatMap(({ write }, index) => [
    ...(write.before ? once(index, `${write.before.Id}`, 'Id') : []),
    ...write.guards.flatMap(({ partition }) => once(index, partition, partition.includes('#EMAIL#') ? 'Email' : 'Phone')),
  ]);
}

/**
 * Finds or makes every contact of a request, and merges what the request brings: the rules of contacts/addupdate, which quickbook shares.
 * All or none: the changes are for one transaction. A contact in which nothing changes is not written.
 */
export async function upsertContacts(table: TableWriter, viewer: Viewer, inputs: readonly UpsertInput[], now: Date): Promise<Upsert> {
  const home = await homeOrganization(table, viewer, now);
  const facts = { viewer, now, home };
  const unnamed = inputs.filter(({ given }) => !given.Id && !given.Hash).length;
  const [early] = await Promise.all([Promise.all(inputs.map((input) => askEarly(table, facts, input))), stockIds(table, viewer.accountId, 'Contact', unnamed)]);
  const lookups = early.map(({ lookup }) => lookup);
  const missing = lookups.findIndex(({ named, found }) => named && !found.length);
  if (missing >= 0) return { kind: 'missing', index: missing };
  const ambiguous = lookups.findIndex(({ found }) => found.length > 1);
  if (ambiguous >= 0) return { kind: 'ambiguous', index: ambiguous, candidates: lookups[ambiguous]?.found ?? [] };

  // Once for all contacts: a name that is new and borne by several is one tag.
  const known = new Map(early.flatMap(({ tags }) => [...tags]));
  const { tags, changes: tagChanges } = await resolveTags(table, viewer.accountId, inputs.flatMap(({ given }) => tagNames(given)), known);
  const tagOf = new Map(tags.map((tag): [string, Tag] => [fold(tag.Name), tag]));
  const prepared = await Promise.all(inputs.map((input, index) => prepare(table, facts, input, early[index] as Early, tagOf)));
  const faults = [...prepared.flatMap((each, index) => each.faults.map((fault) => ({ ...fault, index }))), ...doubles(prepared)];
  if (faults.length) return { kind: 'faults', faults };

  const writes = prepared.filter(({ write: { before, after } }) => !before || changedFields(before, after).length > 0);
  const { records, changes } = await writeContacts(table, viewer.accountId, writes.map(({ write }) => write), now.getTime());
  const stored = new Map(records.map((record) => [record.Id, record]));
  return {
    kind: 'ready',
    records: prepared.map(({ write }) => stored.get(write.after.Id) ?? write.after),
    changes: [...changes, ...tagChanges],
    reasons: prepared.flatMap(({ reason }) => (reason ? [reason] : [])),
  };
}
