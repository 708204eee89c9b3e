import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { erasureReport, formatErasureReport } from '../../../lib/domain/contacts/erasure-report.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { findErasure } from '../../../lib/store/contacts/erasures.ts';
import { type ErasureResult, type StartOptions, eraseContact } from '../../../lib/workflows/erasure/erase-contact.ts';
import { requestErasure } from '../../../lib/workflows/erasure/go-on-with-erasure.ts';
import { writeAuditEntry } from '../../../lib/store/requests/audit.ts';
import { meantContactIds } from '../../../lib/store/visibility.ts';
import { discardedPrefix } from '../../../lib/workflows/parked-records.ts';
import { type ExportedFile, exportContact } from '../../../lib/workflows/contacts/export-contact.ts';
import { mapWithConcurrency } from '../../../lib/shared/promises.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import { confirm } from '../confirm.ts';
import { examples } from '../examples.ts';
import { OWNER_ONLY } from '../output-file.ts';
import { CommandError, ReportedError, UsageError, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { localFolder } from '../local-stack.ts';
import { type AccountOption, accountOption, openAccount, openTargetFiles, openWorkerTarget } from '../target.ts';
import { mergeCommands } from './merges.ts';
import { recordId } from '../values.ts';
import { type StoreReader, accountStore, type PatientStore } from '../../../lib/store/store.ts';

interface EraseOptions extends AccountOption {
  readonly yes?: boolean;
  readonly removeSigned?: boolean;
  readonly mentions?: boolean;
  readonly file?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

interface ExportCommandOptions extends AccountOption {
  readonly out?: string;
  readonly json?: boolean;
}

/** The contact that an id refers to, erased ones included; prints a note if that is another one. */
async function meantId(store: StoreReader, id: number): Promise<number> {
  const meant = (await meantContactIds(store, id, { consistent: true })).at(-1) ?? id;
  if (meant !== id) process.stderr.write(`Contact ${id} was merged into contact ${meant}, which is meant.\n`);
  return meant;
}

async function erase(contactId: number | undefined, { file, ...options }: EraseOptions): Promise<void> {
  if ((contactId === undefined) === (file === undefined)) throw new UsageError('Name one contact, or a --file of ids.');
  if (file === undefined) await eraseOne(contactId ?? 0, options);
  else await eraseAll(file, options);
}

/** Erases the contacts in a file. */
async function eraseAll(
  file: string,
  { yes = false, removeSigned = false, mentions = false, wait = false, json, ...options }: EraseOptions,
): Promise<void> {
  const { store } = await openAccount(options);
  const { eraseFile, readContactIds, requestFile } = await import('../erase-file.ts');
  const named = await readContactIds(file);
  const meant = await mapWithConcurrency(named, 16, (id) => meantId(store, id));
  const ids = [...new Set(meant)];
  if (!yes)
    await confirm(
      `This erases ${ids.length} contacts for good: notes, files, calls, and the people in all records and events` +
        `${removeSigned ? ', signed contracts included' : ''}.`,
      { option: '--yes', refused: 'Nothing was removed.' },
    );
  const { table, files } = openWorkerTarget();
  const patient = accountStore(table, store.account);
  const asked = { removeSigned, redactMentions: mentions, json };
  await (wait ? eraseFile(patient, ids, { ...asked, files, discardedPrefix }) : requestFile(patient, ids, asked));
}

async function eraseOne(
  id: number,
  { yes = false, removeSigned = false, mentions = false, wait = false, json, ...options }: EraseOptions,
) {
  const { store } = await openAccount(options);
  const contactId = await meantId(store, id);
  const [begun, [contact]] = await Promise.all([findErasure(store, contactId), findContacts(store, [contactId])]);
  if (!begun && !contact) throw new CommandError(`Account ${store.account} has no contact ${contactId}.`);
  if (mentions && begun?.FinishedAt !== undefined)
    throw new CommandError(
      `Contact ${contactId} is erased: nothing tells any more who it was. Correct the records that the report lists.`,
    );
  const isForSigned = removeSigned && begun?.RemoveSigned === false;
  if (isForSigned && !yes)
    await confirm(
      `Contact ${contactId} is erased. This removes its signed contracts too, for good: signatures, evidence, texts.`,
      { option: '--yes', refused: 'Nothing was removed.' },
    );
  if (!begun && !yes)
    await confirm(
      `This erases contact ${contactId} for good: notes, files, calls, and the person in all records and events` +
        `${removeSigned ? ', signed contracts included' : ''}.`,
      { option: '--yes', refused: 'Nothing was removed.' },
    );
  const { table, files } = openWorkerTarget();
  const patient = accountStore(table, store.account);
  const asked = { contactId, removeSigned, redactMentions: mentions };
  const { erasure, unfinished } = wait
    ? await eraseContact(patient, {
        ...asked,
        files,
        discardedPrefix,
        onStep: (step) => void process.stderr.write(`${stepText(step)} …\n`),
      })
    : await requestAndFollow(patient, asked);
  const report = erasureReport({ ...erasure }, unfinished);
  print(report, { json, text: formatErasureReport(report) });
  if (unfinished.length) throw new ReportedError();
}

/** How long the command waits for the worker's first pass. */
const FOLLOW_MILLISECONDS = 6 * SECOND;

/** Starts the erasure in the worker and returns its progress after a few seconds. */
async function requestAndFollow(store: PatientStore, options: StartOptions): Promise<ErasureResult> {
  let erasure = await requestErasure(store, options);
  for (const until = Date.now() + FOLLOW_MILLISECONDS; Date.now() < until;) {
    if (!erasure.Contact || erasure.FirstPassAt !== undefined) break;
    await pause(200);
    erasure = (await findErasure(store, options.contactId)) ?? erasure;
  }
  return { erasure, unfinished: [] };
}

/** The step of an erasure; for the wait it says why. */
const stepText = (step: string): string =>
  step === 'calls under way'
    ? 'waits up to 35 seconds: calls that read the contact before may still write; then all is erased once more'
    : step;

const toBytes = (content: ExportedFile['content']): string | Uint8Array =>
  typeof content === 'string' || content instanceof Uint8Array ? content : `${JSON.stringify(content, null, 2)}\n`;

/** Only the owner may read the output. A folder with an earlier export would mix two points in time. */
async function exportTo(id: number, { out, json, ...options }: ExportCommandOptions): Promise<void> {
  const { store } = await openAccount(options);
  const contactId = await meantId(store, id);
  const folder = resolve(out ?? join(localFolder(), 'exports', `contact-${contactId}`));
  if (existsSync(folder)) throw new CommandError(`${folder} exists. Name another folder with --out.`);
  const files = openTargetFiles();
  // Audited before anything is read, because an interrupted export has read personal data too.
  await writeAuditEntry(store, { Kind: 'contact.exported', Data: { ContactId: contactId }, command: 'contact export' });
  const paths: string[] = [];
  for await (const { path, content } of exportContact(store, { contactId, files, now: new Date() })) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, toBytes(content), { flag: 'wx', mode: OWNER_ONLY });
    paths.push(path);
  }
  print({ ContactId: contactId, Folder: folder, Files: paths }, { json, text: `${folder}\n  ${paths.join('\n  ')}` });
}

/** `contact export`, `erase`, and the commands for merges. */
export function contactCommands(program: Command): void {
  const contact = program
    .command('contact')
    .description('Find and merge duplicates; export or erase everything about a person');
  mergeCommands(contact);
  examples(jsonOption(accountOption(contact.command('export'))), 'npx fs contact export 17 --out person-17')
    .description('Write everything about a contact as JSON and files into a new folder')
    .argument('<id>', 'contact id', recordId)
    .option('--out <folder>', 'folder, which must not exist (default: exports/contact-<id> in the data folder)')
    .action(exportTo);
  jsonOption(accountOption(contact.command('erase')))
    .description(
      'Erase a contact with all personal data, for good; a worker goes on with it, twice, within two minutes',
    )
    .argument('[id]', 'contact id', recordId)
    .option('--file <file>', 'erase the contacts of a file (.csv): its column Id, or an id a line')
    .option('--yes', 'do not ask')
    .option('--wait', 'do all of it in this process, which waits 35 seconds for calls that may still write')
    .option(
      '--remove-signed',
      'also remove signatures, evidence and texts of signed proposals, after an erasure without it too',
    )
    .option('--mentions', 'also take the person out of texts of other records, which the report lists in any case')
    .action(erase);
}
