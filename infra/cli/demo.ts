import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import { createAccount } from '../../lib/store/accounts.ts';
import type { TableWriter } from '../../lib/store/client.ts';
import { listSettings } from '../../lib/store/settings.ts';
import { bringCompany } from './company/import.ts';
import { listOrganizations } from './company/organization-list.ts';
import { readCompany } from './company/read.ts';
import { sections, stages } from './company/sections.ts';
import { importContacts } from './contacts/import.ts';
import { liveDemo } from './demo/activity.ts';

const folder = join(import.meta.dirname, '../demo');

/** How long before it is made the company of the demo began with it. */
const AGE_MILLISECONDS = 60 * 86_400_000;

/** The demo's own name. */
export const DEMO_NAME = 'Evergreen Home Services';

async function bring(table: TableWriter, account: string, file: string): Promise<void> {
  const company = readCompany(readFileSync(join(folder, file), 'utf8'), sections);
  const brought =
    'faults' in company
      ? { kind: 'faulty' as const, faults: company.faults }
      : await bringCompany(company, { table, account, stages });
  if (brought.kind === 'planned') return;
  const [first] = brought.faults;
  throw new Error(`the demo's ${file} is wrong at line ${first?.line}: ${first?.field} ${first?.message}`);
}

/**
 * Makes an account and brings the company of infra/demo into it: a franchise in three time zones, with its contacts and
 * tasks, and what has become of them in the weeks up to `now`.
 */
export async function createDemo(
  table: TableWriter,
  { now }: { now: Date },
): Promise<{ accountId: string; organizationId: number }> {
  const began = new Date(now.getTime() - AGE_MILLISECONDS);
  const made = await createAccount(table, { name: DEMO_NAME, now: began });
  const { accountId: account } = made;
  await bring(table, account, 'company.yaml');
  const [organizations, customFields] = await Promise.all([
    listOrganizations({ table, account }),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  const { Errors } = await importContacts({
    table,
    account,
    file: join(folder, 'contacts.csv'),
    organizations,
    customFields,
    organization: undefined,
    skipUnknownColumns: false,
    again: false,
    dryRun: false,
    onProgress: () => undefined,
    now: began,
  });
  if (Errors[0])
    throw new Error(`the demo's contacts are wrong at line ${Errors[0].Line}: ${Errors[0].Field} ${Errors[0].Message}`);
  await bring(table, account, 'tasks.yaml');
  await liveDemo(table, { account, organizations, now });
  return made;
}
