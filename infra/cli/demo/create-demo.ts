import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { createAccount } from '../../../lib/store/accounts.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { listOrganizations } from '../../../lib/store/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { importCompany, sections, stages } from '../company-file/import.ts';
import { readCompany } from '../company-file/read.ts';
import { importContacts } from '../contacts-csv/import.ts';
import { readActivity } from './activity.ts';
import { type DemoContact, type Office, type Story, openOffice, playStories } from './office.ts';
import { playInvoice, playProposal, playVisit } from './stories.ts';

const folder = import.meta.dirname;

/** How long before it is made the company of the demo began with it. */
const AGE_MILLISECONDS = 60 * 86_400_000;

/** The demo's own name. */
export const DEMO_NAME = 'Evergreen Home Services';

async function bring(table: TableWriter, account: string, file: string): Promise<void> {
  const company = readCompany(readFileSync(join(folder, file), 'utf8'), sections);
  const brought =
    'errors' in company
      ? { kind: 'faulty' as const, errors: company.errors }
      : await importCompany(company, { table, account, stages });
  if (brought.kind === 'planned') return;
  const [first] = brought.errors;
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
    listOrganizations(table, account),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  const { Errors } = await importContacts({
    table,
    account,
    file: join(folder, 'contacts.csv'),
    organizations,
    customFields,
    now: began,
  });
  if (Errors[0])
    throw new Error(`the demo's contacts are wrong at line ${Errors[0].Line}: ${Errors[0].Field} ${Errors[0].Message}`);
  await bring(table, account, 'tasks.yaml');
  await playActivity(table, { account, organizations, now });
  return made;
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
