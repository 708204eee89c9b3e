import { basename } from 'node:path';
import * as z from 'zod';
import { KINDS, readColumnList } from '../../../lib/domain/imports/column-list.ts';
import { CONTACT_FLAGS, CONTACT_TEXTS, type OtherSystem } from '../../../lib/domain/imports/mapping.ts';
import { OTHER_SYSTEMS } from '../../../lib/domain/imports/systems.ts';
import { formatPath, parseYaml } from '../company-file/yaml-document.ts';
import { readInput } from '../input-file.ts';
import { CommandError } from '../output.ts';

const header = () => z.string().min(1, 'must be the header of a column');
const column = () => z.union([header(), z.strictObject({ join: z.array(header()).min(1) })]);
const source = () =>
  z.union([column(), z.array(column()).min(1)], {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a header, a list of headers, or {join: […]}'),
  });
const headers = () => z.array(header()).optional();
const texts = () => z.partialRecord(z.enum(CONTACT_TEXTS), source());

const contacts = () =>
  z.strictObject({
    kind: z.literal('contacts'),
    id: source().optional(),
    separator: z.string().min(1).optional(),
    fields: texts(),
    emails: headers(),
    phones: z.record(z.string().max(50), source()).optional(),
    tags: headers(),
    tagsIf: z.record(z.string().max(100), header()).optional(),
    flags: z.partialRecord(z.enum(CONTACT_FLAGS), header()).optional(),
    consents: z.partialRecord(z.enum(CONTACT_FLAGS), z.array(header()).min(1)).optional(),
    notes: headers(),
    properties: texts().optional(),
    billing: header().optional(),
    ignore: headers(),
  });

const client = () =>
  z.strictObject({
    id: source().optional(),
    name: source().optional(),
    email: source().optional(),
    phone: source().optional(),
    street: source().optional(),
  });

const visits = () =>
  z.strictObject({
    kind: z.literal('visits'),
    id: source().optional(),
    unique: z.boolean().optional(),
    date: source(),
    times: source().optional(),
    start: source().optional(),
    end: source().optional(),
    hours: source().optional(),
    title: source().optional(),
    service: headers(),
    agent: source().optional(),
    completed: source().optional(),
    total: source().optional(),
    notes: headers(),
    client: client(),
    ignore: headers(),
  });

const invoices = () =>
  z.strictObject({
    kind: z.literal('invoices'),
    number: source(),
    date: source(),
    total: source(),
    balance: source(),
    tax: source().optional(),
    subject: source().optional(),
    status: source().optional(),
    paidOn: source().optional(),
    notes: headers(),
    client: client(),
    ignore: headers(),
  });

const estimates = () =>
  z.strictObject({
    kind: z.literal('estimates'),
    number: source(),
    date: source(),
    subtotal: source(),
    discount: source().optional(),
    tax: source().optional(),
    description: source().optional(),
    status: source().optional(),
    notes: headers(),
    client: client(),
    ignore: headers(),
  });

const names = () => ({
  system: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a short name of small letters, such as acme'),
  title: z.string().optional(),
});

const mappingFile = () =>
  z.strictObject({
    ...names(),
    files: z.array(z.discriminatedUnion('kind', [contacts(), visits(), invoices(), estimates()])).min(1),
  });

/** The short form: a line for each column. */
const columnList = () =>
  z.strictObject({
    ...names(),
    kind: z.enum(KINDS, 'must be contacts, visits, invoices or estimates'),
    columns: z.record(z.string(), z.string('must be a field')),
  });

/** The mapping files of one system, named by `--mapping`. */
export function readMappings(files: readonly string[]): OtherSystem {
  const [first, ...others] = files.map(readSystem);
  if (!first) throw new CommandError('--mapping must name a mapping file (.yaml).');
  const different = others.find(({ system }) => system !== first.system);
  if (different)
    throw new CommandError(`Mapping files must be of one system, not of ${first.system} and ${different.system}.`);
  return { ...first, files: [first, ...others].flatMap((each) => each.files) };
}

/** The system named by `--from`: a known one, or a mapping file. Throws a CommandError with every error in the file. */
export function readSystem(from: string): OtherSystem {
  if (!/\.(ya?ml|json)$/i.test(from)) {
    const known = OTHER_SYSTEMS.find(({ system }) => system === from.toLowerCase());
    if (known) return known;
    const names = OTHER_SYSTEMS.map(({ system }) => system).join(' or ');
    throw new CommandError(`--from must be ${names}, or a mapping file (.yaml), not ${JSON.stringify(from)}.`);
  }
  const document = parseYaml(readInput(from), basename(from));
  const [syntax] = document.syntaxErrors;
  if (syntax) throw new CommandError(`${from}:${syntax.line}: ${syntax.message}`);
  const fault = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }) =>
    `${from}:${document.errorAt(path, message).line}: ${formatPath(path)} ${message}`;
  const refuse = (issues: readonly Parameters<typeof fault>[0][]) => new CommandError(issues.map(fault).join('\n'));
  if (typeof document.value === 'object' && document.value !== null && 'columns' in document.value) {
    const { data, error } = columnList().safeParse(document.value);
    if (!data) throw refuse(error.issues);
    const read = readColumnList(data.kind, data.columns);
    if ('mapping' in read) return { system: data.system, title: data.title ?? data.system, files: [read.mapping] };
    throw refuse(
      read.errors.map(({ column, message }) => ({
        path: column === undefined ? ['columns'] : ['columns', column],
        message,
      })),
    );
  }
  const { data, error } = mappingFile().safeParse(document.value);
  if (!data) throw refuse(error.issues);
  return { ...data, title: data.title ?? data.system };
}
