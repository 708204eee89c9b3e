import { type VisitsMapping, headersOf } from '../../../lib/domain/imports/mapping.ts';
import { type VisitRow, readVisit } from '../../../lib/domain/imports/read-work.ts';
import { cents, fromCents } from '../../../lib/shared/money.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { chooseAgents, findImportedVisits, importVisit } from '../../../lib/workflows/imports/import-visit.ts';
import { companies, requireService, wholeCompany } from './companies.ts';
import { type ImportFile, type SystemRun, reportLosses } from './run.ts';
import { eachRow, findClient, importedOnce, operator, requireContact, requireRow } from './work-rows.ts';

/** Imports the visits of a file as appointments. */
export async function importVisits(run: SystemRun, file: ImportFile): Promise<void> {
  const { report, mapping, columns } = file;
  const loadCompany = companies(run);
  const anywhere = run.dryRun ? await wholeCompany(run) : undefined;
  const sums = { inFile: 0, booked: 0 };
  /** The existing visits of each contact, by reference. */
  const imported = new Map<number, ReturnType<typeof findImportedVisits>>();
  const withoutId = new Map<string, number>();
  await eachRow(run, file, async (cells, line) => {
    const read = requireRow(readVisit(mapping as VisitsMapping, columns, cells, run.system.system));
    const visit = read.hasId ? read : numberEqual(read, withoutId);
    sums.inFile += visit.total;
    reportLosses(file, line, visit.losses);
    const client = await findClient(run, visit.client);
    const contact = anywhere ? undefined : await requireContact(run, client);
    const company = anywhere ?? (await loadCompany(contact?.OrganizationId ?? 0));
    const service = requireService(company.services, visit.services, run);
    const { known, unknown } = chooseAgents(company.agents, visit.agents);
    reportAgents(file, line, visit, unknown);
    if (!contact) return;
    const context = operator(run);
    const outcome = await retryUnavailable(async (attempt) => {
      const before = attempt > 1 ? findImportedVisits(context, contact.Id) : imported.get(contact.Id);
      const loading = before ?? findImportedVisits(context, contact.Id);
      imported.set(contact.Id, loading);
      const visits = await loading;
      const own = visits.get(visit.reference);
      if (own) return { appointment: own, isNew: false };
      const { appointment, changes } = await importVisit(visit, { contact, service, agents: known }, context);
      await run.store.table.commit([...changes, importedOnce(run, 'visit', visit.reference, contact.Id)]);
      visits.set(visit.reference, appointment);
      return { appointment, isNew: true };
    });
    report[outcome.isNew ? 'Created' : 'Unchanged']++;
    sums.booked += cents(outcome.appointment.Total);
  });
  const rows = [...withoutId.values()].reduce((sum, count) => sum + count, 0);
  if (rows)
    report.Remarks.push(
      `${rows} rows have no ${headersOf((mapping as VisitsMapping).id)[0] ?? 'id'}. Client, day, time and title are their ` +
        'id: a visit that moves there comes again with the next export.',
    );
  report.InFile = { Total: fromCents(sums.inFile) };
  report.Booked = { Total: fromCents(sums.booked) };
}

/** Equal rows without an id are different visits: the second one gets a 2 at the end of its reference. */
function numberEqual(visit: VisitRow, met: Map<string, number>): VisitRow {
  const { reference } = visit;
  const count = (met.get(reference) ?? 0) + 1;
  met.set(reference, count);
  return count === 1 ? visit : { ...visit, reference: `${reference} ${count}` };
}

function reportAgents({ report }: ImportFile, Line: number, { completed }: VisitRow, unknown: readonly string[]): void {
  const effect = completed ? 'is not recorded' : 'is kept in the internal notes';
  for (const name of unknown)
    report.Lost.push({
      Line,
      Column: 'agent',
      Reason: `${JSON.stringify(name)} is no service agent: the name ${effect}`,
    });
}
