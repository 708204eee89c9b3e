import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { print, showProgress } from '../output.ts';
import { type OutputOptions, writeOutput } from '../output-file.ts';
import { formatResults } from './diff.ts';
import { exportCompany } from './export.ts';
import { importCompany } from './import.ts';
import { parseCompanyFile } from './parse.ts';
import { sections } from './sections.ts';
import type { FileError } from './yaml-document.ts';

const nouns = new Map([
  ['company', 'company'],
  ['proposals', 'settings of'],
  ...sections.map(({ key, noun }): [string, string] => [key, noun]),
]);

/** `company.yaml:12:7: taxRates[0].rate must be a finite number`, a form that editors turn into a link. */
const formatError = (file: string, { line, column, field, message }: FileError): string =>
  `${file}:${line}:${column}: ${[field, message].filter(Boolean).join(' ')}`;

function printErrors(file: string, errors: readonly FileError[], json: boolean): void {
  if (json) {
    const Errors = errors.map(({ line, column, field, message }) => ({
      Line: line,
      Column: column,
      Field: field,
      Message: message,
    }));
    print({ Errors }, { json, text: '' });
  } else {
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
    const lines = [
      ...errors.map((error) => formatError(file, error)),
      `${basename(file)} has ${count}. Nothing was written.`,
    ];
    process.stderr.write(`${lines.join('\n')}\n`);
  }
  process.exitCode = 1;
}

/** `import company.yaml`. */
export async function importCompanyFile(
  table: TableWriter,
  account: string,
  file: string,
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
): Promise<void> {
  const company = parseCompanyFile(readFileSync(file, 'utf8'));
  if ('errors' in company) return printErrors(file, company.errors, json);
  const progress = showProgress();
  const options = { table, account, dryRun, onProgress: progress.update };
  const imported = await importCompany(company, options).finally(progress.end);
  if (imported.kind === 'invalid') return printErrors(file, imported.errors, json);
  const { results } = imported;
  const text = `${formatResults(results, nouns)}${dryRun ? ' Nothing was written.' : ''}`;
  print({ DryRun: dryRun, Rows: results }, { json, text });
}

/** `export`. */
export async function exportCompanyFile(table: TableWriter, account: string, options: OutputOptions): Promise<void> {
  await writeOutput(await exportCompany({ table, account, now: new Date() }), options);
}
