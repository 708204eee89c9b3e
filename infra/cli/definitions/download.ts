import { type Command, InvalidArgumentError } from 'commander';
import type { DownloadFormat } from '../../../lib/domain/downloads/columns.ts';
import { DOWNLOAD_KINDS, FORMATS } from '../../../lib/domain/downloads/kind.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { UsageError } from '../output.ts';
import { FORCE } from '../output-file.ts';
import type { RemoteOptions } from '../remote/profile.ts';
import { momentText, oneOf, recordId } from '../values.ts';

export interface DownloadOptions extends RemoteOptions {
  readonly account?: string;
  readonly out: string;
  readonly format: DownloadFormat;
  readonly bom?: boolean;
  readonly organization?: string;
  readonly rowId?: number;
  readonly createdFrom?: string;
  readonly createdThrough?: string;
  readonly updatedFrom?: string;
  readonly updatedThrough?: string;
  readonly dateFrom?: string;
  readonly dateThrough?: string;
  readonly completedAfter?: string;
  readonly completedBefore?: string;
  readonly settings?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

function readSettings(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UsageError('--settings must be JSON, such as {"Contacts":{"WithEmails":true}}.');
  }
}

/** The startdownload request for the options. */
export function downloadFields(kind: string, options: DownloadOptions, organization: number | undefined) {
  const fields = {
    Kind: kind,
    OrganizationId: organization,
    RowId: options.rowId,
    CreatedFrom: options.createdFrom,
    CreatedThrough: options.createdThrough,
    UpdatedFrom: options.updatedFrom,
    UpdatedThrough: options.updatedThrough,
    DateFrom: options.dateFrom,
    DateThrough: options.dateThrough,
    CompletedAfter: options.completedAfter,
    CompletedBefore: options.completedBefore,
    ...readSettings(options.settings),
  };
  return JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
}

/** Request fields that are options of the command with other names. */
const OPTIONS = /\b(OrganizationId|RowId|(?:Created|Updated|Date)(?:From|Through)|Completed(?:After|Before))\b/g;

/** Rewrites `CreatedFrom must be …` to `--created-from must be …` for the person who typed it. */
export const toOptions = (sentence: string): string =>
  sentence.replaceAll(OPTIONS, (field) =>
    field === 'OrganizationId'
      ? '--organization'
      : `--${field.replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`,
  );

/** With or without the prefix that older clients use. */
const downloadKind = (text: string): string => oneOf(DOWNLOAD_KINDS)(text.replace(/^branding-/i, ''));

function toFormat(text: string): DownloadFormat {
  const found = Object.keys(FORMATS).find((format) => format === text.toLowerCase());
  if (!found) throw new InvalidArgumentError(`It must be ${Object.keys(FORMATS).join(' or ')}.`);
  return found as DownloadFormat;
}

/** `download <kind> --out <file>`. */
export function defineDownload(
  program: Command,
  action: (kind: string, options: DownloadOptions) => void | Promise<void>,
  targetOptions: (command: Command) => Command,
): void {
  const command = examples(
    program.command('download').description('Download all rows of a kind as a file'),
    'npx fs download contacts --out contacts.csv',
    'npx fs download appointments --out changed.csv --updated-from 1d',
    'npx fs download invoices --out march.jsonl --format jsonl --date-from 2026-03-01 --date-through 2026-03-31',
    'npx fs download contacts --out emails.csv --settings \'{"Contacts":{"WithEmails":true}}\'',
  );
  jsonOption(targetOptions(command))
    .argument('<kind>', `one of ${DOWNLOAD_KINDS.join(', ')}`, downloadKind)
    .requiredOption('--out <file>', 'where to write it; a repeated command continues an interrupted one')
    .option('--force', FORCE)
    .option('--format <format>', Object.keys(FORMATS).join(' or '), toFormat, 'csv' as const)
    .option('--bom', 'begin CSV with a byte order mark, for Excel')
    .option('--organization <name>', 'only this organization, by name or id (default: all)')
    .option('--row-id <id>', 'the first id', recordId)
    .option('--created-from <date>', 'rows made from this date or moment on, or 1d for a day ago', (text) =>
      momentText(text),
    )
    .option('--created-through <date>', 'rows made through it', (text) => momentText(text))
    .option('--updated-from <date>', 'rows changed from it on', (text) => momentText(text))
    .option('--updated-through <date>', 'rows changed through it', (text) => momentText(text))
    .option('--date-from <date>', 'rows dated from it on', (text) => momentText(text))
    .option('--date-through <date>', 'rows dated through it', (text) => momentText(text))
    .option('--completed-after <date>', 'appointments completed from it on', (text) => momentText(text))
    .option('--completed-before <date>', 'appointments completed through it', (text) => momentText(text))
    .option('--settings <json>', 'settings of the kind, as in startdownload: {"Contacts":{"WithEmails":true}}')
    .action(action);
}
