import type { Command } from 'commander';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import type { Files } from '../../../lib/files/s3.ts';
import { type KeptFile, discardFile, listKeptFiles, redriveFile } from '../../../lib/workflows/events/redrive.ts';
import { givenUpPrefix } from '../../../lib/workflows/parked-records.ts';
import { discardedPrefix } from '../../../lib/workflows/parked-records.ts';
import { examples } from '../examples.ts';
import { confirm } from '../confirm.ts';
import { CommandError, ReportedError, UsageError, errorSentence, formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { openWorkerTarget } from '../target.ts';
import { reason, repeated } from '../values.ts';

interface RedriveOptions {
  readonly account?: string;
  readonly file?: readonly string[];
  readonly list?: boolean;
  /** The reason for discarding. */
  readonly discard?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The longest that a file waits for the table. */
const PATIENCE = MINUTE;

const toRow = ({ key, records, error }: KeptFile) => ({
  File: key,
  Records: records.length,
  Since: new Date((records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString(),
  Error: error ?? 'The batch expired.',
});

/** All kept files, or those that `--file` names. */
async function findFiles(files: Files, { account, file: names }: RedriveOptions): Promise<KeptFile[]> {
  const kept = await listKeptFiles(files, discardedPrefix, account);
  if (!names) return kept;
  return names.map((name) => {
    const found = kept.find(({ key }) => key === name);
    if (!found) throw new CommandError(`No file ${name} is kept. --list shows those that are.`);
    return found;
  });
}

async function discard(files: Files, kept: readonly KeptFile[], Reason: string, options: RedriveOptions) {
  const records = kept.reduce((sum, file) => sum + file.records.length, 0);
  const question = `This gives up ${records} changes in ${kept.length} files: they never become events.`;
  if (!options.yes) await confirm(question, { option: '--yes', refused: 'Nothing was given up.' });
  for (const file of kept) await discardFile(files, file, { reason: Reason, now: new Date() });
  const results = kept.map((file) => ({ File: file.key, Records: file.records.length, Reason }));
  const summary = `${records} changes are given up. The bucket keeps them with the reason under ${givenUpPrefix()}.`;
  print(results, { json: options.json, text: `${formatTable(results)}\n${summary}` });
}

async function redrive(options: RedriveOptions): Promise<void> {
  const { list = false, discard: given, json } = options;
  if (list && given !== undefined) throw new UsageError('--list and --discard exclude each other.');
  const { table, files } = openWorkerTarget();
  const kept = await findFiles(files, options);
  if (list || !kept.length) {
    const rows = kept.map(toRow);
    print(rows, { json, text: rows.length ? formatTable(rows) : 'No parked changes.' });
    return;
  }
  if (given !== undefined) return discard(files, kept, given, options);
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
  examples(
    jsonOption(events.command('redrive')),
    'npx fs events redrive --list',
    'npx fs events redrive',
    'npx fs events redrive --file parked/event-queue/2kx0f6w3p9ab/1.json --discard "test data of ticket 4711"',
  )
    .summary('Queue the events of changes that were parked')
    .description('Queue the events of changes that were parked, or that expired in the stream; each change once')
    .option('--account <id>', 'account id (default: all accounts)')
    .option('--file <key>', 'only this file, as --list names it; may be repeated', repeated)
    .option('--list', 'only list what is kept, and why')
    .option(
      '--discard <reason>',
      'give up what is kept: it stays in the bucket with the reason, for no redrive',
      reason,
    )
    .option('--yes', 'discard without a question')
    .action(redrive);
}
