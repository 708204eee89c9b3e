import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { LOCK_FILE, lockFolder } from '../../folder-lock.ts';
import { confirm } from '../confirm.ts';
import { CommandError, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { localFolder } from '../local-stack.ts';

interface ResetOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * The files that a local stack creates in its folder. Nothing else is removed, because FS_DATA may name a folder with
 * other files.
 */
const MADE_BY_STACK =
  /^(local\.json|(callback|payment)-key|stripe\.json|dynamodb\.sqlite.*|shared-local-instance\.db.*|stream-[a-z-]+\.json|aws|docs-page)$/;

async function reset({ yes = false, json }: ResetOptions): Promise<void> {
  const folder = resolve(localFolder());
  const made = () => (existsSync(folder) ? readdirSync(folder).filter((name) => MADE_BY_STACK.test(name)) : []);
  if (!made().length) {
    print({ Folder: folder, Removed: [] }, { json, text: `${folder} holds no data of a local stack.` });
    return;
  }
  if (!yes) {
    const question = `This removes all data of the local stack in ${folder}: accounts, keys, events and files.`;
    await confirm(question, { option: '--yes', refused: 'Nothing was removed.' });
  }
  // The stack may have started while the question was waiting.
  const lock = lockFolder(folder);
  if (!lock) throw new CommandError(`The local stack in ${folder} is running. Stop it first with Ctrl-C.`);
  const names = made();
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  await lock.stop();
  rmSync(join(folder, LOCK_FILE), { force: true });
  print({ Folder: folder, Removed: names }, { json, text: `${folder} is empty. npm start creates a new company.` });
}

/** `reset`. */
export function resetCommand(program: Command): void {
  jsonOption(program.command('reset'))
    .summary('Remove all data of the local stack')
    .description('Remove all data of the local stack, which must be stopped; the next start creates a new company')
    .option('--yes', 'do not ask')
    .action(reset);
}
