import type { Command } from 'commander';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import { type KeptFile, listKeptFiles, redriveFile } from '../../../lib/workflows/events/redrive.ts';
import { discardedPrefix } from '../../table.ts';
import { examples } from '../examples.ts';
import { ReportedError, errorSentence, formatTable, print } from '../output.ts';
import { jsonOption, openWorkerTarget } from '../target.ts';

interface RedriveOptions {
  readonly account?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** What a file waits for the table at most. */
const PATIENCE = MINUTE;

const toRow = ({ key, records, error }: KeptFile) => ({
  File: key,
  Records: records.length,
  Since: new Date((records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString(),
  Error: error ?? 'The batch expired.',
});

async function redrive({ account, list = false, json }: RedriveOptions): Promise<void> {
  const { table, files } = openWorkerTarget();
  const kept = await listKeptFiles(files, discardedPrefix, account);
  if (list || !kept.length) {
    const rows = kept.map(toRow);
    print(rows, { json, text: rows.length ? formatTable(rows) : 'No parked changes.' });
    return;
  }
  const results = [];
  for (const file of kept) {
    const now = new Date();
    const deadline = now.getTime() + PATIENCE;
    const { queued, errors } = await redriveFile(table.until(deadline), files, file, { now, deadline });
    const Error = errors.length ? errorSentence(errors[0]) : null;
    results.push({ File: file.key, Records: file.records.length, Queued: queued, Failed: errors.length, Error });
  }
  const failed = results.filter(({ Failed }) => Failed > 0).length;
  const total = results.reduce((sum, { Queued }) => sum + Queued, 0);
  const summary = `${results.length} files: ${total} events or appointments queued, ${failed} files still fail.`;
  print(results, { json, text: `${formatTable(results)}\n${summary}` });
  if (failed) throw new ReportedError();
}

/** `events redrive`. */
export function redriveCommand(events: Command): void {
  examples(jsonOption(events.command('redrive')), 'npx fs events redrive --list', 'npx fs events redrive')
    .summary('Queue the events of changes that were parked')
    .description('Queue the events of changes that were parked, or that expired in the stream; each change once')
    .option('--account <id>', 'account id (default: all accounts)')
    .option('--list', 'only list what is kept, and why')
    .action(redrive);
}
