import { mapWithConcurrency } from '../shared/promises.ts';
import type { Files } from './s3.ts';

/** The prefix of page PDFs, which the bucket removes after 7 days. Each is stored under the hash of its content. */

export const PDF_PREFIX = 'pdf/';

/** The prefix of an account's PDFs. */
export const accountPdfPrefix = (account: string): string => `${PDF_PREFIX}${account}/`;

/** The prefix of a record's PDFs: all versions in all languages. */
export const pdfPrefix = (account: string, page: string, id: number): string =>
  `${accountPdfPrefix(account)}${page}-${id}-`;

const PREFIXES_AT_ONCE = 8;

/** Removes the PDFs of records with all their versions. Safe to repeat. */
export async function removePdfs(
  files: Files,
  account: string,
  records: { readonly invoices: readonly number[]; readonly proposals: readonly number[] },
): Promise<void> {
  const prefixes = [
    ...records.invoices.map((id) => pdfPrefix(account, 'invoice', id)),
    ...records.proposals.map((id) => pdfPrefix(account, 'proposal', id)),
  ];
  await mapWithConcurrency(prefixes, PREFIXES_AT_ONCE, async (prefix) => {
    for (const key of await files.list(prefix)) await files.removeVersions(key);
  });
}
