import { searchEntryEntity } from '../../entities/contact-entries.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { createHash } from 'node:crypto';
import { statesOf } from '../../domain/contacts/merged-states.ts';
import { type ContactCriteria, isOnDays, personName, searchKeys } from '../../domain/contacts/search.ts';
import { matchesWords } from '../../shared/text/text.ts';
import type { Item } from '../dynamodb/changes.ts';
import { type Key, layout, padded, unescaped, keyText, sortable } from '../keys.ts';
import type { StoreAccount } from '../store.ts';

/**
 * Every list of the index exists twice: for the account, and for the contact's organization, so that searches within an
 * organization do not read entries of others.
 */
type Scope = 'ALL' | number;

/** Partitions of an account-wide list by time: 4 take 4,000 writes per second, and are read in parallel. */
export const SHARDS = 4;
const shardsOf = (scope: Scope): number => (scope === 'ALL' ? SHARDS : 1);

/** Prefix of the rest of the sort key in entries without number; sorts before every number. */
const UNNUMBERED = '!';

/** A name in a sort key, of fixed length; contacts without a name share one. */
const nameKey = (contact: ContactRecord): string => {
  const name = personName(contact);
  return name ? createHash('sha256').update(name).digest('base64url').slice(0, 16) : '-';
};

/**
 * The entries of one e-mail in an organization, or of one phone with one name, which identify a person. Their numbers
 * guard against duplicates: of two calls that add the same entry, one fails and looks again.
 */
export interface GuardRange {
  readonly partition: string;
  /** Text between the organization and the number. */
  readonly infix: string;
}

export const guardKey = ({ partition, infix }: GuardRange, organization: number, ordinal: number): Key => ({
  PK: partition,
  SK: `${padded(organization)}#${infix}${padded(ordinal)}`,
});

/** The organization of an entry, and its number if it has one. */
export function parseGuard(sortKey: string, { infix }: GuardRange): { organization: number; ordinal: number | null } {
  const [organization = ''] = sortKey.split('#', 1);
  const rest = sortKey.slice(organization.length + 1 + infix.length);
  return { organization: Number(organization), ordinal: rest.startsWith(UNNUMBERED) ? null : Number(rest) };
}

export const isInGuard = (sortKey: string, { infix }: GuardRange): boolean =>
  sortKey.startsWith(infix, sortKey.indexOf('#') + 1);

/** The ranges that guard a contact's e-mail and phone against duplicates in its organization. */
export function guardRanges({ account }: StoreAccount, contact: ContactRecord): GuardRange[] {
  if (contact.MergedInto !== undefined) return [];
  const { email, phone } = searchKeys(contact);
  return [
    ...(email ? [{ partition: layout.contactEmail.of({ account, email }), infix: '' }] : []),
    ...(phone ? [{ partition: layout.contactPhone.of({ account, phone }), infix: `${nameKey(contact)}#` }] : []),
  ];
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/**
 * Maximum bytes of a value in a partition key, and of a word and of facts in a sort key: an entry never exceeds 250
 * bytes.
 */
const MAX_VALUE_BYTES = 40;
const MAX_WORD_BYTES = 60;
const MAX_FACT_BYTES = 72;

/** A value as a part of a partition key: itself, or its hash if it is long. */
const keyValue = (value: string): string =>
  bytesOf(value) <= MAX_VALUE_BYTES ? value : createHash('sha256').update(value).digest('base64url').slice(0, 22);

/** The beginning of a word that an entry's key contains; for longer words the search compares the contact. */
export function keyWord(word: string): string {
  if (bytesOf(word) <= MAX_WORD_BYTES) return word;
  let size = 0;
  return [...word].filter((character) => (size += bytesOf(character)) <= MAX_WORD_BYTES).join('');
}

/** The part of a word in its partition key: the first character, so that any prefix is one range of one partition. */
const start = (word: string): string => [...word][0] ?? '';

/** Stands for text that is too long for a key. */
const UNKNOWN = '?';

/**
 * The facts in an entry's key besides its own word or tag: the contact's category, and all words of its name or its
 * address, so that one range decides them all. Facts are in the key because an entry must not change before its contact
 * does: both states of a contact have entries until its transaction removes the old ones.
 */
function factsText(category: string, words?: readonly string[]): string {
  const [full, short] = [`${category}:${words?.join(' ') ?? UNKNOWN}`, `${category}:${UNKNOWN}`];
  return [full, short].find((text) => bytesOf(text) <= MAX_FACT_BYTES) ?? `${UNKNOWN}:${UNKNOWN}`;
}

/** Orders contacts by the time of their oldest note. */
const noteAgeKey = ({ account }: StoreAccount, id: number, at: number): Key =>
  layout.contactNoteAge.key({ account, shard: id % SHARDS, created: sortable(at), id });

export const noteAgePartitions = ({ account }: StoreAccount): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => layout.contactNoteAge.of({ account, shard }));

/** The entries of a contact in the lists of those with credit. */
export const creditKeys = (
  { account }: StoreAccount,
  { Id: id, OrganizationId, Created }: Pick<ContactRecord, 'Id' | 'OrganizationId' | 'Created'>,
): Key[] =>
  (['ALL', OrganizationId] as const).map((scope) =>
    layout.contactCredit.key({ account, scope, created: sortable(Created), id }),
  );

/** The index entries of a contact, one item each, without the numbered ones of its e-mail and phone. */
export function contactEntryKeys(store: StoreAccount, contact: ContactRecord): Key[] {
  const { account } = store;
  // A contact that was merged into another one is found only by its Hash.
  if (contact.MergedInto !== undefined) return [layout.contactHash.key({ account, hash: contact.Hash })];
  const keys = searchKeys(contact);
  const created = sortable(contact.Created);
  const trackings = new Set(statesOf(contact).flatMap(({ DigitalTrackingId }) => DigitalTrackingId || []));
  const scoped = (['ALL', contact.OrganizationId] as const).flatMap((scope): Key[] => {
    const at = { account, scope, id: contact.Id, created, shard: contact.Id % shardsOf(scope) };
    const wordKeys = (index: 'contactName' | 'contactAddress', words: readonly string[]) => {
      const facts = factsText(keys.category, words);
      return words.map((word) => layout[index].key({ ...at, start: start(word), word: keyWord(word), facts }));
    };
    return [
      layout.contactCreated.key(at),
      ...wordKeys('contactName', keys.names),
      ...wordKeys('contactAddress', keys.addresses),
      ...[...trackings].map((tracking) => layout.contactTracking.key({ ...at, tracking: keyValue(tracking) })),
      ...(contact.EmailProblem ? [layout.contactEmailProblem.key(at)] : []),
      ...(keys.category ? [layout.contactCategory.key({ ...at, category: keyValue(keys.category) })] : []),
      ...keys.tags.map((tag) => layout.contactTag.key({ ...at, tag: keyValue(tag), facts: factsText(keys.category) })),
    ];
  });
  const { Id: id, Hash, ReferredByContactId, ReferredByHash, ManagedByContactId } = contact;
  const targets = new Set(
    [ReferredByContactId, ManagedByContactId, ReferredByHash].filter((target) => target !== null),
  );
  return [
    layout.contactHash.key({ account, hash: Hash }),
    ...(contact.OldestNote === undefined ? [] : [noteAgeKey(store, contact.Id, contact.OldestNote)]),
    ...[...targets].flatMap((target) => (target ? [layout.contactLink.key({ account, target, id })] : [])),
    ...scoped,
    ...(contact.CreditBalance ? creditKeys(store, contact) : []),
    ...unnumberedKeys(store, contact),
  ];
}

/** The sort key of an entry without number, after the prefix of its range. */
const unnumbered = ({ OrganizationId, Created, Id }: ContactRecord, infix: string): string =>
  `${padded(OrganizationId)}#${infix}${UNNUMBERED}${sortable(Created)}#${padded(Id)}`;

/** The entry of a contact's phone under its name, or under the name of a contact that was merged into it. */
const phoneEntryKey = ({ account }: StoreAccount, contact: ContactRecord, phone: string): Key => ({
  PK: layout.contactPhone.of({ account, phone }),
  SK: unnumbered(contact, `${nameKey(contact)}#`),
});

/**
 * The entries of a contact by its second phone, and by the e-mails and phones of contacts merged into it. Their phones
 * are found both with their own names and with that of the contact.
 */
function unnumberedKeys(store: StoreAccount, contact: ContactRecord): Key[] {
  const { account } = store;
  const [own, ...merged] = statesOf(contact);
  const { altPhone } = searchKeys(contact);
  const keys = [
    ...(altPhone ? [phoneEntryKey(store, contact, altPhone)] : []),
    ...merged.flatMap((state): Key[] => {
      const { email, phone, altPhone: other } = searchKeys(state);
      const phones = [phone, other].filter(Boolean);
      return [
        ...(email ? [{ PK: layout.contactEmail.of({ account, email }), SK: unnumbered(contact, '') }] : []),
        ...phones.flatMap((each) => [state, own ?? state].map((named) => phoneEntryKey(store, named, each))),
      ];
    }),
  ];
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

/** The entries of contacts with exactly this word in their name or address, in one organization or in all. */
const wordRange =
  (index: 'contactName' | 'contactAddress') =>
  (account: string, word: string, scope: Scope = 'ALL') => ({
    partition: layout[index].of({ account, scope, start: start(word) }),
    from: `${keyWord(word)}#`,
    to: `${keyWord(word)}#~`,
  });
export const nameRange = wordRange('contactName');
export const addressRange = wordRange('contactAddress');

/** The ranges of a contact's word entries, regardless of their facts: one per word. */
export function wordRanges(
  store: StoreAccount,
  contacts: readonly ContactRecord[],
): { readonly partition: string; readonly from: string; readonly to: string }[] {
  const keys = contacts.flatMap((contact) => contactEntryKeys(store, contact));
  const places = keys.flatMap(({ PK, SK }) => {
    const [word = '', created = '', id = '', facts] = SK.split('#');
    return facts !== undefined && /^\d+$/.test(id) ? [`${PK}\n${word}#${created}#${id}#`] : [];
  });
  return [...new Set(places)].map((place) => {
    const [partition = '', from = ''] = place.split('\n');
    return { partition, from, to: `${from}~` };
  });
}

/** The attributes of an entry: the contact, its creation time, and its organization. */
export const entryOf = (
  key: Key,
  { Id, Created, OrganizationId }: Pick<ContactRecord, 'Id' | 'Created' | 'OrganizationId'>,
): Item => ({ ...key, Id, At: Created, O: OrganizationId });

/**
 * The entries to put before a contact changes, and those that may be removed afterwards. Entries may be stale but never
 * missing, and searches compare every contact that they find with the criteria.
 */
export function indexEntryChanges(
  store: StoreAccount,
  before: ContactRecord | undefined,
  after: ContactRecord,
): { puts: Item[]; removals: Key[] } {
  const oldKeys = before ? contactEntryKeys(store, before) : [];
  const newKeys = contactEntryKeys(store, after);
  const without = (keys: readonly Key[], others: readonly Key[]) => {
    const texts = new Set(others.map(keyText));
    return keys.filter((key) => !texts.has(keyText(key)));
  };
  return { puts: without(newKeys, oldKeys).map((key) => entryOf(key, after)), removals: without(oldKeys, newKeys) };
}

/**
 * Every index entry of a contact, as in a rebuilt index. E-mail and phone are numbered by the contact's id, so the
 * result is always the same; later numbers follow.
 */
export const indexEntries = (store: StoreAccount, contact: ContactRecord): Item[] => {
  const guards = guardRanges(store, contact).map((range) => guardKey(range, contact.OrganizationId, contact.Id));
  return [...contactEntryKeys(store, contact), ...guards].map((key) => entryOf(key, contact));
};

/** Search criteria by the kind of entry that finds them. */
export type Criterion =
  | 'email'
  | 'phone'
  | 'tracking'
  | 'names'
  | 'addresses'
  | 'tags'
  | 'emailProblem'
  | 'credit'
  | 'category'
  | 'created';

/** A list of entries that contains every contact that meets one criterion, or one word or tag of it. */
export interface EntryList {
  readonly criterion: Criterion;
  /** The word or tag. */
  readonly value: string;
  /** For a list by time, newest first: one partition per shard. */
  readonly partitions: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

const scopeOf = ({ organizationId }: ContactCriteria): Scope => organizationId ?? 'ALL';

/** Number of words that are looked up; the facts of the entries decide the others. */
const MAX_NAME_LISTS = 2;
const MAX_ADDRESS_LISTS = 3;
/** Short words are prefixes of many others. */
const longest = (words: readonly string[], count: number): string[] =>
  words.toSorted((a, b) => b.length - a.length).slice(0, count);

/** The lists of criteria that usually have few matches. */
export function narrowLists({ account }: StoreAccount, criteria: ContactCriteria): EntryList[] {
  const { email, phone, tracking, names = [], addresses = [] } = criteria;
  const scope = scopeOf(criteria);
  // The entries of an e-mail or phone are ordered by organization.
  const own = scope === 'ALL' ? {} : { from: `${padded(scope)}#`, to: `${padded(scope)}~` };
  const list = (criterion: Criterion, value: string, partition: string, range = {}): EntryList => ({
    criterion,
    value,
    partitions: [partition],
    ...range,
  });
  const wordList = (criterion: Criterion, index: 'contactName' | 'contactAddress') => (word: string) =>
    list(criterion, word, layout[index].of({ account, scope, start: start(word) }), {
      from: keyWord(word),
      to: `${keyWord(word)}\u{10FFFF}`,
    });
  return [
    ...(email === undefined ? [] : [list('email', email, layout.contactEmail.of({ account, email }), own)]),
    ...(phone === undefined ? [] : [list('phone', phone, layout.contactPhone.of({ account, phone }), own)]),
    ...(tracking === undefined
      ? []
      : [list('tracking', tracking, layout.contactTracking.of({ account, scope, tracking: keyValue(tracking) }))]),
    ...longest(names, MAX_NAME_LISTS).map(wordList('names', 'contactName')),
    ...longest(addresses, MAX_ADDRESS_LISTS).map(wordList('addresses', 'contactAddress')),
  ];
}

const LAST_TIME = 99_999_999_999_999;

/**
 * The lists by time: that of e-mail problems, that of credit, and one per tag; without them, that of the category;
 * without a category, that of all contacts. Facts of tag entries decide the category. `createdOnly` asks for the
 * contacts of a time span, ignoring the other criteria.
 */
export function timeLists(
  { account }: StoreAccount,
  criteria: ContactCriteria,
  { createdOnly = false } = {},
): EntryList[] {
  const { tags = [], hasEmailProblem, hasCredit, category, createdFrom = 0, createdThrough = LAST_TIME } = criteria;
  const scope = scopeOf(criteria);
  const span = { from: sortable(createdFrom), to: `${sortable(Math.min(createdThrough, LAST_TIME))}~` };
  const list = (criterion: Criterion, value: string, partitionOf: (shard: number) => string): EntryList => ({
    criterion,
    value,
    partitions: Array.from({ length: shardsOf(scope) }, (_, shard) => partitionOf(shard)),
    ...span,
  });
  const short = (criterion: Criterion, index: 'contactEmailProblem' | 'contactCredit'): EntryList => ({
    criterion,
    value: '',
    partitions: [layout[index].of({ account, scope })],
    ...span,
  });
  const created = list('created', '', (shard) => layout.contactCreated.of({ account, scope, shard }));
  if (createdOnly) return [created];
  const sparse = [
    ...(hasEmailProblem ? [short('emailProblem', 'contactEmailProblem')] : []),
    ...(hasCredit ? [short('credit', 'contactCredit')] : []),
    ...[...new Set(tags)].map((tag) =>
      list('tags', tag, (shard) => layout.contactTag.of({ account, scope, tag: keyValue(tag), shard })),
    ),
  ];
  if (sparse.length) return sparse;
  if (category)
    return [
      list('category', category, (shard) =>
        layout.contactCategory.of({ account, scope, category: keyValue(category), shard }),
      ),
    ];
  return [created];
}

/** What an index entry knows about its contact. */
export interface Entry {
  readonly id: number;
  readonly at: number;
  /** Orders contacts by time: time and id. */
  readonly orderKey: string;
  /** Unknown in e-mail and phone entries that earlier versions stored. */
  readonly organization: number | undefined;
  readonly category: string | undefined;
  readonly words: readonly string[] | undefined;
}

const orderKeyAt = (at: number, id: number): string => `${sortable(at)}#${padded(id)}`;

export function parseEntry(item: Item): Entry {
  const { SK } = item;
  const { Id: id, At: at, O: organization } = searchEntryEntity.read(item);
  const facts = SK.split('#').at(-1) ?? '';
  const end = facts.lastIndexOf(':');
  const known = (text: string) => (end < 0 || text === UNKNOWN ? undefined : unescaped(text));
  return {
    id,
    at,
    orderKey: orderKeyAt(at, id),
    organization,
    category: known(facts.slice(0, end)),
    words: known(facts.slice(end + 1))?.split(' '),
  };
}

/** Whether an entry's facts contradict the criteria, so that its contact is excluded. */
export function isExcluded(
  { at, organization, category, words }: Entry,
  { criterion }: EntryList,
  criteria: ContactCriteria,
): boolean {
  const { createdFrom = 0, createdThrough = LAST_TIME, organizationId } = criteria;
  const family = criterion === 'names' ? criteria.names : criterion === 'addresses' ? criteria.addresses : undefined;
  return (
    at < createdFrom ||
    at > createdThrough ||
    (organization !== undefined && !isOnDays(at, organization, criteria)) ||
    (organizationId !== undefined && organization !== undefined && organization !== organizationId) ||
    (criteria.category !== undefined && category !== undefined && category !== criteria.category) ||
    (family !== undefined && words !== undefined && !matchesWords(family, words))
  );
}
