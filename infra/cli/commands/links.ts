import { Argument, type Command, Option } from 'commander';
import {
  LINKED_KINDS,
  type LinkedKind,
  ORGANIZATION_PAGES,
  type OrganizationPage,
  listLinks,
  revokeLinks,
} from '../../../lib/workflows/pages/revoke-links.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import type { CliCommand } from '../command.ts';
import { UsageError, print } from '../output.ts';
import type { AccountOption } from '../options.ts';
import { findAccountId, openWorkerTarget } from '../target.ts';
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

interface RevokeOptions extends LinkOptions {
  readonly page?: OrganizationPage;
}

async function revoke(kind: LinkedKind, id: number, { json, page, ...options }: RevokeOptions): Promise<void> {
  if (page && kind !== 'organization') throw new UsageError('Leave out --page: only an organization has it.');
  const context = openContext(options);
  const pages = page && [page];
  await retryOnConflict(async () => context.store.table.commit(await revokeLinks(context, kind, id, pages)));
  const text = page
    ? `No earlier link to the ${page} of ${kind} ${id} opens anything.`
    : `No earlier link of ${kind} ${id} opens anything.`;
  print({ Kind: kind, Id: id, ...(page && { Page: page }), Revoked: true }, { json, text });
}

const takesRecord = (command: Command): Command =>
  command.addArgument(new Argument('<kind>', 'what it is').choices(LINKED_KINDS)).argument('<id>', 'its id', recordId);

export const commands: readonly CliCommand[] = [
  {
    words: 'links show',
    description: 'Show the present links of a record',
    examples: ['npx fs links show proposal 12', 'npx fs links show agent 3'],
    takes: takesRecord,
    onTable: show,
  },
  {
    words: 'links revoke',
    description: 'End all links of a record; new answers have new ones',
    examples: ['npx fs links revoke invoice 70', 'npx fs links revoke organization 1 --page calendar'],
    takes: (command) =>
      takesRecord(command).addOption(
        new Option('--page <page>', 'only these links of an organization').choices(ORGANIZATION_PAGES),
      ),
    onTable: revoke,
  },
];
