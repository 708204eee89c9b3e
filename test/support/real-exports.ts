import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { importSystem } from '../../infra/cli/other-systems/import.ts';
import { readSystem } from '../../infra/cli/other-systems/mapping-file.ts';
import { type FileReport, missingRows } from '../../infra/cli/imports/report.ts';
import type { SystemImport } from '../../infra/cli/other-systems/run.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import { listOrganizations } from '../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../lib/store/settings.ts';
import { testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Files with the headers and habits of real exports; their values are made up. */

type Cells = Readonly<Record<string, string>>;

const quoted = (value: string): string => (/[",\n;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A CSV file of rows that have some of the columns. */
export const csvOf = (headers: readonly string[], rows: readonly Cells[]): string =>
  [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ''))]
    .map((cells) => cells.map(quoted).join(','))
    .join('\r\n');

export const JOBBER_CLIENTS = (
  'J-ID,Created Date,Is Company?,Display Name,Company Name,Title,First Name,Last Name,Main Phone #s,E-mails,Tags,' +
  'Billing Street 1,Billing Street 2,Billing City,Billing State,Billing Country,Billing Zip code,CFT[ Lawn ft ],' +
  'CFS[Plan],Work Phone #s,Mobile Phone #s,Home Phone #s,Fax Phone #s,Other Phone #s,Text Message Enabled Phone #,' +
  'Receives automatic visit reminders?,Receives automatic job follow-ups?,Receives automatic quote follow-ups?,' +
  'Receives automatic invoice follow-ups?,Archived,Lead Source,Service Property Name,Service Street 1,' +
  'Service Street 2,Service City,Service State,Service Country,Service Zip code,PFT[Gate code],PFI[ Lot size ]'
).split(',');

const ADDRESS = ['Street Line 1', 'Street Line 2', 'City', 'State', 'Postal Code', 'Billing?', 'Notes'];
const FIRST = 'First Name,Last Name,Display Name,Mobile Number,Home Number,Email,Additional Emails,Company';
const LAST =
  'Work Number,Tags,Notes,ID,Customer Type,Customer notifications enabled,Customer is Contractor,Lead Source';
const LATER = 'Bills to,Accepts bills from,Customer created at,Last service date,Lifetime value';

/** The three sets of columns of customers, with 61 addresses each. */
export const HOUSECALL_CUSTOMERS: Readonly<Record<444 | 450 | 451, readonly string[]>> = {
  444: headers(FIRST, 'Job Title', LAST),
  450: headers(FIRST, 'Role', LAST, LATER, 'Do Not Service'),
  451: headers(FIRST, 'Role', LAST, LATER, 'Email marketing consent,SMS marketing consent'),
};

function headers(...groups: readonly string[]): string[] {
  const addresses = Array.from({ length: 61 }, (_, n) => ADDRESS.map((name) => `Address_${n + 1} ${name}`));
  return [...groups.flatMap((group) => group.split(',')), ...addresses.flat()];
}

export const JOBBER_VISITS = (
  'Date,Times,Visit title,Client name,Client phone,Service street,Service city,Service province,Service ZIP,' +
  'Visit completed date,Assigned to,One-off job ($),Schedule duration,Job type,CREW COLOR'
).split(',');

export const HOUSECALL_JOBS = (
  'Job #,Customer name,Job description,Job name,Job status,Job type,Address,Job created date,' +
  'Job scheduled start date,Job scheduled end date,Assigned employees,Customer email,Customer mobile number,' +
  'Customer home number,Customer work number,Job amount,Due amount'
).split(',');
export const HOUSECALL_INVOICES = (
  'Invoice #,Customer name,Invoice amount,Amount due,Invoice status,Job #,Email,Phone,Created date,Due date,' +
  'Payment date,Payment notes'
).split(',');
export const HOUSECALL_ESTIMATES = (
  'Estimate #,Customer name,Sub-total,Open value,Won value,Lost value,Estimate status,Description,Created date,' +
  'Discount amount,Tax amount'
).split(',');

interface Importing extends Partial<SystemImport> {
  /** A system, or a mapping file. */
  readonly from: string;
}

/** Imports files into an account of the shared stack. */
export function importer() {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  let files = 0;
  const fileOf = (text: string | Uint8Array, name = `${files++}.csv`): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    folder,
    fileOf,
    end: () => rmSync(folder, { recursive: true }),
    async run(
      { accountId: account }: { readonly accountId: string },
      texts: readonly (string | Uint8Array)[],
      { from, ...options }: Importing,
    ): Promise<FileReport[]> {
      const table = testTable();
      const reports = await importSystem({
        store: accountStore(table, account),
        system: readSystem(from),
        files: texts.map((text) => fileOf(text)),
        organizations: await listOrganizations(accountStore(table, account)),
        customFields: await listSettings<CustomField>(accountStore(table, account), 'CustomField'),
        ...options,
      });
      if (!options.dryRun) expect(reports.map(missingRows)).toEqual(reports.map(() => 0));
      return reports;
    },
  };
}
