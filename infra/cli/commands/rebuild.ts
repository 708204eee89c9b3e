import type { Command } from 'commander';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import { rebuildEvents } from '../../../lib/workflows/events/rebuild-events.ts';
import { examples } from '../examples.ts';
import { formatTable, print } from '../output.ts';
import { openTablePass, yesOption } from '../table-pass.ts';
import { jsonOption } from '../options.ts';
import { openWorkerTarget, requireKnownSchemas } from '../target.ts';
import { pastMoment } from '../values.ts';

interface RebuildOptions {
  readonly since: Date;
  readonly account?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

async function rebuild({ since, account, yes = false, json }: RebuildOptions): Promise<void> {
  const { table } = openWorkerTarget();
  await requireKnownSchemas(account === undefined ? undefined : [account]);
  const pass = await openTablePass({ yes, beside: 'The readable events of its accounts are read too.' });
  const options = { since, account, now: () => new Date(), patience: MINUTE };
  const counts = await rebuildEvents(table, pass.scan, options);
  pass.end();
  const rows = [...counts].sort().map(([Kind, Events]) => ({ Kind, Events }));
  print(rows, { json, text: rows.length ? formatTable(rows) : 'No record lacks an event.' });
}

/** `events rebuild`. */
export function rebuildCommand(events: Command): void {
  examples(yesOption(jsonOption(events.command('rebuild'))), 'npx fs events rebuild --since 2026-11-22T10:00:00Z')
    .summary('Queue events of records whose change never became one')
    .description(
      'Queue an event, with the data as it is now, for each record whose current version never became one: after an ' +
        'outage longer than the 24 hours of the stream, or a restore. Removed records leave no trace and get none. ' +
        'Reads the whole table',
    )
    .requiredOption(
      '--since <moment>',
      'records that changed at or after it: 2026-11-22T10:00:00Z, or 1d for a day ago',
      pastMoment,
    )
    .option('--account <id>', 'account id (default: all accounts)')
    .action(rebuild);
}
