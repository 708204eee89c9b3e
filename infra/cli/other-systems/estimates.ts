import type { EstimatesMapping } from '../../../lib/domain/imports/mapping.ts';
import { type EstimateRow, readEstimate } from '../../../lib/domain/imports/read-estimate.ts';
import { cents } from '../../../lib/shared/money.ts';
import { findImportedEstimates, importEstimate } from '../../../lib/workflows/imports/import-estimate.ts';
import { companies, requireService } from './companies.ts';
import type { ImportFile, SystemRun } from './run.ts';
import { type WorkKind, importWork } from './work.ts';
import { onceWriter } from './write-once.ts';

/** Imports the estimates of a file as proposals that clients cannot see. */
export async function importEstimates(run: SystemRun, file: ImportFile<EstimatesMapping>): Promise<void> {
  const { mapping, columns } = file;
  const companyOf = companies(run);
  const writeOnce = onceWriter(run, { kind: 'estimate', find: findImportedEstimates });
  const estimates: WorkKind<EstimateRow> = {
    read: (cells) => readEstimate(mapping, columns, cells, run.system.system),
    async write(row, { contact }) {
      const { services } = await companyOf(contact);
      const service = requireService(services, [row.description], run);
      if (!contact) return undefined;
      const { record, count } = await writeOnce(row.reference, contact, (context) =>
        importEstimate(row, { contact, service }, context),
      );
      return { count, booked: { total: cents(record.Subtotal) } };
    },
  };
  await importWork(run, file, estimates);
}
