import {
  type PostalClass,
  type PostalShard,
  type TakenCode,
  assignCodes,
  classifyCodes,
  emptyShard,
  shardOfCode,
} from '../domain/postal-ownership.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { layout } from './keys.ts';

/** Whether a list could be had: the changes for the transaction, or the codes that others have. */
export type PostalOwnershipInput =
  | { readonly kind: 'taken'; readonly taken: readonly TakenCode[] }
  | { readonly kind: 'had'; readonly changes: readonly Change[] };

/** A list before and after. */
export interface ListChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function dealt(codes: readonly string[]): Map<number, string[]> {
  const shares = new Map<number, string[]>();
  for (const code of codes) {
    const share = shardOfCode(code);
    const list = shares.get(share);
    if (list) list.push(code);
    else shares.set(share, [code]);
  }
  return shares;
}

const sameCodes = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((code) => b.includes(code));

/**
 * Each share that a change of a list concerns, with the codes it holds of the list afterwards; every one of the list,
 * where `all` must be written anew.
 */
function concerned({ before, after }: ListChange, all: boolean): [number, string[]][] {
  const [old, next] = [dealt(before), dealt(after)];
  const shares = [...new Set([...old.keys(), ...next.keys()])];
  return shares
    .filter((share) => all || !sameCodes(old.get(share), next.get(share)))
    .map((share) => [share, next.get(share) ?? []]);
}

type Stored = PostalShard & { readonly V: number };

async function change(
  table: TableReader,
  account: string,
  shares: readonly [number, string[]][],
  decide: (share: PostalShard, codes: readonly string[]) => ReturnType<typeof assignCodes>,
): Promise<PostalOwnershipInput> {
  const keys = shares.map(([share]) => layout.postalShare.key({ account, share }));
  const stored = new Map(
    (await table.getMany(keys)).map((item): [string, Stored] => [item.PK, item as unknown as Stored]),
  );
  const taken: TakenCode[] = [];
  const changes: Change[] = [];
  for (const [index, [, codes]] of shares.entries()) {
    const key = keys[index] as (typeof keys)[number];
    const was = stored.get(key.PK);
    const claim = decide(was ?? emptyShard, codes);
    if (claim.kind === 'taken') taken.push(...claim.taken);
    else
      changes.push({
        put: { ...key, Owners: claim.share.Owners, Classes: claim.share.Classes, V: (was?.V ?? 0) + 1 },
        if: was ? { equals: { V: was.V } } : 'absent',
      });
  }
  return taken.length
    ? { kind: 'taken', taken: taken.sort((a, b) => (a.code < b.code ? -1 : 1)) }
    : { kind: 'had', changes };
}

/** Makes an organization the owner of exactly the codes of its list, at most 32 changes however long the list is. */
export const postalOwnershipChanges = (
  table: TableReader,
  account: string,
  organizationId: number,
  list: ListChange,
): Promise<PostalOwnershipInput> =>
  change(table, account, concerned(list, false), (share, codes) => assignCodes(share, organizationId, codes));

/**
 * Books exactly the codes of a class's list under it; `renamed` when its name or territory, which stand beside its
 * codes, is another than before.
 */
export const postalClassChanges = (
  table: TableReader,
  account: string,
  of: PostalClass & { readonly OrganizationId: number },
  { renamed, ...list }: ListChange & { readonly renamed: boolean },
): Promise<PostalOwnershipInput> =>
  change(table, account, concerned(list, renamed), (share, codes) => classifyCodes(share, of, codes));
