import type { Restore } from '../../../lib/workflows/fsck/examine-ids.ts';
import { type Finding, checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import type { CliCommand } from '../command.ts';
import { ReportedError, print } from '../output.ts';
import { accountIds, openTablePass, resumeOption, yesOption } from '../table-pass.ts';
import { openTarget, requireKnownSchemas, targetName } from '../target.ts';
import { pastMoment, repeated } from '../values.ts';

interface CheckOptions {
  readonly account?: readonly string[];
  readonly yes?: boolean;
  readonly resume?: string;
  readonly repair?: boolean;
  readonly restored?: Date;
  readonly json?: boolean;
}

/** What can be done, or was done, about a finding. */
function outcomeOf({ repair, repaired }: Finding): string {
  if (!repair) return 'needs a decision';
  return `${repaired ? 'repaired' : '--repair'}: ${repair.message}`;
}

const formatFinding = (finding: Finding): string => {
  const { account, kind, key, message } = finding;
  return [account, kind.padEnd(8), `${key.PK} ${key.SK}`, message, outcomeOf(finding)].join('  ');
};

const toOutput = ({ account, kind, key, message, repair, repaired }: Finding) => ({
  Account: account,
  Kind: kind,
  PK: key.PK,
  SK: key.SK,
  Message: message,
  Repair: repair?.message ?? null,
  Repaired: repaired,
});

const RECORDS_COST = 'Each record that is compared costs 1 to 15 read units more.';

async function check(options: CheckOptions): Promise<void> {
  const { account, repair = false, restored, json = false, yes = false, resume } = options;
  const restore: Restore | undefined = restored && { at: restored };
  const counts = { found: 0, open: 0 };
  const findings: ReturnType<typeof toOutput>[] = [];
  const accounts = account && accountIds(account);
  const purpose = ['check', targetName(), accounts, repair, restored];
  await requireKnownSchemas(accounts);
  const pass = await openTablePass({ yes, beside: RECORDS_COST, resume, purpose });
  const items = await checkTable(openTarget(), pass.scan, {
    accounts,
    segments: pass.segments,
    checkpoint: pass.checkpoint,
    repair,
    restore,
    now: () => new Date(),
    onFinding(finding) {
      counts.found++;
      if (!finding.repaired) counts.open++;
      if (json) findings.push(toOutput(finding));
      else process.stdout.write(`${formatFinding(finding)}\n`);
    },
  });
  pass.end();
  const repaired = counts.found - counts.open;
  const summary = `${items} items checked, ${counts.found} findings, ${repaired} repaired, ${counts.open} open.`;
  if (json) print({ Items: items, Repaired: repaired, Open: counts.open, Findings: findings }, { json, text: '' });
  else process.stderr.write(`${summary}\n`);
  if (counts.open) throw new ReportedError();
}

const RESTORE_HELP = `
Restore, step by step in docs/operations.md:
  1  disable the event source mappings of the old table's stream
  2  restore the backup into a new table
  3  switch on its stream, protection, time to live and recovery
  4  check --repair --restored <moment>, then events rebuild --since <an hour before>
  5  name the table and its stream in cdk.json, and deploy`;

export const commands: readonly CliCommand[] = [
  {
    words: 'check',
    summary: 'Verify what follows from other data, and repair it',
    description:
      'Verify event sequence, calendars, guards, lists, summaries and index keys, and repair them on request. ' +
      'Reads the whole table once, for however many accounts: 0.5 read units for each 4 KB, and 1 to 15 for each ' +
      'record. Says before what that costs. ' +
      'Exits with 1 if something is wrong and not repaired',
    examples: ['npx fs check', 'npx fs check --repair --account 2kx0f6w3p9ab'],
    takes: (command) =>
      resumeOption(yesOption(command))
        .option('--account <id>', 'only this account, may be repeated up to 20 times (default: all)', repeated)
        .option('--repair', 'repair what has only one correct state')
        .option(
          '--restored <moment>',
          'after a restore, the point in time of the backup: ids given out since are not given out again',
          pastMoment,
        )
        .addHelpText('after', RESTORE_HELP),
    onWholeTable: check,
  },
];
