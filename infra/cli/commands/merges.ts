import type { Command } from 'commander';
import { type LikelyPair, pairToResource } from '../../../lib/domain/contacts/likely-pairs.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { findDuplicatesOf, findDuplicatesOnPage } from '../../../lib/workflows/contacts/find-duplicates.ts';
import { type BegunMerge, mergeContacts, unmergeContact } from '../../../lib/workflows/contacts/merge-contacts.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import { confirm } from '../confirm.ts';
import { examples } from '../examples.ts';
import { formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { recordId } from '../values.ts';

interface Options extends AccountOption {
  readonly json?: boolean;
  readonly yes?: boolean;
}

async function openContext(options: AccountOption): Promise<WriteContext> {
  const { store } = await openAccount(options);
  return { store, caller: accountCaller(store.account, { role: 'Owner' }), now: new Date() };
}

/** The most contacts that are compared at a time. */
const PAGE = 100;

async function listAll(context: WriteContext): Promise<LikelyPair[]> {
  const found: LikelyPair[] = [];
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { pairs, next }: Awaited<ReturnType<typeof findDuplicatesOnPage>> = await findDuplicatesOnPage(
      { skip, limit: PAGE },
      context,
    );
    found.push(...pairs);
    skip = next;
  }
  return found;
}

async function duplicates(id: number | undefined, { json, ...options }: Options): Promise<void> {
  const context = await openContext(options);
  const pairs = (id === undefined ? await listAll(context) : await findDuplicatesOf(id, context)).map(pairToResource);
  const rows = pairs.map(({ Contact, Duplicate, Why }) => ({
    Contact: `${Contact?.Id} ${Contact?.Name || Contact?.Company}`,
    Duplicate: `${Duplicate?.Id} ${Duplicate?.Name || Duplicate?.Company}`,
    Why,
  }));
  print(pairs, { json, text: rows.length ? formatTable(rows) : 'No contacts look like one person.' });
}

async function commit(options: AccountOption, begin: (context: WriteContext) => Promise<BegunMerge>): Promise<void> {
  const context = await openContext(options);
  await retryOnConflict(async () => context.store.table.commit((await begin(context)).changes));
}

async function merge(id: number, kept: number, { json, yes = false, ...options }: Options): Promise<void> {
  if (!yes)
    await confirm(`This merges contact ${id} into contact ${kept}. For 30 days it can be undone.`, {
      option: '--yes',
      refused: 'Nothing was merged.',
    });
  await commit(options, (context) => mergeContacts(kept, id, context));
  const text = `Contact ${id} is contact ${kept} now. Its records follow within two minutes.`;
  print({ ContactId: kept, MergedId: id }, { json, text });
}

async function unmerge(id: number, { json, ...options }: Options): Promise<void> {
  await commit(options, (context) => unmergeContact(id, context));
  print({ Id: id }, { json, text: `Contact ${id} is itself again. Its records follow within two minutes.` });
}

/** `contact duplicates`, `merge`, `unmerge`. */
export function mergeCommands(contact: Command): void {
  const add = (name: string) => jsonOption(accountOption(contact.command(name)));
  examples(add('duplicates'), 'npx fs contact duplicates')
    .description('List contacts that are probably one person, with the reason: those of a contact, or all')
    .argument('[id]', 'contact id', recordId)
    .action(duplicates);
  examples(add('merge'), 'npx fs contact merge 18 17')
    .description('Merge a contact into another one, which stays')
    .argument('<id>', 'id of the contact that is merged', recordId)
    .argument('<into>', 'id of the contact that stays', recordId)
    .option('--yes', 'do not ask')
    .action(merge);
  examples(add('unmerge'), 'npx fs contact unmerge 18')
    .description('Undo the merge of a contact, for 30 days')
    .argument('<id>', 'id of the contact that was merged', recordId)
    .action(unmerge);
}
