import { createReadStream, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DAY } from '../../../lib/shared/time/time.ts';
import { listKeys } from '../../../lib/store/requests/api-keys.ts';
import { listCallCounts, readCountName } from '../../../lib/store/requests/audit.ts';
import { auditLines, checkAudit } from '../../../lib/workflows/audit-log.ts';
import { examples } from '../examples.ts';
import { FORCE, confirmOutput } from '../output-file.ts';
import { CommandError, formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { momentText } from '../values.ts';

interface ExportOptions extends AccountOption {
  readonly from: number;
  readonly to: number;
  readonly out?: string;
  readonly force?: boolean;
}

/** An ISO 8601 time with offset, how long ago (`1d`), or a UTC date: its start, or its end (`isEnd`). */
const moment =
  (isEnd = false) =>
  (given: string): number => {
    const text = momentText(given);
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
    const at = isDate || /T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : NaN;
    if (Number.isNaN(at))
      throw new InvalidArgumentError('Write it like 2026-11-22, 2026-11-22T10:00:00Z, or 1d for a day ago.');
    return isDate && isEnd ? at + DAY - 1 : at;
  };

/** Only the owner may read the file. It replaces an earlier one once it is complete. */
async function writeLines(lines: AsyncIterable<string>, { out, force }: ExportOptions): Promise<void> {
  if (out === undefined) {
    for await (const line of lines) process.stdout.write(`${line}\n`);
    return;
  }
  await confirmOutput(out, force === undefined ? {} : { force });
  const beside = `${out}.${process.pid}.new`;
  const file = await open(beside, 'wx', 0o600);
  try {
    for await (const line of lines) await file.write(`${line}\n`);
    renameSync(beside, out);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function exportAudit({ from, to, ...options }: ExportOptions): Promise<void> {
  if (from > to) throw new CommandError('--from is behind --to.');
  const { store } = await openAccount(options);
  let last = '';
  async function* remembered(): AsyncGenerator<string> {
    for await (const line of auditLines(store, { from, through: to }, new Date())) yield (last = line);
  }
  await writeLines(remembered(), { from, to, ...options });
  const { Line, Hash } = JSON.parse(last) as { Line: number; Hash: string };
  process.stderr.write(`${Line} lines. Keep the last hash elsewhere: ${Hash}\n`);
}

async function verify(path: string, { hash, json }: { hash?: string; json?: boolean }): Promise<void> {
  const file = createReadStream(path);
  // Without a listener, a missing file would end the process.
  const failed = new Promise<never>((_, reject) => file.once('error', reject));
  const checked = await Promise.race([checkAudit(createInterface({ input: file })), failed]);
  if (checked.problem) throw new CommandError(checked.problem);
  if (hash !== undefined && hash !== checked.hash) throw new CommandError(`The last hash is ${checked.hash}.`);
  const { lines, hash: last } = checked;
  print(
    { Lines: lines, Hash: last },
    { json, text: `${lines} lines, none changed, added or missing. Last hash: ${last}` },
  );
}

/** Unknown fields that lenient keys sent, most frequent first. */
async function listFields({ from, json, ...options }: AccountOption & { from: number; json?: boolean }): Promise<void> {
  const { store } = await openAccount(options);
  const keys = await listKeys(store);
  const days = await listCallCounts(
    store.table,
    keys.map(({ Public }) => Public),
    { from, through: Date.now() },
  );
  const calls = new Map<string, { Key: string; Name: string; Operation: string; Field: string; Calls: number }>();
  for (const { key, counts } of days)
    for (const [counted, count] of Object.entries(counts)) {
      const { operation: Operation, field: Field } = readCountName(counted);
      if (Field === undefined) continue;
      const Name = keys.find(({ Public }) => Public === key)?.Name ?? '';
      const of = `${key} ${counted}`;
      calls.set(of, { Key: key, Name, Operation, Field, Calls: (calls.get(of)?.Calls ?? 0) + count });
    }
  const rows = [...calls.values()].sort(
    (one, other) => other.Calls - one.Calls || one.Field.localeCompare(other.Field),
  );
  const text = rows.length ? formatTable(rows) : 'No lenient key sent an unknown field.';
  print({ Fields: rows }, { json, text });
}

/** `audit export`, `verify`, `fields`. */
export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('Export what happened in an account, and verify an export');
  examples(
    accountOption(audit.command('export')),
    'npx fs audit export --from 2026-11-01 --to 2026-11-30 --out november.jsonl',
  )
    .description('Write events with their actors, denied calls and reads of personal data as lines of JSON')
    .requiredOption('--from <moment>', 'date (UTC), moment, or 1d for a day ago', moment())
    .addOption(
      new Option('--to <moment>', 'date (UTC), with its whole day, or moment')
        .argParser(moment(true))
        .default(Date.now(), 'now'),
    )
    .option('--out <file>', 'output file, which only you may read (default: standard output)')
    .option('--force', FORCE)
    .action(exportAudit);
  jsonOption(audit.command('verify'))
    .description('Say whether lines of an export were changed, added or removed')
    .argument('<file>', 'exported file')
    .option('--hash <hash>', 'the last hash, as the export printed it')
    .action(verify);
  examples(jsonOption(accountOption(audit.command('fields'))), 'npx fs audit fields --from 7d')
    .description('List the unknown fields that lenient keys sent, which were ignored')
    .option('--from <moment>', 'date (UTC), moment, or 7d for seven days ago', moment(), Date.now() - 7 * DAY)
    .action(listFields);
}
