import type { PostalClass, PostalShare, ShardClass } from '../entities/postal-codes.ts';
import { normalizePostalCode } from '../shared/text/text.ts';

/** The owner of a postal code (`null`: none), and the class under which each organization books it. */
export interface PostalOwner {
  readonly OrganizationId: number | null;
  readonly Classes: readonly (PostalClass & { readonly OrganizationId: number })[];
}

/** The class under which an organization books a postal code, regardless of the code's owner. */
export function postalClass(owner: PostalOwner | null | undefined, organizationId: number): PostalClass | null {
  const found = owner?.Classes.find(({ OrganizationId }) => OrganizationId === organizationId);
  return found ? { Id: found.Id, AccountingClass: found.AccountingClass, TerritoryID: found.TerritoryID } : null;
}

/** Codes of any country; a US ZIP has five digits. */
const CODE = /^[A-Z0-9]{3,10}$/;

const CODES_OF: Readonly<Record<string, RegExp>> = { US: /^\d{5}$/, CA: /^[A-Z]\d[A-Z]\d[A-Z]\d$/ };

/** Whether a text has the form of a country's postal code; the code need not exist. */
export const isPostalCode = (text: string, country: string): boolean =>
  (CODES_OF[country] ?? CODE).test(normalizePostalCode(text));

/** Prefixes that a list may contain instead of codes: `100`, `K1B`, `SW1A`, `E1`. */
const PREFIX = /^(?:\d{3}|[A-Z]{1,2}\d[A-Z\d]?)$/;
const BRITISH = /^([A-Z]{1,2}\d[A-Z\d]?)\d[A-Z]{2}$/;
const IRISH = /^[A-Z]\d[\dW][A-Z\d]{4}$/;

/**
 * The list entries that cover a postal code, longest first: `10001` and `100`; `K1B2C3`, `K1B` and `K1`; `SW1A1AA`,
 * `SW1A` and `SW1`, which is not a prefix of `SW10`.
 */
export function entriesFor(code: string): string[] {
  if (CODES_OF['US']?.test(code) || IRISH.test(code)) return [code, code.slice(0, 3)];
  if (CODES_OF['CA']?.test(code)) return [code, code.slice(0, 3), code.slice(0, 2)];
  const outward = BRITISH.exec(code)?.[1];
  if (outward === undefined) return [code];
  return [...new Set([code, outward, outward.replace(/(?<=\d)[A-Z]$/, '')])];
}

/** Whether a list contains a code or a prefix of it. */
export const servesCode = (entries: readonly string[], code: string): boolean =>
  entriesFor(code).some((entry) => entries.includes(entry));

const RANGE = /^(\d{5})\s*\p{Pd}\s*(\d{5})$/u;
const MAX_RANGE = 10_000;

/** The codes in a range of US codes, both ends included; `undefined` for any other text. */
function codesOfRange(text: string): string[] | undefined {
  const [first = 0, last = 0] = RANGE.exec(text)?.slice(1).map(Number) ?? [];
  const count = last - first + 1;
  if (last === 0 || count < 1 || count > MAX_RANGE) return undefined;
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(5, '0'));
}

/** `10001-10010` and `K1A-K1C`: a text with the same form on both sides of its hyphen is not a postal code. */
function isRange(text: string): boolean {
  const shapes = text.split(/\p{Pd}/u).map((side) => side.trim().replaceAll(/\d/g, '9').replaceAll(/[a-z]/gi, 'A'));
  const [first = '', second] = shapes;
  return first.length >= 3 && first === second;
}

const isEntry = (text: string): boolean => {
  const code = normalizePostalCode(text);
  return !isRange(text) && /\d/.test(code) && (CODE.test(code) || PREFIX.test(code));
};

const textsOf = (input: readonly string[]): string[] => input.map((text) => text.trim()).filter((text) => text !== '');

/**
 * The normalized codes and prefixes in a list, distinct and in order, with ranges of US codes expanded; `error` names
 * what is not a code, a prefix or a range.
 */
export function parsePostalCodes(input: readonly string[]): { codes: string[]; error?: string } {
  const read = textsOf(input).map((text) => {
    const codes = codesOfRange(text) ?? (isEntry(text) ? [normalizePostalCode(text)] : undefined);
    return { text, codes };
  });
  const codes = [...new Set(read.flatMap((each) => each.codes ?? []))];
  const invalid = read.filter((each) => !each.codes);
  if (!invalid.length) return { codes };
  const some = invalid.slice(0, 3).map(({ text }) => JSON.stringify(text.slice(0, 20)));
  return {
    codes,
    error:
      'must contain only postal codes, their beginnings like 100, K1B or SW1A, and ranges of US codes like ' +
      `10001-10010. Correct or remove ${some.join(', ')}`,
  };
}

/** What ranges and prefixes in a list mean: `10001-10010 is 10 postal codes.` */
export function describeEntries(input: readonly string[]): string[] {
  const texts = textsOf(input);
  const prefixes = texts.map(normalizePostalCode).filter((code) => PREFIX.test(code));
  const named =
    prefixes.length > 3 ? `${prefixes.slice(0, 2).join(', ')} and ${prefixes.length - 2} more` : prefixes.join(', ');
  return [
    ...texts.flatMap((text) => {
      const codes = codesOfRange(text);
      return codes ? [`${text} is ${codes.length} postal codes.`] : [];
    }),
    ...(prefixes.length ? [`${named} ${prefixes.length === 1 ? 'stands' : 'stand'} for all codes that begin so.`] : []),
  ];
}

/** Splits a list at commas, semicolons and line ends; not at spaces, because `K1A 0B1` contains one. */
export const splitPostalCodes = (text: string): string[] => text.split(/[,;\r\n]+/);

/**
 * The postal codes of an account are spread over this many items by a hash of the code. Changing a list is one
 * transaction, however long the list is. With all 42,000 US codes each item holds about 1,300, 9 KB.
 * docs/decisions/0005-postal-ownership.md.
 */
export const POSTAL_SHARDS = 32;

/** FNV-1a over the characters of a code: neighboring codes get distant shards. */
export function shardOfCode(code: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < code.length; index++) hash = Math.imul(hash ^ code.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % POSTAL_SHARDS;
}

export type PostalShard = Pick<PostalShare, 'Owners' | 'Classes'>;

export const emptyShard: PostalShard = { Owners: {}, Classes: [] };

const splitCodes = (text: string): string[] => (text ? text.split(',') : []);
const contains = (text: string, code: string): boolean => `,${text},`.includes(`,${code},`);

/** The organization that owns a code in the shard. */
export const findOwner = ({ Owners }: PostalShard, code: string): number | null => {
  const found = Object.keys(Owners).find((id) => contains(Owners[id] ?? '', code));
  return found === undefined ? null : Number(found);
};

/** The classes under which a code in the shard is booked, at most one for each organization. */
export const findClasses = ({ Classes }: PostalShard, code: string): ShardClass[] =>
  Classes.filter(({ Codes }) => contains(Codes, code));

/** A code that belongs to another organization, or to another class of the same one. */
export interface TakenCode {
  readonly code: string;
  /** The id of the organization or class. */
  readonly by: number;
  /** The name of the class. */
  readonly name?: string;
}

/** `Postal codes 62701, 62702 and 998 more belong to organization 2 (Springfield).` */
export function describeTaken(taken: readonly TakenCode[], by: number, owner: string): string {
  const codes = taken.filter((each) => each.by === by).map(({ code }) => code);
  const some = codes.length > 3 ? `${codes.slice(0, 2).join(', ')} and ${codes.length - 2} more` : codes.join(', ');
  return `${codes.length > 1 ? `Postal codes ${some} belong` : `Postal code ${some} belongs`} to ${owner}.`;
}

/** The new shard; or the codes that are taken, and then nothing changes. */
export type ShardAssignment =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'assigned'; readonly shard: PostalShard };

/** Makes `codes` the exact set of codes that an organization owns in the shard. */
export function assignCodes(shard: PostalShard, organizationId: number, codes: readonly string[]): ShardAssignment {
  const { [String(organizationId)]: _, ...others } = shard.Owners;
  const owners = new Map(
    Object.entries(others).flatMap(([id, text]) => splitCodes(text).map((code) => [code, Number(id)] as const)),
  );
  const taken = codes.flatMap((code) => (owners.has(code) ? [{ code, by: owners.get(code) ?? 0 }] : []));
  if (taken.length) return { kind: 'taken', taken };
  const Owners = codes.length ? { ...others, [organizationId]: codes.join(',') } : others;
  return { kind: 'assigned', shard: { ...shard, Owners } };
}

/** Makes `codes` the exact set of codes that a class has in the shard, under its current names. */
export function classifyCodes(
  shard: PostalShard,
  postalClass: PostalClass & { readonly OrganizationId: number },
  codes: readonly string[],
): ShardAssignment {
  const { OrganizationId, Id } = postalClass;
  const others = shard.Classes.filter((each) => each.OrganizationId !== OrganizationId || each.Id !== Id);
  const siblings = others.filter((each) => each.OrganizationId === OrganizationId);
  const bookings = new Map(
    siblings.flatMap((sibling) => splitCodes(sibling.Codes).map((code) => [code, sibling] as const)),
  );
  const taken = codes.flatMap((code) => {
    const sibling = bookings.get(code);
    return sibling ? [{ code, by: sibling.Id, name: sibling.AccountingClass }] : [];
  });
  if (taken.length) return { kind: 'taken', taken };
  const Classes = codes.length ? [...others, { ...postalClass, Codes: codes.join(',') }] : others;
  return { kind: 'assigned', shard: { ...shard, Classes } };
}
