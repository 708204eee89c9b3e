import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { DAY } from '../../../lib/shared/time.ts';
import { writeAccount } from '../../../lib/store/accounts.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { listOrganizations } from '../../../lib/store/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { type ImportResult, importCompany } from '../company-file/import.ts';
import { parseCompanyFile } from '../company-file/parse.ts';
import { importContacts } from '../contacts-csv/import.ts';
import { readActivity } from './activity.ts';
import { type DemoContact, type Office, type Story, openOffice, playStories } from './office.ts';
import { playInvoice, playProposal, playVisit } from './stories.ts';

const FOLDER = import.meta.dirname;

/** The account is older than its activity. */
const AGE = 60 * DAY;

export const DEMO_NAME = 'Evergreen Home Services';

async function importFile(table: TableWriter, account: string, file: string, name?: string): Promise<void> {
  const parsed = parseCompanyFile(readFileSync(join(FOLDER, file), 'utf8'));
  const company =
    'errors' in parsed || name === undefined ? parsed : { ...parsed, account: { ...parsed.account, company: name } };
  const errors = 'errors' in company ? company.errors : importErrors(await importCompany(company, { table, account }));
  const [first] = errors;
  if (first) throw new Error(`${file} of the demo is invalid at line ${first.line}: ${first.field} ${first.message}`);
}

const importErrors = (result: ImportResult) => (result.kind === 'invalid' ? result.errors : []);

/**
 * Creates the account of the demo company, a franchise in three time zones: its settings, price book, contacts and
 * tasks, and what happened in the weeks up to `now`.
 */
export async function createDemo(
  table: TableWriter,
  { now, name = DEMO_NAME }: { readonly now: Date; readonly name?: string | undefined },
): Promise<{ accountId: string; organizationId: number }> {
  const created = new Date(now.getTime() - AGE);
  const { accountId: account, organizationId } = await writeAccount(table, { name, now: created });
  await importFile(table, account, 'company.yaml', name);
  const [organizations, customFields] = await Promise.all([
    listOrganizations(table, account),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  const file = join(FOLDER, 'contacts.csv');
  const { Errors } = await importContacts({ table, account, file, organizations, customFields, now: created });
  const [error] = Errors;
  if (error)
    throw new Error(`contacts.csv of the demo is invalid at line ${error.Line}: ${error.Field} ${error.Message}`);
  await importFile(table, account, 'tasks.yaml');
  await playActivity(table, { account, organizations, now });
  return { accountId: account, organizationId };
}

/** Plays the activity of the demo company up to `now`: every step is a call of an operation at its own time. */
async function playActivity(
  table: TableWriter,
  company: { readonly account: string; readonly organizations: readonly OrganizationRecord[]; readonly now: Date },
): Promise<void> {
  const office = openOffice(table, company);
  async function* forContact<Step extends { readonly contact: string }>(
    step: Step,
    play: (office: Office, contact: DemoContact, step: Step) => Story,
  ): Story {
    yield* play(office, await office.findContact(`${step.contact}@example.com`), step);
  }
  const { visits, proposals, invoices } = readActivity();
  const stories = [
    ...visits.map((visit) => forContact(visit, playVisit)),
    ...proposals.map((proposal) => forContact(proposal, playProposal)),
    ...invoices.map((invoice) => forContact(invoice, playInvoice)),
  ];
  await playStories(stories, company.now);
}
