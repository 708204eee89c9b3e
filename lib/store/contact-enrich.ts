import { changesMarketing, resolveMarketing, type ChannelChoice } from '../domain/contacts/marketing.ts';
import type { ContactFault, ContactInput } from '../domain/contacts/merge.ts';
import { mergeNotes } from '../domain/contacts/notes.ts';
import type { ContactRecord } from '../domain/contacts/record.ts';
import { MOST_TAGS, nameKey } from '../domain/contacts/tags.ts';
import { mergeCustomFields } from '../domain/custom-fields.ts';
import { fold } from '../domain/words.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { Note, Tag } from '../resources/notes.ts';
import type { NamedTaxRate } from '../resources/taxes.ts';
import type { TableWriter } from './client.ts';
import { olderNotes } from './contact-notes.ts';
import { leaseIds } from './ids.ts';
import { cachedList } from './lists.ts';

/** A contact with one more part of the request laid over it. */
interface Enriched {
  readonly fields: Partial<ContactRecord>;
  readonly faults?: readonly ContactFault[];
}

interface Enriching {
  readonly table: TableWriter;
  readonly account: string;
  readonly now: Date;
}

/** The names of the tags a request brings. */
export const tagNames = ({ Tags }: ContactInput): string[] => (Tags ?? []).filter((name) => nameKey(name) !== '');

async function marketing(
  { table, account, now }: Enriching,
  contact: ContactRecord,
  given: ContactInput,
): Promise<Enriched> {
  if (!changesMarketing(contact, given)) return { fields: {} };
  const result = resolveMarketing(contact, given, await cachedList<ChannelChoice>(table, account, 'Channel', now));
  return 'fault' in result ? { fields: {}, faults: [result.fault] } : { fields: result.marketing };
}

async function taxRate({ table, account, now }: Enriching, given: ContactInput): Promise<Enriched> {
  const wanted = given.NamedTaxRate;
  if (wanted === undefined) return { fields: {} };
  if (wanted === null) return { fields: { NamedTaxRateId: null } };
  const rates = await cachedList<NamedTaxRate>(table, account, 'NamedTaxRate', now);
  const rate = rates.find(({ Id, Name }) =>
    wanted.Id ? Id === wanted.Id : fold(Name) === fold((wanted.Name ?? '').trim()),
  );
  return rate
    ? { fields: { NamedTaxRateId: rate.Id } }
    : { fields: {}, faults: [{ field: 'NamedTaxRate', message: 'must be a tax rate there is, by Id or Name' }] };
}

async function customFields(
  { table, account, now }: Enriching,
  contact: ContactRecord,
  given: ContactInput,
): Promise<Enriched> {
  if (!given.CustomFields?.length) return { fields: {} };
  const definitions = (await cachedList<CustomField>(table, account, 'CustomField', now)).filter(
    ({ TableType }) => TableType === 0,
  );
  const { values, faults } = mergeCustomFields(contact.CustomFields, given.CustomFields, definitions);
  return { fields: { CustomFields: values }, faults: faults.map(({ path, message }) => ({ field: path, message })) };
}

function tags(contact: ContactRecord, given: ContactInput, tagOf: ReadonlyMap<string, Tag>): Enriched {
  const named = tagNames(given).flatMap((name) => tagOf.get(nameKey(name)) ?? []);
  const Tags = [...new Map([...contact.Tags, ...named].map((tag) => [tag.Id, tag])).values()];
  const faults =
    Tags.length > MOST_TAGS
      ? [{ field: 'Tags', message: `must be at most ${MOST_TAGS}, with those that the contact has` }]
      : [];
  return { fields: { Tags }, faults };
}

async function notes({ table, account }: Enriching, contact: ContactRecord, given: ContactInput): Promise<Enriched> {
  if (!given.Notes?.length) return { fields: {} };
  const unknown = given.Notes.some(({ Id }) => Id && !contact.Notes.some((note) => note.Id === Id));
  const older = unknown ? ((await olderNotes(table, account, [contact])).get(contact.Id) ?? []) : [];
  const merged = mergeNotes(contact.Notes, older, given.Notes);
  const ids = merged.added.length ? await leaseIds(table, account, 'Note', merged.added.length) : [];
  const added = merged.added.map((note, index): Note => ({ Id: ids[index] as number, ...note }));
  return { fields: { Notes: [...merged.notes, ...added] }, faults: merged.faults };
}

/**
 * Lays over a contact what has to be looked up: marketing, tax rate, custom fields, tags (`tagOf` has those of the
 * request by nameKey) and notes.
 */
export async function enrich(
  from: Enriching,
  contact: ContactRecord,
  given: ContactInput,
  tagOf: ReadonlyMap<string, Tag>,
): Promise<{ contact: ContactRecord; faults: ContactFault[] }> {
  const parts = await Promise.all([
    marketing(from, contact, given),
    taxRate(from, given),
    customFields(from, contact, given),
    tags(contact, given, tagOf),
    notes(from, contact, given),
  ]);
  return {
    contact: Object.assign({}, contact, ...parts.map(({ fields }) => fields)) as ContactRecord,
    faults: parts.flatMap(({ faults = [] }) => faults),
  };
}
