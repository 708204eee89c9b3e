import { Argument, type Command } from 'commander';
import { LINKED_KINDS, type LinkedKind, listLinks, revokeLinks } from '../../../lib/workflows/pages/revoke-links.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { examples } from '../examples.ts';
import { print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, findAccountId, openWorkerTarget } from '../target.ts';
import { recordId } from '../values.ts';
import { callerContext } from '../../../lib/workflows/context.ts';

interface LinkOptions extends AccountOption {
  readonly json?: boolean;
}

/** The context in which links are made and revoked: that of the whole account. */
const openContext = (options: AccountOption) =>
  callerContext(openWorkerTarget().table, accountCaller(findAccountId(options), { role: 'Owner' }), new Date());

async function show(kind: LinkedKind, id: number, { json, ...options }: LinkOptions): Promise<void> {
  const links = await listLinks(openContext(options), kind, id);
  const text = Object.entries(links)
    .map(([page, link]) => `${page.padEnd(12)}${link}`)
    .join('\n');
  print(links, { json, text });
}

async function revoke(kind: LinkedKind, id: number, { json, ...options }: LinkOptions): Promise<void> {
  const context = openContext(options);
  await retryOnConflict(async () => context.store.table.commit(await revokeLinks(context, kind, id)));
  print({ Kind: kind, Id: id, Revoked: true }, { json, text: `No earlier link of ${kind} ${id} opens anything.` });
}

/** `links show`, `links revoke`. */
export function linkCommands(program: Command): void {
  const links = program.command('links').description('Show and revoke the links that clients get');
  const add = (name: string, description: string, action: typeof show) =>
    jsonOption(accountOption(links.command(name)))
      .description(description)
      .addArgument(new Argument('<kind>', 'what it is').choices(LINKED_KINDS))
      .argument('<id>', 'its id', recordId)
      .action(action);
  examples(add('show', 'Show the present links of a record', show), 'npx fs links show proposal 12');
  examples(
    add('revoke', 'End all links of a record; new answers have new ones', revoke),
    'npx fs links revoke invoice 70',
  );
}
