import { type VisitsMapping, headersOf } from '../../../lib/domain/imports/mapping.ts';
import { type VisitRow, readVisit } from '../../../lib/domain/imports/read-work.ts';
import { cents } from '../../../lib/shared/money.ts';
import { chooseAgents, findImportedVisits, importVisit } from '../../../lib/workflows/imports/import-visit.ts';
import { reportLosses } from '../imports/report.ts';
import { companies, requireService } from './companies.ts';
import type { ImportFile, SystemRun } from './run.ts';
import { type WorkKind, importWork } from './work.ts';
import { onceWriter } from './write-once.ts';

/** Imports the visits of a file as appointments. */
export async function importVisits(run: SystemRun, file: ImportFile<VisitsMapping>): Promise<void> {
  const { report, mapping, columns } = file;
  const companyOf = companies(run);
  const writeOnce = onceWriter(run, { kind: 'visit', find: findImportedVisits });
  const withoutId = new Map<string, number>();
  const visits: WorkKind<VisitRow> = {
    read(cells) {
      const row = readVisit(mapping, columns, cells, run.system.system);
      return 'reference' in row && !row.hasId ? numberEqual(row, withoutId) : row;
    },
    async write(visit, { line, contact }) {
      const company = await companyOf(contact);
      const service = requireService(company.services, visit.services, run);
      const { known: agents, unknown } = chooseAgents(company.agents, visit.agents);
      reportAgents(file, line, visit, unknown);
      if (!contact) return undefined;
      const { record, count } = await writeOnce(visit.reference, contact, (context) =>
        importVisit(visit, { contact, service, agents }, context),
      );
      return { count, booked: { total: cents(record.Total) } };
    },
  };
  await importWork(run, file, visits);
  const rows = [...withoutId.values()].reduce((sum, count) => sum + count, 0);
  if (rows)
    report.Remarks.push(
      `${rows} rows have no ${headersOf(mapping.id)[0] ?? 'id'}. Client, day, time and title are their ` +
        'id: a visit that moves there comes again with the next export.',
    );
}

/** Equal rows without an id are different visits: the second one gets a 2 at the end of its reference. */
function numberEqual(visit: VisitRow, met: Map<string, number>): VisitRow {
  const { reference } = visit;
  const count = (met.get(reference) ?? 0) + 1;
  met.set(reference, count);
  return count === 1 ? visit : { ...visit, reference: `${reference} ${count}` };
}

function reportAgents({ report }: ImportFile, line: number, { completed }: VisitRow, unknown: readonly string[]): void {
  const effect = completed ? 'is not recorded' : 'is kept in the internal notes';
  for (const name of unknown)
    reportLosses(report, line, [
      { column: 'agent', reason: `${JSON.stringify(name)} is no service agent: the name ${effect}` },
    ]);
}
