import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { MAX_SCAN_ACCOUNTS, type ScanTable, type TableSize } from '../../lib/store/dynamodb/scan.ts';
import type { Checkpoint, PassState } from '../../lib/store/dynamodb/table-pass.ts';
import { prices } from '../watch/prices.ts';
import { confirm } from './confirm.ts';
import { readJson } from './input-file.ts';
import { OWNER_ONLY } from './output-file.ts';
import { CommandError, UsageError, showProgress } from './output.ts';
import { isLocalTarget } from './local-stack.ts';
import { findTargetSize, openTargetScan } from './target.ts';

/** Bytes of an eventually consistent read of 1 unit. */
const UNIT_BYTES = 8_192;
const GIGABYTE = 1_000_000_000;

/** Cost in dollars above which a pass must be confirmed. */
const CONFIRMED_FROM = 1;

/** Up to 16 segments, one for each 10 GB: more would take read capacity from API callers. */
const MAX_SEGMENTS = 16;
const SEGMENT_BYTES = 10 * GIGABYTE;

/** The cost of a pass over the table. */
export interface PassCost {
  readonly readUnits: number;
  readonly dollars: number;
}

/** Worked: 50 TB are 6,103,515,625 read units, $763. */
export function passCost({ bytes }: Pick<TableSize, 'bytes'>): PassCost {
  const readUnits = Math.ceil(bytes / UNIT_BYTES);
  return { readUnits, dollars: readUnits * prices.readUnit };
}

const format = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** One sentence on what a pass reads and costs. */
export function costSentence(size: TableSize): string {
  const { readUnits, dollars } = passCost(size);
  const gigabytes = format(size.bytes / GIGABYTE, size.bytes < 10 * GIGABYTE ? 2 : 0);
  const cost = dollars < 0.01 ? 'less than $0.01' : `about $${format(dollars, 2)}`;
  return (
    `A pass of the table reads about ${format(size.items)} items, ${gigabytes} GB: ` +
    `${format(readUnits)} read units, ${cost} in us-east-1.`
  );
}

const costSentences = (size: TableSize, beside = ''): string => `${costSentence(size)} ${beside}`.trimEnd();

/** The same for a question, followed by a space; empty for a local table. */
export const findPassCost = async (beside: string): Promise<string> =>
  isLocalTarget() ? '' : `${costSentences(await findTargetSize(), beside)} `;

export interface PassSettings {
  /** Starts the pass without asking. */
  readonly yes: boolean;
  /** One sentence on what the command costs besides the pass. */
  readonly beside?: string;
  /** A file that records the progress of the pass. */
  readonly resume?: string | undefined;
  /** Identifies what the file belongs to: another command or selection must not continue it. */
  readonly purpose?: readonly unknown[];
}

/** A pass over the table that the operator has agreed to. */
export interface TablePass {
  /** Shows progress on standard error. */
  readonly scan: ScanTable;
  readonly segments: number;
  readonly checkpoint: Checkpoint | undefined;
  /** Shows the progress of another pass. */
  restart(): void;
  end(): void;
}

/**
 * Prints the cost of a pass over the table on standard error, and asks if it is high. A local table costs nothing and
 * is read without asking.
 */
export async function openTablePass({ yes, beside, resume, purpose = [] }: PassSettings): Promise<TablePass> {
  const checkpoint = resume === undefined ? undefined : openCheckpoint(resume, purpose);
  const scan = await openTargetScan();
  const size = await findTargetSize();
  if (!isLocalTarget()) {
    const sentences = costSentences(size, beside);
    if (!yes && passCost(size).dollars >= CONFIRMED_FROM)
      await confirm(sentences, { option: '--yes', refused: 'Nothing was read.' });
    else process.stderr.write(`${sentences}\n`);
  }
  let progress = showProgress();
  let read = 0;
  return {
    scan: (options = {}) =>
      scan({
        ...options,
        onPage(page) {
          options.onPage?.(page);
          read += page.read;
          // The size is only updated every six hours: the table may have grown.
          progress.update(read, Math.max(read, size.items));
        },
      }),
    segments: Math.min(MAX_SEGMENTS, Math.max(1, Math.ceil(size.bytes / SEGMENT_BYTES))),
    checkpoint,
    restart() {
      progress.end();
      progress = showProgress();
      read = 0;
    },
    end: () => progress.end(),
  };
}

const KeySchema = z.object({ PK: z.string(), SK: z.string() });
const CheckpointFile = z.object({
  Purpose: z.string(),
  Count: z.number(),
  Segments: z.array(z.object({ isDone: z.boolean(), after: KeySchema.optional() })).min(1),
});

/** Records the progress of a pass in a file, which is removed at the end. */
function openCheckpoint(file: string, purpose: readonly unknown[]): Checkpoint {
  const Purpose = createHash('sha256').update(JSON.stringify(purpose)).digest('hex');
  let found: PassState | undefined;
  if (existsSync(file)) {
    const { data } = CheckpointFile.safeParse(readJson(file));
    if (!data) throw new CommandError(`${file} is not the file of a pass. Name another one, or remove it.`);
    if (data.Purpose !== Purpose)
      throw new CommandError(`${file} is of a pass with another table, command or options. Name another one.`);
    found = { segments: data.Segments, count: data.Count };
  }
  return {
    load() {
      const state = found;
      found = undefined;
      return state;
    },
    save({ segments, count }) {
      // A kill while the file is written must not leave half of it.
      const text = JSON.stringify({ Purpose, Count: count, Segments: segments });
      writeFileSync(`${file}.new`, text, { mode: OWNER_ONLY });
      renameSync(`${file}.new`, file);
    },
    clear: () => rmSync(file, { force: true }),
  };
}

export const yesOption = (command: Command): Command =>
  command.option('--yes', `do not ask where reading the table costs $${CONFIRMED_FROM} or more`);

export const resumeOption = (command: Command): Command =>
  command.option('--resume <file>', 'keep how far it got in this file, and continue there if it exists');

/** Distinct account ids. */
export function accountIds(ids: readonly string[]): readonly string[] {
  const distinct = [...new Set(ids)];
  if (distinct.length > MAX_SCAN_ACCOUNTS) throw new UsageError(`Name at most ${MAX_SCAN_ACCOUNTS} accounts at once.`);
  return distinct;
}
