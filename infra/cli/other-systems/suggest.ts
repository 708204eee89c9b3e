import { basename, resolve } from 'node:path';
import { columnFields, missingFields } from '../../../lib/domain/imports/column-list.ts';
import { findMapping } from '../../../lib/domain/imports/mapping.ts';
import { suggestColumns, suggestKind } from '../../../lib/domain/imports/suggest-columns.ts';
import { OTHER_SYSTEMS } from '../../../lib/domain/imports/systems.ts';
import { surveyFile } from '../contacts-csv/csv-file.ts';
import { requireFile } from '../input-file.ts';
import { UsageError } from '../output.ts';

/** A word that YAML reads as text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9 ]*[a-z0-9]$/i;
/** Characters that must not reach a terminal: control and bidirectional characters. */
const HIDDEN = /[\p{C}\u2028\u2029]/gu;

const yamlKey = (header: string): string =>
  PLAIN.test(header)
    ? header
    : JSON.stringify(header).replaceAll(
        HIDDEN,
        (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
      );

/** `acme-clients` for `Acme clients (2).csv`. */
const systemName = (file: string): string =>
  /^[a-z][a-z0-9-]{0,30}/.exec(
    basename(file)
      .toLowerCase()
      .replace(/\.[a-z]+$/, '')
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^[^a-z]+|-+$/g, ''),
  )?.[0] ?? 'other';

/** A mapping file for the columns of a CSV file. */
export function formatSuggestion(file: string, headers: readonly string[]): string {
  const known = OTHER_SYSTEMS.find((system) => findMapping(system, headers));
  const kind = suggestKind(headers);
  const columns = suggestColumns(kind, headers);
  const missing = missingFields(kind, columns.values());
  return [
    ...(known ? [`# This may be a file of ${known.title}: --from ${known.system} reads it without a mapping.`] : []),
    '# What each column becomes. Check each line, then try:',
    '#   npx fs import --mapping <this file> <the CSV file> --dry-run',
    `# Fields of ${kind}: ${columnFields(kind).join(', ')}.`,
    '# note keeps a column in a note, ignore leaves it out. A column of a custom field needs no line.',
    ...missing.map((name) => `# No column looks like ${name}: name it below.`),
    `system: ${systemName(file)} # the ids begin with it`,
    `kind: ${kind} # or contacts, visits, invoices, estimates`,
    'columns:',
    ...[...columns].map(([header, field]) => `  ${yamlKey(header)}: ${field}`),
    '',
  ].join('\n');
}

/** `import --suggest-mapping`. */
export async function suggestMapping(files: readonly string[]): Promise<void> {
  const [file = ''] = files;
  if (files.length !== 1) throw new UsageError('--suggest-mapping takes one CSV file.');
  requireFile(file);
  const { headers } = await surveyFile(resolve(file));
  process.stdout.write(formatSuggestion(file, headers));
}
