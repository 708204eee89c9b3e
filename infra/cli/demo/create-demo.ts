import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { attributes, layout, keyText } from '../../../lib/store/keys.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { expireProposals } from '../../../lib/workflows/proposals/expire-proposals.ts';
import { StagedTable } from '../staged-table.ts';
import { importCompany } from '../company-file/import.ts';
import { parseCompanyFiles } from '../company-file/parse.ts';
import { importContacts } from '../contacts-csv/import.ts';
import { type Steps, readActivity } from './activity.ts';
import { type CompanyEntries, moveDates } from './move-dates.ts';
import { playOffers } from './offers.ts';
import { playYear } from './year.ts';
import { type DemoContact, Office, type Story, playStories } from './office.ts';
import { playDuplicate, playInvoice, playProposal, playVisit } from './stories.ts';
import { type StoreWriter, accountStore } from '../../../lib/store/store.ts';

const FOLDER = import.meta.dirname;

/** How much older the account is than `now`, so that it precedes its activity. */
const AGE = { small: 60 * DAY, full: 400 * DAY };

/** `full` is a company after a year of work; `small` has a few weeks of activity. */
export type DemoSize = 'full' | 'small';

export const DEMO_NAME = 'Evergreen Home Services';

async function importFile(
  store: StoreWriter,
  { file, now, name }: { readonly file: string; readonly now: Date; readonly name?: string },
): Promise<void> {
  const entries = moveDates(parse(readFileSync(join(FOLDER, file), 'utf8')) as CompanyEntries, now);
  // JSON is YAML.
  const text = JSON.stringify(name === undefined ? entries : { ...entries, company: name });
  const result = await importCompany(parseCompanyFiles([{ name: file, text }]), { store });
  const [first] = result.kind === 'invalid' ? result.errors : [];
  if (first) throw new Error(`${file} of the demo is invalid: ${first.field} ${first.message}`);
}

/** The months over which further contacts come. */
const MONTHS = 13;

/** Adds the contacts of a file over the last year, some each month. */
async function addOverTheYear(file: string, now: Date, add: (file: string, at: Date) => Promise<void>): Promise<void> {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const folder = await mkdtemp(join(tmpdir(), 'fs-demo-'));
  try {
    for (let month = 0; month < MONTHS; month++) {
      const part = join(folder, `${month}.csv`);
      await writeFile(part, [head, ...lines.filter((_, index) => index % MONTHS === month), ''].join('\n'));
      await add(part, new Date(now.getTime() - (MONTHS - 1 - month) * 30 * DAY - 5 * HOUR));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Creates the account of the demo company, a franchise in three time zones: settings, price book, contacts and tasks,
 * and what happened up to `now`. The operations run in memory, and the table gets their result at once, with the
 * account last.
 */
export async function createDemo(
  table: TableWriter,
  {
    now,
    name = DEMO_NAME,
    size = 'full',
  }: { readonly now: Date; readonly name?: string | undefined; readonly size?: DemoSize },
): Promise<{ account: string; organizationId: number }> {
  const memory = new StagedTable();
  const created = new Date(now.getTime() - AGE[size]);
  const { account, organizationId } = await writeAccount(memory, { name, now: created });
  const store = accountStore(memory, account);
  await importFile(store, { file: 'company.yaml', now, name });
  const [organizations, customFields] = await Promise.all([
    listOrganizations(store),
    listSettings<CustomField>(store, 'CustomField'),
  ]);
  const addContacts = async (file: string, at: Date): Promise<void> => {
    const { Errors } = await importContacts({ store, file, organizations, customFields, now: at });
    const [error] = Errors;
    if (error) throw new Error(`${file} of the demo is invalid at line ${error.Line}: ${error.Column} ${error.Reason}`);
  };
  await addContacts(join(FOLDER, 'contacts.csv'), created);
  if (size === 'full') await addOverTheYear(join(FOLDER, 'more-contacts.csv'), now, addContacts);
  await importFile(store, { file: 'tasks.yaml', now });
  // Index entries hardly change from here on, so they are written while the operations run.
  const early = memory.items().filter((item) => !(attributes.entity in item) && !isAccount(item));
  const writing = table.putMany(early);
  writing.catch(() => undefined);
  const office = new Office(store, { organizations, now });
  const { last, ...activity } = readActivity();
  await playSteps(office, activity, now);
  if (size === 'full') await playYear(office, store, { organizations, now });
  await playSteps(office, last, now);
  if (size === 'full') await playOffers(office);
  // Proposals expire over time.
  await expireProposals(memory, { now: new Date(), deadline: Date.now() + MINUTE });
  await writing;
  await writeDemo(table, { early, items: memory.items() });
  return { account, organizationId };
}

const isAccount = ({ SK, AccountId }: Item): boolean => SK === 'ACCOUNT' && AccountId !== undefined;

/**
 * Writes the items of the account, then the account itself: an incomplete account is not listed. No record becomes an
 * event: the queue begins with what happens afterwards.
 */
async function writeDemo(
  table: TableWriter,
  { early, items }: { readonly early: readonly Item[]; readonly items: readonly Item[] },
): Promise<void> {
  const progress = layout.expiryProgress.key({}).PK;
  const written = new Set(early);
  const kept = new Set(items.map(keyText));
  const left = items.filter((item) => !written.has(item) && !isAccount(item) && item.PK !== progress);
  const silent = left.map((item) =>
    attributes.entity in item ? { ...item, [attributes.silentVersion]: item[attributes.version] } : item,
  );
  const removals = early.filter((item) => !kept.has(keyText(item))).map((item) => ({ PK: item.PK, SK: item.SK }));
  await table.putMany(silent, removals);
  await table.putMany(items.filter(isAccount));
}

/** Plays what activity.yaml describes, up to `now`: every step calls an operation at its own time. */
async function playSteps(office: Office, { visits, proposals, invoices, duplicates }: Steps, now: Date): Promise<void> {
  async function* forContact<Step extends { readonly contact: string }>(
    step: Step,
    play: (office: Office, contact: DemoContact, step: Step) => Story,
  ): Story {
    yield* play(office, await office.findContact(`${step.contact}@example.com`), step);
  }
  const stories = [
    ...visits.map((visit) => forContact(visit, playVisit)),
    ...proposals.map((proposal) => forContact(proposal, playProposal)),
    ...invoices.map((invoice) => forContact(invoice, playInvoice)),
    ...duplicates.map((duplicate) => forContact(duplicate, playDuplicate)),
  ];
  await playStories(stories, now);
}
