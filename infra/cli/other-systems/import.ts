import { basename } from 'node:path';
import { KINDS } from '../../../lib/domain/imports/column-list.ts';
import { ClientIndex, type KnownClient } from '../../../lib/domain/imports/client-index.ts';
import {
  type Mapping,
  findMapping,
  missingClientHeaders,
  requiredHeaders,
} from '../../../lib/domain/imports/mapping.ts';
import { fileColumns } from '../../../lib/domain/imports/read-row.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { listReferenced } from '../../../lib/workflows/imports/upsert-clients.ts';
import { surveyFile } from '../contacts-csv/csv-file.ts';
import { CommandError } from '../output.ts';
import { importClients, importProperties, readClients } from './clients.ts';
import { type FileReport, newReport } from './report.ts';
import type { ImportFile, SystemImport, SystemRun } from './run.ts';
import { importEstimates } from './estimates.ts';
import { importInvoices } from './invoices.ts';
import { importVisits } from './visits.ts';

/**
 * Imports files of another system: first the clients, then the contacts of their properties, visits, invoices and
 * estimates, which may come later than their clients. A row that cannot be imported does not stop the others. Imported
 * records are found again by their ids in the other system, so an interrupted run can be continued, and a second one
 * changes nothing.
 */
export async function importSystem(options: SystemImport): Promise<FileReport[]> {
  const { store, system, organizations, onProgress } = options;
  const files = await Promise.all(options.files.map((path) => openFile(path, options)));
  files.sort((one, other) => KINDS.indexOf(one.mapping.kind) - KINDS.indexOf(other.mapping.kind));
  const rows = files.reduce((sum, { report, mapping }) => sum + report.Rows * (mapping.kind === 'contacts' ? 2 : 1), 0);
  let done = 0;
  const [first] = organizations;
  const country = (organizations.find(({ Id }) => Id === options.organization) ?? first)?.Country ?? 'US';
  const prefix = `${system.system}:`;
  const clients = new ClientIndex(country);
  let earlier: Promise<void> | undefined;
  const run: SystemRun = {
    ...options,
    now: options.now ?? new Date(),
    country,
    clients,
    addEarlierClients: () => (earlier ??= addEarlierClients(clients, listReferenced(store, prefix))),
    addresses: new Map(),
    contactIds: new Map(),
    advance: (count) => onProgress?.((done += count), rows),
  };
  const ofKind = (kind: Mapping['kind']) => files.filter(({ mapping }) => mapping.kind === kind);
  for (const file of ofKind('contacts')) await (run.dryRun ? readClients(run, file) : importClients(run, file));
  if (!run.dryRun) for (const file of ofKind('contacts')) await importProperties(run, file);
  if (!clients.size) await run.addEarlierClients();
  if (!clients.size && !ofKind('contacts').length)
    throw new CommandError(
      `Import the clients of ${system.title} first, or in the same command: visits and invoices name them only by ` +
        'name, e-mail and phone.',
    );
  for (const file of ofKind('visits')) await importVisits(run, file);
  for (const file of ofKind('invoices')) await importInvoices(run, file);
  for (const file of ofKind('estimates')) await importEstimates(run, file);
  for (const { report } of files) {
    report.Errors.sort((one, other) => one.Line - other.Line);
    report.Lost.sort((one, other) => one.Line - other.Line);
    report.Changed.sort((one, other) => one.Line - other.Line);
  }
  return files.map(({ report }) => report);
}

/** `visits (Job #, Date)`: the columns that identify a file of a mapping. */
const describeColumns = (mapping: Mapping): string =>
  `${mapping.kind} (${requiredHeaders(mapping)
    .map((choice) => choice.join(' or '))
    .join(', ')})`;

async function openFile(path: string, { system, customFields }: SystemImport): Promise<ImportFile> {
  const { headers, lines, hash } = await surveyFile(path);
  const mapping = findMapping(system, headers);
  if (!mapping)
    throw new CommandError(
      `${path} cannot be imported from ${system.title}. Its first line must have the columns of ` +
        `${system.files.map(describeColumns).join(', or of ')}.`,
    );
  const missing = missingClientHeaders(mapping, headers);
  if (missing.length)
    throw new CommandError(
      `${path} names no client: its ${mapping.kind} cannot be imported. Export it with ${missing.slice(0, 3).join(' or ')}.`,
    );
  const columns = fileColumns(mapping, headers, customFields);
  const report = newReport(basename(path), mapping.kind, lines);
  if (mapping.kind === 'contacts' && mapping.id === undefined)
    report.Remarks.push(
      'The rows have no id: name, e-mail, phone and street are it. A client that changes comes again.',
    );
  return { path, hash, mapping, columns, report, propertyLines: new Set() };
}

/** The client's id within the id of its property: `jobber:1001` in `jobber:1001/5002`. */
const clientOf = (reference: string): string => reference.split('/', 1)[0] ?? reference;

/** Adds the clients of earlier imports to those in the files. */
async function addEarlierClients(clients: ClientIndex, contacts: AsyncIterable<ContactRecord>): Promise<void> {
  const found = new Map<string, KnownClient>();
  const properties = new Map<string, { reference: string; contact: { Address1: string } }[]>();
  for await (const {
    DigitalTrackingId: reference,
    Address1,
    Name,
    Nickname,
    Company,
    Email,
    Phone,
    AltPhone,
  } of contacts) {
    const client = clientOf(reference);
    const own = properties.get(client) ?? [];
    properties.set(client, own);
    if (client === reference)
      found.set(client, {
        reference,
        client: { Name, Nickname, Company, Email, Phone, AltPhone, Address1 },
        properties: own,
      });
    else own.push({ reference, contact: { Address1 } });
  }
  for (const client of found.values()) clients.add(client);
}
