import { normalizePostalCode } from '../shared/addresses.ts';

/** An accounting class, as contacts keep it. */
export interface PostalClass {
  readonly Id: number;
  readonly AccountingClass: string;
  readonly TerritoryID: string;
}

/**
 * What is known of a postal code: the organization that owns it, `null` when none does, and the class each organization
 * books it under.
 */
export interface PostalOwner {
  readonly OrganizationId: number | null;
  readonly Classes: readonly (PostalClass & { readonly OrganizationId: number })[];
}

/** The class under which an organization books a postal code, whoever owns the code. */
export function postalClass(owner: PostalOwner | null | undefined, organizationId: number): PostalClass | null {
  const found = owner?.Classes.find(({ OrganizationId }) => OrganizationId === organizationId);
  return found ? { Id: found.Id, AccountingClass: found.AccountingClass, TerritoryID: found.TerritoryID } : null;
}

/** Letters and digits, 3 to 10 of them: every country's codes, a US ZIP being five digits. */
const CODE = /^[A-Z0-9]{3,10}$/;

/** The postal codes of a list, normalised and each once, in the order given; `wrong` holds those that cannot be one. */
export function parsePostalCodes(input: readonly string[]): { codes: string[]; wrong: string[] } {
  const written = input.map((text) => text.trim()).filter((text) => text !== '');
  const wrong = written.filter((text) => !CODE.test(normalizePostalCode(text)));
  return { codes: [...new Set(written.map(normalizePostalCode))], wrong };
}

/** A list as one text: comma, semicolon or line end separate (a space does not, as `K1A 0B1` has one). */
export const splitPostalCodes = (text: string): string[] => text.split(/[,;\r\n]+/);

/** What is wrong with a list of postal codes, as the end of a sentence about its field; `undefined` when nothing is. */
export const postalCodeError = (wrong: readonly string[]): string | undefined =>
  wrong.length
    ? `must be postal codes, which ${wrong
        .slice(0, 3)
        .map((text) => JSON.stringify(text.slice(0, 20)))
        .join(', ')} ${wrong.length > 1 ? 'are' : 'is'} not`
    : undefined;

/**
 * An account's postal codes are dealt out over this many items by a hash of the code, so that a change of any list,
 * however long, is one transaction. Of all 42,000 codes of the US each item holds some 1,300, 9 KB.
 * docs/decisions/0005-postal-ownership.md.
 */
export const POSTAL_SHARDS = 32;

/** The share a code is in. FNV-1a over its characters: neighbouring codes fall far apart. */
export function shardOfCode(code: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < code.length; index++) hash = Math.imul(hash ^ code.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % POSTAL_SHARDS;
}

/** An accounting class of an organization, with those of its codes that are in the share, comma-separated. */
export interface ShardClass extends PostalClass {
  readonly OrganizationId: number;
  readonly Codes: string;
}

/** One share: who owns which of its codes, and under which class each organization books them. */
export interface PostalShard {
  /** Organization id → its codes, comma-separated. */
  readonly Owners: Readonly<Record<string, string>>;
  readonly Classes: readonly ShardClass[];
}

export const emptyShard: PostalShard = { Owners: {}, Classes: [] };

const codesIn = (text: string): string[] => (text ? text.split(',') : []);
const holds = (text: string, code: string): boolean => `,${text},`.includes(`,${code},`);

/** The organization that owns a code of the share. */
export const findOwner = ({ Owners }: PostalShard, code: string): number | null => {
  const found = Object.keys(Owners).find((id) => holds(Owners[id] ?? '', code));
  return found === undefined ? null : Number(found);
};

/** The classes under which a code of the share is booked, one an organization at most. */
export const findClasses = ({ Classes }: PostalShard, code: string): ShardClass[] =>
  Classes.filter(({ Codes }) => holds(Codes, code));

/** A code that another organization owns, or another class of the organization has. */
export interface TakenCode {
  readonly code: string;
  /** Id of the organization or class. */
  readonly by: number;
  /** Name of the class. */
  readonly name?: string;
}

/** Says which codes one owner has: `Postal codes 62701, 62702 and 998 more belong to organization 2 (Springfield).` */
export function describeTaken(taken: readonly TakenCode[], by: number, owner: string): string {
  const codes = taken.filter((each) => each.by === by).map(({ code }) => code);
  const some = codes.length > 3 ? `${codes.slice(0, 2).join(', ')} and ${codes.length - 2} more` : codes.join(', ');
  return `${codes.length > 1 ? `Postal codes ${some} belong` : `Postal code ${some} belongs`} to ${owner}.`;
}

type Claim =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'had'; readonly share: PostalShard };

/**
 * The share after an organization's codes in it are exactly `codes`; or which of them another one owns, and nothing is
 * changed.
 */
export function assignCodes(share: PostalShard, organizationId: number, codes: readonly string[]): Claim {
  const own = String(organizationId);
  const owners = new Map(
    Object.entries(share.Owners)
      .filter(([id]) => id !== own)
      .flatMap(([id, text]) => codesIn(text).map((code): [string, number] => [code, Number(id)])),
  );
  const taken = codes.flatMap((code) => (owners.has(code) ? [{ code, by: owners.get(code) ?? 0 }] : []));
  if (taken.length) return { kind: 'taken', taken };
  const { [own]: _, ...others } = share.Owners;
  return { kind: 'had', share: { ...share, Owners: codes.length ? { ...others, [own]: codes.join(',') } : others } };
}

/**
 * The share after a class has exactly `codes` in it, under its present names; or which of them another class of its
 * organization has.
 */
export function classifyCodes(
  share: PostalShard,
  { OrganizationId, ...of }: PostalClass & { readonly OrganizationId: number },
  codes: readonly string[],
): Claim {
  const others = share.Classes.filter((each) => each.OrganizationId !== OrganizationId || each.Id !== of.Id);
  const rivals = others.filter((each) => each.OrganizationId === OrganizationId);
  const booked = new Map(
    rivals.flatMap((rival) => codesIn(rival.Codes).map((code): [string, ShardClass] => [code, rival])),
  );
  const taken = codes.flatMap((code) => {
    const rival = booked.get(code);
    return rival ? [{ code, by: rival.Id, name: rival.AccountingClass }] : [];
  });
  if (taken.length) return { kind: 'taken', taken };
  return {
    kind: 'had',
    share: {
      ...share,
      Classes: codes.length ? [...others, { OrganizationId, ...of, Codes: codes.join(',') }] : others,
    },
  };
}
