import { basename } from 'node:path';
import { type BegunRun, COMPANY, beginRun, runSentence } from '../import-runs.ts';
import { ReportedError, print, showProgress } from '../output.ts';
import { readInput } from '../input-file.ts';
import { type EntryResult, formatResults } from './diff.ts';
import { type EntryChange, importCompany } from './import.ts';
import { parseCompanyFiles } from './parse.ts';
import { sections } from './sections.ts';
import { entryNotes } from './undo.ts';
import type { FileError } from './yaml-document.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

const nouns = new Map([
  ['company', 'company'],
  ['proposals', 'settings of'],
  ['messages', 'settings of'],
  ...sections.map(({ key, noun }): [string, string] => [key, noun]),
]);

/** `company.yaml:12:7: taxRates[0].rate must be a finite number`, a form that editors turn into a link. */
const formatError = ({ file, line, column, field, message }: FileError): string =>
  `${file}:${line}:${column}: ${[field, message].filter(Boolean).join(' ')}`;

/** Maximum number of errors printed one by one; `--json` lists them all. */
const MAX_PRINTED_ERRORS = 200;

function reportErrors(errors: readonly FileError[], json: boolean): never {
  const files = new Set(errors.map(({ file }) => file));
  const count = errors.length === 1 ? '1 error' : `${errors.length.toLocaleString('en-US')} errors`;
  const place = files.size === 1 ? `${basename([...files][0] ?? '')} has` : `${files.size} files have`;
  const Error = `${place} ${count}. Nothing was written.`;
  const lines = errors.slice(0, MAX_PRINTED_ERRORS).map(formatError);
  const more = errors.length - lines.length;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en-US')} more; --json lists them all`] : [];
  process.stderr.write(`${[...lines, ...rest, Error].join('\n')}\n`);
  if (json) {
    const Errors = errors.map(({ file, line, column, field, message }) => ({
      File: file,
      Line: line,
      Column: column,
      Field: field,
      Message: message,
    }));
    print({ Error, Errors }, { json, text: '' });
  }
  throw new ReportedError();
}

/** The command `import company.yaml`. */
export async function importCompanyFiles(
  store: StoreWriter,
  files: readonly string[],
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
): Promise<void> {
  const company = parseCompanyFiles(files.map((name) => ({ name, text: readInput(name) })));
  const progress = showProgress();
  const noteEntries = entryNotes();
  let begun: BegunRun | undefined;
  const begin = async (changes: readonly EntryChange[]) => {
    begun ??= await beginRun(store, { kind: COMPANY, files });
    await noteEntries(begun.store, begun.run, changes);
    return begun.store;
  };
  const options = { store, dryRun, begin, onProgress: progress.update };
  const imported = await importCompany(company, options).finally(progress.end);
  if (imported.kind === 'invalid') reportErrors(imported.errors, json);
  const { results, remarks } = imported;
  const count = (change: EntryResult['Change']) => results.filter(({ Change }) => Change === change).length;
  await begun?.finish({ created: count('created'), updated: count('updated') });
  const text = [`${formatResults(results, nouns)}${dryRun ? ' Nothing was written.' : ''}`, ...remarks].join('\n');
  const Run = begun ? { Run: begun.run } : {};
  print(
    { ...Run, DryRun: dryRun, Rows: results, Remarks: remarks },
    { json, text: `${text}${runSentence(begun?.run)}` },
  );
}
