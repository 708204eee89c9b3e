import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import {
  type ApiDocument,
  type DescribedOperation,
  type Schema,
  describedOperations,
  titleOf,
} from '../../client/described-operations.ts';
import { examples } from '../examples.ts';
import { readInput } from '../input-file.ts';
import { UsageError, alignColumns } from '../output.ts';
import { connectTo, readList } from './connect.ts';
import { loadDocument } from '#api-document';
import { type RemoteOptions, type RequireApi, profileOption } from './profile.ts';
import { requestFields } from './request-fields.ts';

interface ApiOptions extends RemoteOptions {
  readonly data?: string;
  readonly paginate?: boolean;
  readonly idempotencyKey?: string;
}

function findOperation(document: ApiDocument, name: string) {
  const operations = describedOperations(document);
  const found = operations.find((each) => `${each.group}/${each.name}` === name.replace(/^\/?(api\/)?/, ''));
  if (found) return found;
  const hint = didYouMean(
    name,
    operations.map((each) => `${each.group}/${each.name}`),
  );
  throw new UsageError(`There is no operation ${name}. ${hint || 'fs docs lists them.'}`);
}

/** The object in `--data`: JSON, `@file`, or `-` for standard input. */
async function readData(data: string | undefined): Promise<Record<string, unknown>> {
  if (data === undefined) return {};
  const text = data === '-' ? await readText(process.stdin) : data.startsWith('@') ? readInput(data.slice(1)) : data;
  const value = ((): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new UsageError('--data must be a JSON object, @file or -.');
    }
  })();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--data must be a JSON object.');
  return value as Record<string, unknown>;
}

async function callApi(
  requireApi: RequireApi,
  name: string,
  words: readonly string[],
  options: ApiOptions,
): Promise<void> {
  const document = await loadDocument();
  const { group, name: operation, request, list } = findOperation(document, name);
  const { schemas } = document.components;
  const body = { ...(await readData(options.data)), ...requestFields(words, schemas[request] ?? {}, schemas) };
  const fs = await connectTo(requireApi(options));
  if (options.paginate) {
    if (!list) throw new UsageError(`${group}/${operation} has no pages. Leave out --paginate.`);
    // One record per line, as it arrives.
    for await (const record of readList(fs, group, operation, body))
      process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  const { idempotencyKey } = options;
  const answer = await fs.call(`${group}/${operation}`, body, idempotencyKey ? { idempotencyKey } : {});
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}

/** `[a held slot](/docs#…)` → `a held slot`. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** The cells of `| Roles | Owner, Admin |`; none for the lines above the rows. */
function cellsOf(line: string): (readonly string[])[] {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  return cells.every((cell) => /^-*$/.test(cell)) ? [] : [cells];
}

/** A Markdown description for a terminal: sentences, a list of rules, and a table. */
function describe(markdown: string): string {
  const blocks = withoutLinks(markdown)
    .trim()
    .split(/\n{2,}/);
  return blocks
    .map((block) => {
      const lines = block.split('\n');
      if (lines[0]?.startsWith('|')) return alignColumns(lines.flatMap(cellsOf));
      if (!lines[0]?.startsWith('- ')) return wrap(block, '');
      return lines.map((line) => wrap(line.replace(/^- /, ''), '  ').replace(/^ {2}/, '- ')).join('\n');
    })
    .join('\n\n');
}

const typeText = (schema: Schema): string => {
  if (schema.$ref) return titleOf(schema);
  const forms = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (forms.length) return forms.map(typeText).join(' or ');
  if (schema.items) return `list of ${typeText(schema.items)}`;
  return [schema.type ?? 'any']
    .flat()
    .filter((type) => type !== 'null')
    .join(' or ');
};

const WIDTH = 100;

/** Indented lines of at most 100 columns. */
function wrap(text: string, indent: string): string {
  const lines = text.split(/\s+/).reduce<string[]>((done, word) => {
    const last = done.at(-1);
    if (last !== undefined && indent.length + last.length + word.length < WIDTH)
      done[done.length - 1] = `${last} ${word}`;
    else done.push(word);
    return done;
  }, []);
  return lines.map((line) => `${indent}${line}`).join('\n');
}

function fieldList(schema: Schema | undefined): string {
  const { properties = {}, required = [] } = schema ?? {};
  return Object.entries(properties)
    .filter(([name]) => name !== 'ApiKey')
    .map(([name, field]) => {
      const head = `  ${name}: ${typeText(field)}${required.includes(name) ? '' : ', optional'}`;
      return field.description ? `${head}\n${wrap(field.description, '      ')}` : head;
    })
    .join('\n');
}

const operationList = (operations: readonly DescribedOperation[]): string =>
  alignColumns(operations.map(({ group, name, summary }) => [`${group}/${name}`, summary]));

async function docs(name: string | undefined): Promise<void> {
  const document = await loadDocument();
  const { schemas } = document.components;
  if (name === undefined) {
    return void process.stdout.write(`${operationList(describedOperations(document))}\n`);
  }
  const ofGroup = describedOperations(document).filter(({ group }) => group === name);
  if (ofGroup.length) return void process.stdout.write(`${operationList(ofGroup)}\n`);
  const component = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (component) return void process.stdout.write(`${name}\n${fieldList(component)}\n`);
  const { group, name: operation, summary, description, request, answer } = findOperation(document, name);
  const required = { ...schemas[answer], required: Object.keys(schemas[answer]?.properties ?? {}) };
  const parts = [
    `${group}/${operation}: ${summary}`,
    describe(description),
    `Request:\n${fieldList(schemas[request]) || '  no fields'}`,
    `Answer:\n${fieldList(required)}`,
    'fs docs <name> shows the fields of a resource, such as Contact.',
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
}

/** The words that can follow `api` and `api contacts/locate`. */
export function apiWords(document: ApiDocument): (readonly [path: string, next: readonly string[]])[] {
  const operations = describedOperations(document);
  const fieldsOf = (request: string) =>
    Object.keys(document.components.schemas[request]?.properties ?? {}).flatMap((name) =>
      name === 'ApiKey' ? [] : [`${name}=`],
    );
  const names = operations.map(({ group, name }) => `${group}/${name}`);
  return [
    ['api', names],
    ['docs', names],
    ...operations.map(({ group, name, request }) => [`api ${group}/${name}`, fieldsOf(request)] as const),
  ];
}

/** `api` and `docs`. */
export function apiCommands(program: Command, requireApi: RequireApi): void {
  examples(
    profileOption(program.command('api')),
    'npx fs api contacts/locate NameSearch=garc',
    'npx fs api appointments/book --data @booking.json | jq .AppointmentId',
    "npx fs api invoice/query Status=Open --paginate | jq 'select(.BalanceDue > 100) | .Number'",
  )
    .description('Call an operation, and print its answer')
    .argument('<operation>', 'such as contacts/locate')
    .argument('[fields...]', 'fields of the request: NameSearch=ana Slots[0].ServiceAgentId=1 TagSearch=a,b')
    .option('--data <json>', 'request as JSON, @file or - for standard input; fields are added to it')
    .option('--paginate', 'print every record of a list, one line of JSON each')
    .option('--idempotency-key <key>', 'key of a call that changes something (default: one for each call)')
    .action((name: string, words: readonly string[], options: ApiOptions) => callApi(requireApi, name, words, options));
  examples(program.command('docs'), 'npx fs docs', 'npx fs docs appointments/book', 'npx fs docs Contact')
    .description('Show what an operation does, takes and answers')
    .argument('[operation]', 'operation, group or resource (default: a list of all operations)')
    .action(docs);
}
