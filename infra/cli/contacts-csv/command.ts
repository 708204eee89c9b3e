import { resolve } from 'node:path';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { fold } from '../../../lib/shared/text.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { layout } from '../../../lib/store/keys.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { CommandError, formatList, print, showProgress } from '../output.ts';
import { type ContactsImported, importContacts } from './import.ts';
import type { NamedOrganization } from './row.ts';

export interface ContactsOptions {
  readonly organization?: string;
  readonly skipUnknown?: boolean;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Faulty lines shown one by one; `--json` has them all. */
const MAX_SHOWN = 50;

async function organizationsOf(table: TableWriter, account: string): Promise<NamedOrganization[]> {
  const found: NamedOrganization[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({
      partition: layout.organization.of({ account }),
      after,
      attributes: ['Id', 'PublicName', 'LocationID'],
    });
    found.push(...(page.items as unknown as NamedOrganization[]));
    after = page.next;
  } while (after !== undefined);
  return found;
}

function organizationNamed(organizations: readonly NamedOrganization[], text: string): number {
  const found = organizations.find(
    ({ Id, PublicName, LocationID }) =>
      text === String(Id) || [PublicName, LocationID].some((name) => fold(name) === fold(text)),
  );
  if (!found)
    throw new CommandError(
      `There is no organization ${JSON.stringify(text)}: name one by its name, location id or id.`,
    );
  return found.Id;
}

function textOf(file: string, { Errors, ...counts }: ContactsImported, dryRun: boolean): string {
  const lines = Errors.slice(0, MAX_SHOWN).map(
    ({ Line, Field, Message }) => `${file}:${Line}: ${[Field, Message].filter(Boolean).join(' ')}`,
  );
  const more = Errors.length > MAX_SHOWN ? [`… and ${Errors.length - MAX_SHOWN} more; --json has them all`] : [];
  const failed = new Set(Errors.map(({ Line }) => Line)).size;
  const { Lines, Skipped, ...written } = counts;
  const skipped = Skipped
    ? [`${Skipped} lines were imported by an earlier run of this file and are passed over; --again imports them again.`]
    : [];
  return [
    ...lines,
    ...more,
    ...skipped,
    formatList({ Lines, ...(dryRun ? {} : written), Skipped, Failed: failed }),
  ].join('\n');
}

/** `import contacts.csv`. */
export async function importContactsFile(
  table: TableWriter,
  account: string,
  file: string,
  options: ContactsOptions,
): Promise<void> {
  const { skipUnknown = false, again = false, dryRun = false, json = false } = options;
  const [organizations, customFields] = await Promise.all([
    organizationsOf(table, account),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  const organization =
    options.organization === undefined ? undefined : organizationNamed(organizations, options.organization);
  const progress = showProgress();
  const result = await importContacts({
    table,
    account,
    file: resolve(file),
    organizations,
    customFields,
    organization,
    skipUnknownColumns: skipUnknown,
    again,
    dryRun,
    onProgress: progress.tell,
  }).finally(progress.end);
  print(result, { json, text: textOf(file, result, dryRun) });
  if (result.Errors.length) process.exitCode = 1;
}
