import type { Column } from '../../lib/domain/downloads/columns.ts';
import { DOWNLOAD_KINDS } from '../../lib/domain/downloads/kind.ts';
import { downloadKinds } from '../../lib/domain/downloads/kinds.ts';
import {
  type ApiDocument,
  type DescribedOperation,
  type Schema,
  describedOperations,
  titleOf,
} from './described-operations.ts';

const comment = (text: string | undefined, indent = ''): string => {
  if (!text) return '';
  const [first = '', ...others] = text.replaceAll('*/', '*\\/').split('\n');
  return `${indent}/** ${[first, ...others.map((line) => `${indent} * ${line}`.trimEnd())].join('\n')} */\n`;
};

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** Writes schemas as types. Lists in requests are readonly: those of an answer can be sent back unchanged. */
class TypeWriter {
  /** Titles of components that are sent. */
  readonly #sent: ReadonlySet<string>;

  constructor(sent: ReadonlySet<string>) {
    this.#sent = sent;
  }

  /** `interface Contact { … }`, or a type if it is one of several. */
  component(title: string, schema: Schema): string {
    const isSent = this.#sent.has(title);
    // An interface without fields would accept any object.
    if (schema.properties && !Object.keys(schema.properties).some((name) => name !== 'ApiKey'))
      return `export type ${title} = { readonly [name: string]: never };\n`;
    const isObject = schema.properties !== undefined || schema.type === 'object';
    return isObject
      ? `${comment(schema.description)}export interface ${title} ${this.#object(schema, isSent)}\n`
      : `${comment(schema.description)}export type ${title} = ${this.#type(schema, isSent)};\n`;
  }

  #type(schema: Schema, isSent: boolean): string {
    const { $ref, anyOf, oneOf, enum: values, examples, type } = schema;
    if ($ref) return titleOf(schema);
    const forms = anyOf ?? oneOf;
    if (forms) return union(forms.map((form) => this.#type(form, isSent)));
    if (values) return union(values.map((value) => JSON.stringify(value)));
    const types = [type ?? []].flat();
    if (!types.length) return 'unknown';
    // A word in any case, or another that a newer API knows; editors still offer the listed ones.
    const words = examples ? [...examples.map((word) => JSON.stringify(word)), '(string & {})'] : ['string'];
    return union(types.flatMap((each) => (each === 'string' ? words : this.#ofType(each, schema, isSent))));
  }

  #ofType(type: string, schema: Schema, isSent: boolean): string {
    switch (type) {
      case 'array': {
        const item = this.#type(schema.items ?? {}, isSent);
        const list = /[ {]/.test(item) ? `(${item})[]` : `${item}[]`;
        return isSent ? `readonly ${list}` : list;
      }
      case 'object':
        return this.#object(schema, isSent);
      case 'integer':
        return 'number';
      default:
        return type;
    }
  }

  /** Request fields may be omitted or `undefined`; an answer has every field. */
  #object({ properties = {}, required = [], additionalProperties }: Schema, isSent: boolean): string {
    const fields = Object.entries(properties)
      .filter(([name]) => !(isSent && name === 'ApiKey'))
      .map(([name, schema]) => {
        const isOptional = isSent && !required.includes(name);
        const type = `${this.#type(schema, isSent)}${isOptional ? ' | undefined' : ''}`;
        return `${comment(schema.description, '  ')}  ${nameOf(name)}${isOptional ? '?' : ''}: ${type};\n`;
      });
    if (typeof additionalProperties === 'object')
      fields.push(`  [name: string]: ${this.#type(additionalProperties, isSent)};\n`);
    return `{\n${fields.join('')}}`;
  }
}

/** The components that requests reach. */
function sentTitles(operations: readonly DescribedOperation[], schemas: ApiDocument['components']['schemas']) {
  const sent = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, inner] of Object.entries(part)) {
      if (name === '$ref') add(titleOf({ $ref: String(inner) }));
      else visit(inner);
    }
  };
  const add = (title: string): void => {
    if (sent.has(title)) return;
    sent.add(title);
    visit(schemas[title]);
  };
  for (const { request } of operations) add(request);
  return sent;
}

const isOptional = (schema: Schema | undefined): boolean => !schema?.required?.length;

function operationMethod(operation: DescribedOperation, schemas: ApiDocument['components']['schemas']): string {
  const { name, summary, description, request, answer, list } = operation;
  const { items = {} } = schemas[answer]?.properties?.[list ?? ''] ?? {};
  const result = list ? `Page<${answer}, ${titleOf(items) || `${answer}['${list}'][number]`}>` : `Promise<${answer}>`;
  const parameters = `request${isOptional(schemas[request]) ? '?' : ''}: ${request}, options?: CallOptions`;
  return `${comment(`${summary}\n\n${description}`, '    ')}    ${name}(${parameters}): ${result};\n`;
}

type ColumnType = Column<unknown>['type'];

const ROW_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'number | null',
  decimal: 'number | null',
  text: 'string | null',
  flag: 'boolean | null',
  moment: 'string | null',
  date: 'string | null',
  list: 'unknown',
  any: 'unknown',
};

const ABOUT: Readonly<Partial<Record<ColumnType, string>>> = { moment: 'UTC, ISO 8601', date: 'YYYY-MM-DD' };

function rowColumn({ name, type, about, option }: Column<unknown>): string {
  const sentence = [about, ABOUT[type], option && `only with ${option}`].filter(Boolean).join('; ');
  return `${comment(sentence, '    ')}    ${nameOf(name)}${option ? '?' : ''}: ${ROW_TYPES[type]};\n`;
}

const definitions = DOWNLOAD_KINDS.map((kind) => downloadKinds[kind]);

function rowTypes(): string {
  const rows = definitions.map(({ kind, columns, rows: about, custom }) => {
    const customFields = custom ? '    [custom: `Custom.${string}` | `OrganizationCustom.${string}`]: unknown;\n' : '';
    return `${comment(about, '  ')}  ${kind}: {\n${columns.map(rowColumn).join('')}${customFields}  };\n`;
  });
  return `/** The row of each kind of download. */\nexport interface Rows {\n${rows.join('')}}\n`;
}

const EVENTS = `
/** What is wrong with one field of a request. */
export type FieldError = NonNullable<Failure['Errors']>[number];

/** The payload of an event of one of the kinds: \`Data\` is the resource. */
export type PayloadOf<Kind extends EventKind, Payload = EventPayload> = Payload extends { Kind: infer Own }
  ? [Kind & Own] extends [never]
    ? never
    : Omit<Payload, 'Kind'> & { Kind: Kind & Own }
  : never;

/** An event of one of the kinds, as datasubscriber/fetch returns it and callbacks bring it. */
export interface Event<Kind extends EventKind = EventKind> extends Omit<DataSubscriberEvent, 'Payload'> {
  Payload: PayloadOf<Kind>;
}

/** The form of an upload: what the files belong to, and a note. */
export type ContactForm = Omit<UploadContactRequest['upload'], 'UploadIds'>;
export type ProposalForm = Omit<UploadProposalRequest['upload'], 'UploadIds'>;

/** What download/startdownload takes beside the kind. */
export type DownloadRequest = Omit<StartDownloadRequest, 'Kind'>;
`;

/**
 * The types of the package, instead of lib/client/api.ts: every operation, resource, event kind and row. Written here
 * and not by a generator, so that the interfaces have the names of the API, which editors show.
 */
export function apiTypes(document: ApiDocument): string {
  const { schemas } = document.components;
  const operations = describedOperations(document);
  const writer = new TypeWriter(sentTitles(operations, schemas));
  const groups = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ group }) => group === name);
    const methods = own.map((each) => operationMethod(each, schemas)).join('');
    return `${comment(description, '  ')}  ${name}: {\n${methods}  };\n`;
  });
  const byName = operations.map(
    ({ group, name, request, answer }) => `  '${group}/${name}': { request: ${request}; answer: ${answer} };\n`,
  );
  return [
    `// Made of the definitions of version ${document.info.version} by npm run client.\n`,
    "import type { CallOptions } from './caller.js';\nimport type { Page } from './pages.js';\n",
    `/** Every operation by its group. */\nexport interface Groups {\n${groups.join('')}}\n`,
    '/** The request of an operation, and its answer, by `group/operation`. */\n' +
      `export interface Operations {\n${byName.join('')}}\n`,
    `export type EventKind = ${union(Object.keys(document.webhooks).map((kind) => `'${kind}'`))};\n`,
    EVENTS,
    rowTypes(),
    ...Object.entries(schemas).map(([title, schema]) => writer.component(title, schema)),
  ].join('\n');
}
