import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { print, showProgress } from '../output.ts';
import { rowsText } from './diff.ts';
import type { FileError } from './document.ts';
import { exportCompany } from './export.ts';
import { importCompany, sections, stages } from './import.ts';
import { readCompany } from './read.ts';

const nouns = new Map([
  ['company', 'company'] as const,
  ['proposals', 'settings of'] as const,
  ...sections.map(({ key, noun }) => [key, noun] as const),
]);

/** Where an editor finds it: `company.yaml:12:7: taxRates[0].rate must be a finite number`. */
const faultLine = (file: string, { line, column, field, message }: FileError): string =>
  `${file}:${line}:${column}: ${[field, message].filter(Boolean).join(' ')}`;

function tellFaults(file: string, errors: readonly FileError[], json: boolean): void {
  const count = errors.length === 1 ? 'a fault' : `${errors.length} faults`;
  const told = `${basename(file)} has ${count}; nothing was written.`;
  if (json)
    print(
      {
        Faults: errors.map(({ line, column, field, message }) => ({
          Line: line,
          Column: column,
          Field: field,
          Message: message,
        })),
      },
      { json, text: '' },
    );
  else process.stderr.write(`${[...errors.map((fault) => faultLine(file, fault)), told].join('\n')}\n`);
  process.exitCode = 1;
}

/** `import company.yaml`. */
export async function importCompanyFile(
  table: TableWriter,
  account: string,
  file: string,
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
): Promise<void> {
  const company = readCompany(readFileSync(file, 'utf8'), sections);
  if ('errors' in company) return tellFaults(file, company.errors, json);
  const progress = showProgress();
  const brought = await importCompany(company, { table, account, stages, dryRun, onProgress: progress.update }).finally(
    progress.end,
  );
  if (brought.kind === 'faulty') return tellFaults(file, brought.errors, json);
  print(
    { DryRun: dryRun, Rows: brought.rows },
    { json, text: `${rowsText(brought.rows, nouns)}${dryRun ? ' Nothing was written.' : ''}` },
  );
}

/** `export`. */
export async function exportCompanyFile(table: TableWriter, account: string, out: string | undefined): Promise<void> {
  const text = await exportCompany({ table, account, now: new Date() }, sections);
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
}
