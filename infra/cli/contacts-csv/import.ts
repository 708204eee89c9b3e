import type { ContactUpsert } from '../../../lib/workflows/contacts/match-contacts.ts';
import { planUpserts } from '../../../lib/workflows/contacts/save-contacts.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';
import { surveyFile } from '../imports/csv-file.ts';
import type { FileReport } from '../imports/report.ts';
import { tableRows } from '../imports/table-rows.ts';
import { type ContactsFile, importContactLines } from './contacts-file.ts';

export interface ContactsImport extends ContactsFile {
  readonly store: StoreWriter;
  /** The creation time of the contacts; now by default. */
  readonly now?: Date;
}

/** Batches in progress at a time; more would wait for each other's CPU, not for the table. */
const MAX_BATCHES = 2;

/** Imports a CSV file of contacts into the table by the rules of contacts/addupdate, 25 per transaction. */
export async function importContacts(options: ContactsImport): Promise<FileReport> {
  const { store, file, organization, now = new Date() } = options;
  const survey = await surveyFile(file);
  const hash = `${survey.hash}${organization === undefined ? '' : `-${organization}`}`;
  return importContactLines(options, survey, () =>
    tableRows({
      store,
      source: hash,
      now,
      limit: MAX_BATCHES,
      plan(rows) {
        const upserts = rows.map(({ contact }): ContactUpsert => ({
          input: contact,
          criteria: undefined,
          distribute: contact.OrganizationId ? false : 'always',
        }));
        return planUpserts(upserts, { store, caller: { account: store.account, organizationId: null }, now });
      },
      missing: 'Contact not found',
      severalAdvice: '; add a column Id with one of them',
    }),
  );
}
