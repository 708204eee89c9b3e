import type { EstimatesMapping } from '../../../lib/domain/imports/mapping.ts';
import { readEstimate } from '../../../lib/domain/imports/read-estimate.ts';
import { cents, fromCents } from '../../../lib/shared/money.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { findImportedEstimates, importEstimate } from '../../../lib/workflows/imports/import-estimate.ts';
import { companies, requireService, wholeCompany } from './companies.ts';
import type { ImportFile, SystemRun } from './run.ts';
import { eachRow, findClient, importedOnce, operator, requireContact, requireRow } from './work-rows.ts';

/** Imports the estimates of a file as proposals that clients cannot see. */
export async function importEstimates(run: SystemRun, file: ImportFile): Promise<void> {
  const { report, mapping, columns } = file;
  const loadCompany = companies(run);
  const anywhere = run.dryRun ? await wholeCompany(run) : undefined;
  const sums = { inFile: 0, booked: 0 };
  await eachRow(run, file, async (cells) => {
    const row = requireRow(readEstimate(mapping as EstimatesMapping, columns, cells, run.system.system));
    sums.inFile += row.total;
    const client = await findClient(run, row.client);
    const contact = anywhere ? undefined : await requireContact(run, client);
    const company = anywhere ?? (await loadCompany(contact?.OrganizationId ?? 0));
    const service = requireService(company.services, [row.description], run);
    if (!contact) return;
    const context = operator(run);
    const outcome = await retryUnavailable(async () => {
      const own = (await findImportedEstimates(context, contact.Id)).get(row.reference);
      if (own) return { proposal: own, isNew: false };
      const { proposal, changes } = await importEstimate(row, { contact, service }, context);
      await run.store.table.commit([...changes, importedOnce(run, 'estimate', row.reference, contact.Id)]);
      return { proposal, isNew: true };
    });
    report[outcome.isNew ? 'Created' : 'Unchanged']++;
    sums.booked += cents(outcome.proposal.Subtotal);
  });
  report.InFile = { Total: fromCents(sums.inFile) };
  report.Booked = { Total: fromCents(sums.booked) };
}
