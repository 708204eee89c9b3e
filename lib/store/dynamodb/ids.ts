import type { BookIdKind } from '../../domain/pricebook/types.ts';
import { layout } from '../keys.ts';
import type { TableWriter } from './client.ts';

/** Kinds of ids; each account counts each kind from 1. */
export type IdKind =
  | 'Organization'
  | 'Contact'
  | 'Note'
  | 'Tag'
  | 'Call'
  | 'Setting'
  | 'Campaign'
  | 'Blog'
  | 'ServiceAgent'
  | 'User'
  | 'AccountingClass'
  | 'Task'
  | 'Appointment'
  | 'Proposal'
  | 'ProposalLine'
  | 'ProposalOption'
  | 'ProposalNote'
  | 'Invoice'
  | 'InvoiceLine'
  | 'Payment'
  | BookIdKind;

const BLOCK = 20;
const INT32_MAX = 2 ** 31 - 1;
const leased = new Map<string, number[]>();

/**
 * Sees to it that `count` ids are at hand, so that taking them later costs no round. They are leased in blocks of 20
 * with one ADD, which a lost reply may make twice: that leaves a gap, which is allowed, and never a repeat.
 */
export async function prefetchIds(table: TableWriter, account: string, kind: IdKind, count: number): Promise<number[]> {
  const name = `${account}#${kind}`;
  const held = leased.get(name) ?? [];
  leased.set(name, held);
  if (held.length < count) {
    const size = Math.max(BLOCK, count);
    const { Last } = (await table.update({
      update: layout.lease.key({ account, kind }),
      add: { Last: size },
    })) as unknown as { Last: number };
    if (Last > INT32_MAX) throw new RangeError(`account ${account} has used every ${kind} id`);
    held.push(...Array.from({ length: size }, (_, index) => Last - size + 1 + index));
    // Of two blocks on their way at once the later may arrive first.
    held.sort((one, other) => one - other);
  }
  return held;
}

/** `count` new ids of the account and kind, ascending, never given to anyone else. */
export async function reserveIds(table: TableWriter, account: string, kind: IdKind, count: number): Promise<number[]> {
  for (;;) {
    const held = await prefetchIds(table, account, kind, count);
    // Somebody else, waiting for the same block, may have taken them in the meantime.
    if (held.length >= count) return held.splice(0, count);
  }
}
