import { createHash } from 'node:crypto';
import type { ServiceAgentRecord } from '../../../lib/entities/service-agents.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import type { InvoicesMapping, VisitsMapping } from '../../../lib/domain/imports/mapping.ts';
import type { Loss } from '../../../lib/domain/imports/read-row.ts';
import {
  type InvoiceRow,
  type NamedClient,
  type VisitRow,
  readInvoice,
  readVisit,
} from '../../../lib/domain/imports/read-work.ts';
import { cents, fromCents } from '../../../lib/shared/money.ts';
import { Failure } from '../../../lib/shared/failure.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { importedLinesChange } from '../../../lib/store/imports.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { listServices } from '../../../lib/store/pricebook/services.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import {
  importOldInvoice,
  importOldPayments,
  unrecordedPayment,
} from '../../../lib/workflows/imports/import-balance.ts';
import {
  chooseAgents,
  chooseService,
  findImportedVisits,
  importVisit,
} from '../../../lib/workflows/imports/import-visit.ts';
import { contactOf } from './clients.ts';
import { type ImportFile, type SystemRun, countLost, lineReports, readRecords } from './run.ts';

/** Rows in progress at once: they wait for the table, not for each other. */
const MAX_ROWS = 8;

const operator = ({ table, account, now }: SystemRun): WriteContext => ({
  table,
  caller: accountCaller(account, { role: 'Owner', keyName: 'fs import', keyId: 'fs' }),
  now,
});

/** A row that cannot be imported: in which column, and why. */
class RowError extends Error {
  override readonly name = 'RowError';
  readonly losses: readonly Loss[];

  constructor(...losses: readonly Loss[]) {
    super('The row cannot be imported.');
    this.losses = losses;
  }
}

/** Handles the rows of a file, some at a time; a failure of one is reported and stops no other. */
async function eachRow(
  run: SystemRun,
  file: ImportFile,
  handle: (cells: readonly string[], line: number) => Promise<void>,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  for await (const record of readRecords(file)) {
    countLost(file, record);
    const work = handle(record.cells, record.line)
      .catch((error: unknown) => {
        if (error instanceof RowError) file.report.Errors.push(...lineReports(record.line, error.losses));
        else if (error instanceof Failure)
          file.report.Errors.push({ Line: record.line, Column: '', Reason: error.message });
        else broken ??= { error };
      })
      .finally(() => {
        inProgress.delete(work);
        run.advance(1);
      });
    inProgress.add(work);
    while (inProgress.size >= MAX_ROWS) await Promise.race(inProgress);
    if (broken) break;
  }
  await Promise.all(inProgress);
  if (broken) throw broken.error;
}

/** The client that a row names: one of the files, else of earlier imports. */
async function findClient(
  { clients, addEarlierClients }: SystemRun,
  named: NamedClient,
): Promise<{ readonly client: string; readonly contact: string }> {
  let found = clients.find(named);
  if (found === 'none') {
    await addEarlierClients();
    found = clients.find(named);
  }
  if (typeof found === 'object') return found;
  const who = [named.name, ...named.emails, ...named.phones].filter(Boolean).join(', ') || named.reference;
  const reason =
    found === 'none'
      ? 'is no client of the files, nor of an earlier import'
      : 'may be several clients; their street decides';
  throw new RowError({ column: 'client', reason: `${who} ${reason}` });
}

/** The contact of a client or property that was imported. */
async function requireContact(run: SystemRun, { client, contact }: Awaited<ReturnType<typeof findClient>>) {
  const id = (await contactOf(run, contact)) ?? (await contactOf(run, client));
  const [found] = id === undefined ? [] : await findContacts(run.table, run.account, [id]);
  if (!found) throw new RowError({ column: 'client', reason: `${client} was not imported` });
  return found;
}

interface Company {
  readonly services: readonly ServiceRecord[];
  readonly agents: readonly ServiceAgentRecord[];
}

/** Services and agents of organizations, each read once. */
function companies({ table, account: accountId }: SystemRun): (organization: number) => Promise<Company> {
  const known = new Map<number, Promise<Company>>();
  const load = async (organizationId: number): Promise<Company> => {
    const [services, agents] = await Promise.all([
      listServices(table, { accountId, organizationId }),
      listAgents(table, accountId, organizationId),
    ]);
    return { services: services.filter(({ Active }) => Active), agents };
  };
  return (organization) => {
    const loading = known.get(organization) ?? load(organization);
    known.set(organization, loading);
    return loading;
  };
}

const serviceMissing = ({ services }: VisitRow): RowError =>
  new RowError({
    column: 'service',
    reason: `no service is named in ${JSON.stringify(services.join(', ').slice(0, 100))}: add it, or use --service`,
  });

/** Imports the visits of a file as appointments. */
export async function importVisits(run: SystemRun, file: ImportFile): Promise<void> {
  const { report, mapping, columns } = file;
  const loadCompany = companies(run);
  const anywhere = run.dryRun ? await Promise.all(run.organizations.map(({ Id }) => loadCompany(Id))) : [];
  const sums = { inFile: 0, booked: 0 };
  /** The visits that each contact has already, by their references. */
  const imported = new Map<number, ReturnType<typeof findImportedVisits>>();
  await eachRow(run, file, async (cells, line) => {
    const visit = readVisit(mapping as VisitsMapping, columns, cells, run.system.system);
    if ('errors' in visit) throw new RowError(...visit.errors);
    sums.inFile += visit.total;
    const client = await findClient(run, visit.client);
    if (run.dryRun) {
      const services = anywhere.flatMap((company) => company.services);
      if (!chooseService(services, visit.services, run.service)) throw serviceMissing(visit);
      reportAgents(
        file,
        line,
        visit,
        chooseAgents(
          anywhere.flatMap(({ agents }) => agents),
          visit.agents,
        ).unknown,
      );
      return;
    }
    const contact = await requireContact(run, client);
    const company = await loadCompany(contact.OrganizationId);
    const service = chooseService(company.services, visit.services, run.service);
    if (!service) throw serviceMissing(visit);
    const { known, unknown } = chooseAgents(company.agents, visit.agents);
    reportAgents(file, line, visit, unknown);
    const context = operator(run);
    const outcome = await retryUnavailable(async (attempt) => {
      const before = attempt > 1 ? findImportedVisits(context, contact.Id) : imported.get(contact.Id);
      const loading = before ?? findImportedVisits(context, contact.Id);
      imported.set(contact.Id, loading);
      const visits = await loading;
      const own = visits.get(visit.reference);
      if (own) return { appointment: own, isNew: false };
      const { appointment, changes } = await importVisit(visit, { contact, service, agents: known }, context);
      const hash = `${run.system.system}-visit-${createHash('sha256').update(visit.reference).digest('base64url')}`;
      await run.table.commit([...changes, importedLinesChange({ account: run.account, hash }, [contact.Id], run.now)]);
      visits.set(visit.reference, appointment);
      return { appointment, isNew: true };
    });
    report[outcome.isNew ? 'Created' : 'Unchanged']++;
    sums.booked += cents(outcome.appointment.Total);
  });
  report.InFile = { Total: fromCents(sums.inFile) };
  report.Booked = { Total: fromCents(sums.booked) };
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

/** Imports the invoices of a file with what is paid of them. */
export async function importInvoices(run: SystemRun, file: ImportFile): Promise<void> {
  const { report, mapping, columns } = file;
  const sums = { total: 0, balance: 0, bookedTotal: 0, bookedBalance: 0 };
  await eachRow(run, file, async (cells, line) => {
    const row = readInvoice(mapping as InvoicesMapping, columns, cells, run.system.system);
    if ('errors' in row) throw new RowError(...row.errors);
    sums.total += row.total;
    sums.balance += row.balance;
    const client = await findClient(run, row.client);
    if (run.dryRun) return;
    const contact = await requireContact(run, client);
    const { isNew, isPaid, balance } = await importInvoiceRow(run, row, contact.Id);
    report[isNew ? 'Created' : isPaid ? 'Updated' : 'Unchanged']++;
    sums.bookedTotal += row.total;
    sums.bookedBalance += balance;
    if (balance !== row.balance)
      report.Lost.push({
        Line: line,
        Column: 'balance',
        Reason:
          `of invoice ${row.number} is ${fromCents(balance).toFixed(2)} here: ` +
          'more was paid since, or it is a draft',
      });
  });
  report.InFile = { Total: fromCents(sums.total), Balance: fromCents(sums.balance) };
  report.Booked = { Total: fromCents(sums.bookedTotal), Balance: fromCents(sums.bookedBalance) };
}

/** The invoice and its payments; `balance` in cents is what is due now. */
async function importInvoiceRow(
  run: SystemRun,
  row: InvoiceRow,
  contactId: number,
): Promise<{ readonly isNew: boolean; readonly isPaid: boolean; readonly balance: number }> {
  const context = operator(run);
  const { invoice, isNew } = await retryUnavailable(async () => {
    const { invoice: stored, changes } = await importOldInvoice(row, contactId, context);
    await run.table.commit(changes);
    return { invoice: stored, isNew: changes.length > 0 };
  });
  const unrecorded = unrecordedPayment(row, invoice);
  const isDue = unrecorded !== 0 && Math.sign(unrecorded) === Math.sign(row.total);
  if (!isDue) return { isNew, isPaid: false, balance: cents(invoice.BalanceDue) };
  await retryUnavailable(async () => {
    const { changes } = await importOldPayments(row, invoice, run.system.system, context);
    await run.table.commit(changes);
  });
  return { isNew, isPaid: true, balance: cents(invoice.BalanceDue) - unrecorded };
}
