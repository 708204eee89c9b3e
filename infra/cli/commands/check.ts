import type { Command } from 'commander';
import type { Restore } from '../../../lib/workflows/check/examine-ids.ts';
import { type Finding, checkTable } from '../../../lib/workflows/check/check-table.ts';
import { CommandError } from '../output.ts';
import { openTarget, openTargetScan } from '../target.ts';
import { pastMoment, wholeNumber } from '../values.ts';

interface CheckOptions {
  readonly account?: string;
  readonly repair?: boolean;
  readonly restored?: Date;
  readonly ids?: number;
  readonly json?: boolean;
}

/** What becomes, or became, of a finding. */
function outcomeOf({ repair, repaired }: Finding): string {
  if (!repair) return 'needs a decision';
  return `${repaired ? 'repaired' : '--repair'}: ${repair.message}`;
}

function formatFinding(finding: Finding, json: boolean): string {
  const { account, kind, key, message, repair, repaired } = finding;
  const columns = { Account: account, Kind: kind, PK: key.PK, SK: key.SK, Message: message };
  if (json) return JSON.stringify({ ...columns, Repair: repair?.message ?? null, Repaired: repaired });
  return [account, kind.padEnd(8), `${key.PK} ${key.SK}`, message, outcomeOf(finding)].join('  ');
}

async function check({ account, repair = false, restored, ids, json = false }: CheckOptions): Promise<void> {
  if (ids !== undefined && !restored) throw new CommandError('--ids needs --restored.');
  const restore: Restore | undefined = restored && { at: restored, ids };
  const counts = { found: 0, open: 0 };
  const items = await checkTable(openTarget(), openTargetScan(), {
    account,
    repair,
    restore,
    now: () => new Date(),
    onFinding(finding) {
      counts.found++;
      if (!finding.repaired) counts.open++;
      process.stdout.write(`${formatFinding(finding, json)}\n`);
    },
  });
  process.stderr.write(
    `${items} items checked, ${counts.found} findings, ${counts.found - counts.open} repaired, ${counts.open} open.\n`,
  );
  if (counts.open) process.exitCode = 1;
}

/** `check`. */
export function checkCommand(program: Command): void {
  program
    .command('check')
    .description(
      'Verify event sequence, calendars, guards, lists, summaries and index keys, and repair them on request. ' +
        'Reads the whole table: 0.5 read units for each 4 KB, and 1 to 15 for each record. ' +
        'Exits with 1 if something is wrong and not repaired',
    )
    .option('--account <id>', 'only this account (default: all)')
    .option('--repair', 'repair what has only one correct state')
    .option(
      '--restored <moment>',
      'after a restore, the point in time of the backup: ids given out since are not given out again',
      pastMoment,
    )
    .option('--ids <n>', 'ids of each kind to skip (default: 100,000 and 100 a second since)', wholeNumber(1, 10 ** 9))
    .option('--json', 'print one line of JSON for each finding')
    .action(check);
}
