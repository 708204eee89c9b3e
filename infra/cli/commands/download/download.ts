import { type Command, InvalidArgumentError } from 'commander';
import type { DownloadFormat } from '../../../../lib/domain/downloads/columns.ts';
import { DOWNLOAD_KINDS, FORMATS } from '../../../../lib/domain/downloads/kind.ts';
import { type CliCommand, whenCalled } from '../../command.ts';
import { FORCE } from '../../output-file.ts';
import { momentText, oneOf, recordId } from '../../values.ts';
import { downloadOverHttp } from './over-http.ts';

/** With or without the prefix that older clients use. */
const downloadKind = (text: string): string => oneOf(DOWNLOAD_KINDS)(text.replace(/^branding-/i, ''));

function toFormat(text: string): DownloadFormat {
  const found = Object.keys(FORMATS).find((format) => format === text.toLowerCase());
  if (!found) throw new InvalidArgumentError(`It must be ${Object.keys(FORMATS).join(' or ')}.`);
  return found as DownloadFormat;
}

const moment = (text: string): string => momentText(text);

/** Which rows to download: the fields of startdownload. */
const takesRange = (command: Command): Command =>
  command
    .option('--organization <name>', 'only this organization, by name or id (default: all)')
    .option('--row-id <id>', 'the first id', recordId)
    .option('--created-from <date>', 'rows made from this date or moment on, or 1d for a day ago', moment)
    .option('--created-through <date>', 'rows made through it', moment)
    .option('--updated-from <date>', 'rows changed from it on', moment)
    .option('--updated-through <date>', 'rows changed through it', moment)
    .option('--date-from <date>', 'rows dated from it on', moment)
    .option('--date-through <date>', 'rows dated through it', moment)
    .option('--completed-after <date>', 'appointments completed from it on', moment)
    .option('--completed-before <date>', 'appointments completed through it', moment)
    .option('--settings <json>', 'settings of the kind, as in startdownload: {"Contacts":{"WithEmails":true}}');

export const commands: readonly CliCommand[] = [
  {
    words: 'download',
    description: 'Download all rows of a kind as a file',
    examples: [
      'npx fs download contacts --out contacts.csv',
      'npx fs download appointments --out changed.csv --updated-from 1d',
      'npx fs download invoices --out march.jsonl --format jsonl --date-from 2026-03-01 --date-through 2026-03-31',
      'npx fs download contacts --out emails.csv --settings \'{"Contacts":{"WithEmails":true}}\'',
    ],
    takes: (command) =>
      takesRange(
        command
          .argument('<kind>', `one of ${DOWNLOAD_KINDS.join(', ')}`, downloadKind)
          .requiredOption('--out <file>', 'where to write it; a repeated command continues an interrupted one')
          .option('--force', FORCE)
          .option('--format <format>', Object.keys(FORMATS).join(' or '), toFormat, 'csv' as const)
          .option('--bom', 'begin CSV with a byte order mark, for Excel'),
      ),
    overHttp: downloadOverHttp,
    onTable: whenCalled(() => import('#on-table/download/on-table'), 'download'),
  },
];
