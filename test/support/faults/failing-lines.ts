import { afterAll, beforeAll } from 'vitest';
import { type Shares, errors } from './faulty-engine.ts';
import { sampled } from '../sampled.ts';
import { type FaultyTable, startFaultyTable } from './faulty-table.ts';

/** The same share of requests for each of these faults. */
export const each = (share: number, ...kinds: (keyof Shares)[]): Shares =>
  Object.fromEntries(kinds.map((kind) => [kind, share]));

const lines = [
  { name: 'a sixth of replies lost after the commit', shares: each(0.17, 'lostReply') },
  { name: 'a sixth of errors after the commit', shares: each(0.17, 'errorAfter') },
  { name: 'two fifths of transactions in conflict', shares: each(0.4, 'conflict') },
  { name: 'a tenth of errors before it, and a tenth throttled', shares: each(0.1, 'errorBefore', 'throttled') },
];

/** Connections over which changes of money must stay correct: half of them and some of each, others by the offset. */
export const failingLines = (offset: number) => [
  ...sampled(lines, offset, 2),
  { name: 'some of each', shares: each(0.03, ...errors) },
];

/** A faulty table for the tests of a file or a `describe`; afterwards handlers reach the healthy one again. */
export function faultyTableForTests(): { readonly table: () => FaultyTable } {
  let faulty: FaultyTable;
  let local: string | undefined;
  beforeAll(async () => {
    local = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    faulty = await startFaultyTable();
  });
  afterAll(async () => {
    await faulty.stop();
    if (local === undefined) delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    else process.env['AWS_ENDPOINT_URL_DYNAMODB'] = local;
  });
  return { table: () => faulty };
}
