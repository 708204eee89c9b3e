import { apiDocument } from '../../infra/openapi.ts';
import { guideAnchors, readGuides } from '../../infra/docs-page/guides.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { promisify } from 'node:util';
import openapiTypes, { astToString } from 'openapi-typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { groupNames, operationNames } from '../../functions/names.ts';
import { allEventKinds } from '../../lib/domain/event-kinds.ts';
import { failureStatuses } from '../../lib/api/openapi/failures.ts';
import { contractResources, ownFields } from '../support/documents/contract.ts';
import {
  alternatives,
  document,
  exampleIn,
  fieldsOf,
  misfits,
  requiredIn,
  resolve,
  responseOf,
  schemaErrors,
  schemaIn,
  typesOf,
} from '../support/documents/document.ts';
import { noTransaction } from '../../lib/events/event-text.ts';
import contract from './contract.json' with { type: 'json' };
import operationIds from './operation-ids.json' with { type: 'json' };

interface Listed {
  readonly fields: readonly { readonly name: string; readonly type: string; readonly output?: boolean }[];
  readonly commonFields: boolean;
}

/** An event of any kind, but for its Kind. */
const deletedPayload = {
  TransactionKind: null,
  Id: 1,
  OrganizationId: 1,
  ContactId: null,
  At: '2026-11-23T12:00:00Z',
  Actor: { Key: '', Name: 'fs import' },
  RequestId: '',
  ...noTransaction,
  Changed: [],
  Data: null,
  Truncated: false,
};

const listed = contract.operations as Record<string, Listed>;
const operations = groups.flatMap((group) => group.operations);
/** Those of the contract; the others are ours. */
const ofContract = operations.filter(({ name }) => name in listed);
const anchors = guideAnchors(readGuides());
const titles = new Map(Object.keys(document.components.schemas).map((title) => [title.toLowerCase(), title]));
const onlySent = (name: string) => /^download.*settings$|upload$/.test(name);
/** The resources that an operation uses. */
const documentedResources = [...contractResources].filter(([name]) => titles.has(name));

const references = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
      );

describe('the document', () => {
  test('describes the bodies that API Gateway makes, and what to do where ResultCode is missing', () => {
    expect(document.info.description).toMatch(/\{"message": "…"\}` without `ResultCode`: decide by the HTTP status/);
  });

  test('has no reference that points nowhere', () => {
    const all = new Set(references(document));
    expect(all.size).toBeGreaterThan(60);
    expect([...all].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test('has every operation once, under its path and a name of its own, and marks those that the contract does not know', () => {
    expect(Object.keys(document.paths)).toEqual(operations.map(({ name }) => `/api/${name}`));
    const marked = Object.entries(document.paths).filter(([, { post }]) => post['x-extension']);
    const own = operations.filter(({ name }) => !(name in listed)).map(({ name }) => `/api/${name}`);
    expect(own.length).toBeGreaterThan(0);
    expect(marked.map(([path]) => path)).toEqual(own);
  });

  test('names operations as generated clients know them: an operationId never changes', () => {
    const ids = Object.entries(document.paths).map(([path, { post }]) => [
      path.slice('/api/'.length),
      post.operationId,
    ]);
    expect(Object.fromEntries(ids)).toMatchObject(operationIds);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(operations.length);
    expect(ofContract).toHaveLength(79);
  });

  test('has every resource of the contract that its operations use, and nothing that none uses', () => {
    const used = new Set(references(document).map((each) => each.split('/').at(-1)));
    const unused = Object.keys(document.components.schemas).filter((title) => !used.has(title));
    expect(unused).toEqual([]);
    const missing = [...contractResources.keys()].filter((name) => !titles.has(name));
    expect(missing.filter((name) => !onlySent(name))).toEqual([]);
  });

  test('has a webhook for each kind of event, whose body is that event', () => {
    expect(Object.keys(document.webhooks)).toEqual(allEventKinds);
    for (const [kind, { post }] of Object.entries(document.webhooks)) {
      const sample = { Id: 7, QueuedAt: '2026-11-23T12:00:00Z', Payload: { ...deletedPayload, Kind: kind } };
      const place = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema'];
      expect(schemaErrors(place, sample)).toEqual([]);
      const other = kind === 'task.created' ? 'task.deleted' : 'task.created';
      expect(schemaErrors(place, { ...sample, Payload: { ...deletedPayload, Kind: other } })).not.toEqual([]);
      const sibling = `${kind.split('.')[0]}.${kind.endsWith('.updated') ? 'created' : 'updated'}`;
      expect(schemaErrors(place, { ...sample, Payload: { ...deletedPayload, Kind: sibling } })).not.toEqual([]);
      expect(post.summary.toLowerCase().replaceAll(' ', '')).toBe(kind.replace('.', ''));
    }
  });

  test('hides webhooks from generators, which would make calls of them', () => {
    const hidden = (webhooks: object) =>
      Object.values(webhooks as typeof document.webhooks).filter(({ post }) => 'x-internal' in post).length;
    const ofGenerators = (apiDocument() as typeof document).webhooks;
    expect(hidden(ofGenerators)).toBe(Object.keys(document.webhooks).length);
    expect(hidden((apiDocument({ isExact: true }) as typeof document).webhooks)).toBe(0);
  });

  test('names no address of the machine on which its examples were recorded', () => {
    expect(JSON.stringify(document).match(/http:\/\/(127\.0\.0\.1|localhost)[^"]*\/c\/[^"]*/g)).toBeNull();
  });

  test('has minItems only where a list must not be empty', () => {
    expect(JSON.stringify(document)).toContain('"minItems":1');
    expect(JSON.stringify(document)).not.toContain('"minItems":0');
  });

  test('lists the words of a status as an enum for generators, whose sentence says that other cases are taken', () => {
    const forGenerators = apiDocument() as typeof document;
    const status = (operation: string) => {
      const { schema } = forGenerators.paths[`/api/${operation}`]?.post.requestBody?.content['application/json'] ?? {};
      const name = schema?.$ref?.split('/').at(-1) ?? '';
      return forGenerators.components.schemas[name]?.properties?.['Status'];
    };
    const description = 'Of a new proposal. Internal, Open, in any case, or its index from 0.';
    const words = { type: 'string', enum: ['Internal', 'Open'], description };
    expect(status('proposal/create')).toEqual({ anyOf: [words, { type: 'null' }] });
    expect(status('invoice/query')).toMatchObject({
      anyOf: [{ enum: ['Unapproved', 'Open', 'Paid', 'Voided'] }, { type: 'null' }],
    });
    expect(JSON.stringify(forGenerators)).not.toContain('x-any-case');
    expect(
      JSON.stringify(fieldsOf(schemaIn(document.paths['/api/proposal/create']?.post.requestBody as never))['Status']),
    ).not.toContain('enum');
  });

  test('marks fields of our own in operations of the contract', () => {
    const fields = fieldsOf(schemaIn(document.paths['/api/datasubscriber/fetch']?.post.requestBody ?? { content: {} }));
    const marked = Object.entries(fields).flatMap(([name, field]) => (field['x-extension'] ? [name] : []));
    expect(marked).toEqual(['Kinds', 'From']);
    expect(fields['Kinds']?.description).toMatch(/^Returns events of these kinds only/);
  });

  test('has examples that book years ahead, and so can be sent as they are for years', () => {
    const requests = groups.flatMap(({ operations }) => operations.map(({ example }) => JSON.stringify(example)));
    const dates = requests.flatMap((text) => text.match(/\b20\d\d-\d\d-\d\d/g) ?? []);
    // Others ask for what was.
    const ahead = dates.filter((date) => date > '2027');
    expect(ahead).toHaveLength(5);
    const inTwoYears = new Date(Date.now() + 2 * 365 * 86_400_000).toISOString();
    for (const date of ahead) expect(date > inTwoYears).toBe(true);
  });

  test('marks what is not of the contract', () => {
    const { properties: search = {} } = document.components.schemas['SlotSearchAppointmentRequest'] ?? {};
    const { properties: book = {} } = document.components.schemas['BookAppointmentRequest'] ?? {};
    const marked = [search['Hold'], search['HoldMinutes'], search['Release'], book['HoldHandle']];
    expect(marked).toEqual(marked.map(() => expect.objectContaining({ 'x-extension': true }) as object));
  });

  test('is served by the local stack, in groups that are described', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:4000']);
    for (const { name, description } of document.tags) expect(description, name).toMatch(/^[A-Z].*\.$/);
  });

  test('knows the groups by the names that the function for unknown paths knows', () => {
    const names = Object.entries(operationNames).flatMap(([group, all]) => all.map((name) => `${group}/${name}`));
    expect(names.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
    expect(document.tags.map(({ name }) => name)).toEqual([...groupNames]);
  });
});

/** Calls by the generated types: what one answers is sent to the next. */
const sendingBack = `
import type { paths } from './api.ts';
type Request<Path extends keyof paths> = paths[Path]['post']['requestBody']['content']['application/json'];
type Answer<Path extends keyof paths> = paths[Path]['post']['responses'][200]['content']['application/json'];
declare function call<Path extends keyof paths>(path: Path, body: Request<Path>): Promise<Answer<Path>>;

const search = await call('/api/appointments/slotsearch', { ContactId: 1, ServiceId: 1 });
const [slot] = search.Slots;
if (slot) {
  const booked = await call('/api/appointments/book', { ...search, Slots: [slot] });
  await call('/api/appointments/book', { ContactId: 1, Slots: [{ ...slot, DriveTimeMinutes: 5 }] });
  await call('/api/appointments/update', { ...booked, UpdateNote: 'Moved.' });
}
const proposal = await call('/api/proposal/details', { Id: 1 });
await call('/api/proposal/update', { ...proposal, Title: 'Windows' });
const quote = await call('/api/proposal/quote', { ContactId: 1, ServiceId: 1 });
if (quote.Proposal) await call('/api/proposal/create', { ...quote.Proposal, Status: 'open' });
const { Matches } = await call('/api/contacts/locate', { IdSearch: 1 });
for (const contact of Matches) await call('/api/contacts/addupdate', { Matches: [{ ...contact, Nickname: 'Pepe' }] });
const { Invoice } = await call('/api/invoice/get', { InvoiceId: 1 });
if (Invoice) await call('/api/invoice/import', { Invoice: { ...Invoice, Terms: '30 days' }, InvoiceId: Invoice.Id });
const { Events } = await call('/api/datasubscriber/fetch', {});
for (const { Payload } of Events) {
  if (Payload?.Kind === 'appointment.completed') Payload.Data?.Tip.toFixed(2);
  if (Payload?.Kind === 'contact.created' || Payload?.Kind === 'contact.updated') Payload.Data?.Name.trim();
}
// @ts-expect-error: a misspelt field.
await call('/api/contacts/locate', { Names: 'Ana' });
`;

describe('what an operation answers can be sent back', () => {
  const whole = (answer: object) => answer;
  const recordedAnswer = (name: string) =>
    exampleIn(responseOf(document.paths[`/api/${name}`]?.post.responses['200'] ?? { content: {} })) as Record<
      string,
      Record<string, unknown>[]
    >;
  const requestErrors = (name: string, body: unknown) =>
    schemaErrors(['paths', `/api/${name}`, 'post', 'requestBody', 'content', 'application/json', 'schema'], body);

  test.each<[string, string, (answer: ReturnType<typeof recordedAnswer>) => object]>([
    ['appointments/slotsearch', 'appointments/book', ({ Slots }) => ({ Slots: Slots?.slice(0, 1) })],
    ['appointments/book', 'appointments/update', whole],
    ['appointments/find', 'appointments/update', ({ Slots }) => ({ AppointmentId: 1, Slots: Slots?.slice(0, 1) })],
    ['contacts/locate', 'contacts/addupdate', ({ Matches }) => ({ Matches })],
    ['contacts/locate', 'contacts/addupdate', ({ Matches }) => ({ ...Matches?.[0] })],
    ['proposal/details', 'proposal/update', whole],
    ['proposal/details', 'proposal/create', whole],
    ['proposal/quote', 'proposal/quote', (answer) => ({ ContactId: 1, ...answer })],
    ['invoice/get', 'invoice/import', ({ Invoice }) => ({ Invoice })],
    ['payment/query', 'payment/import', ({ Payments }) => ({ Payment: Payments?.[0] ?? {} })],
    ['organizations/details', 'organizations/update', whole],
  ])('by schema: %s to %s', (from, to, toRequest) => {
    expect(requestErrors(to, toRequest(recordedAnswer(from)))).toEqual([]);
  });

  test('by type: clients in TypeScript compile in strict mode', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'types-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const types = await openapiTypes(JSON.stringify(document));
    await writeFile(join(folder, 'api.ts'), astToString(types));
    await writeFile(join(folder, 'client.ts'), sendingBack);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --skipLibCheck';
    const modern = '--target esnext --module nodenext --allowImportingTsExtensions --types';
    const compile = promisify(execFile)(
      resolvePath('node_modules/.bin/tsc'),
      [...strict.split(' '), ...modern.split(' '), '', 'client.ts'],
      { cwd: folder },
    );
    await expect(compile.catch(({ stdout }: { stdout: string }) => ({ stdout }))).resolves.toMatchObject({
      stdout: '',
    });
  });
});

describe('the component of a resource', () => {
  const schemaOf = (name: string) => document.components.schemas[titles.get(name) ?? ''] ?? {};

  test.each(documentedResources)('%s has every field of its list, of the type listed', (name, resource) => {
    const fields = fieldsOf(schemaOf(name));
    const errors = ownFields(resource).map(
      (field) =>
        [field.name, fields[field.name] ? misfits(fields[field.name] ?? {}, field.type) : 'is missing'] as const,
    );
    expect(errors.filter(([, error]) => error)).toEqual([]);
  });

  test.each(documentedResources.filter(([name]) => !onlySent(name)))(
    '%s is complete, and null only where the list allows it',
    (name, resource) => {
      const fields = fieldsOf(schemaOf(name));
      expect(requiredIn(schemaOf(name))).toEqual(
        expect.arrayContaining(ownFields(resource).map((field) => field.name)),
      );
      const optional = ownFields(resource).filter(({ required }) => !required);
      expect(
        optional.filter(
          (field) => !typesOf(fields[field.name] ?? {}).some((type) => type === 'null' || type === 'any'),
        ),
      ).toEqual([]);
    },
  );
});

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  'the document of %s',
  (name, operation) => {
    const { post } = document.paths[`/api/${name}`] ?? {};
    if (!post) throw new TypeError(`${name} is not in the document`);
    const { fields } = listed[name] ?? { fields: [] };
    const request = fieldsOf(schemaIn(post.requestBody));
    const answer = responseOf(post.responses['200'] ?? { content: {} });
    const response = fieldsOf(schemaIn(answer));

    test('accepts or returns every field of its list, of the type listed, and returns every result', () => {
      for (const field of fields) {
        const [input, got] = [request[field.name], response[field.name]];
        expect(input ?? got, `${field.name} neither accepted nor returned`).toBeDefined();
        for (const schema of [input, got])
          expect(schema && misfits(schema, field.type), field.name).toBeOneOf([undefined, '']);
        if (field.output) expect(got, `${field.name} is a result`).toBeDefined();
      }
    });

    test('takes the key and never returns it', () => {
      expect(request).toHaveProperty('ApiKey');
      expect(response).not.toHaveProperty('ApiKey');
      expect(requiredIn(schemaIn(answer))).toEqual(expect.arrayContaining(['ResultCode', 'Message']));
    });

    test('refuses fields that are in no list', () => {
      expect(alternatives(schemaIn(post.requestBody)).map(({ additionalProperties }) => additionalProperties)).toEqual([
        false,
      ]);
    });

    test('describes every failure, each with a sentence', () => {
      const redirects = operation.redirect ? ['303'] : [];
      const others = [...redirects, ...Object.keys(operation.document?.().responses ?? {})];
      expect(Object.keys(post.responses)).toEqual(['200', ...others, ...failureStatuses(operation).map(String)].sort());
      for (const code of failureStatuses(operation)) {
        expect(exampleIn(responseOf(post.responses[code] ?? { content: {} }))).toEqual(
          expect.objectContaining({ ResultCode: code, Message: expect.stringMatching(/^\S.+[.?]$/) }),
        );
      }
    });

    test('has examples that fit their schemas, and an example of a request carries no key', () => {
      const place = ['paths', `/api/${name}`, 'post'];
      for (const [type, { example }] of Object.entries(post.requestBody.content)) {
        if (example === undefined) continue;
        expect(schemaErrors([...place, 'requestBody', 'content', type, 'schema'], example)).toEqual([]);
        expect(JSON.stringify(example)).not.toMatch(/ApiKey/);
      }
      expect(operation.requestSchema().safeParse(exampleIn(post.requestBody)).error).toBeUndefined();
      const response = [...place, 'responses', '200', 'content', 'application/json', 'schema'];
      const recorded = exampleIn(answer);
      if (recorded !== undefined) {
        expect(schemaErrors(response, recorded)).toEqual([]);
        expect(operation.responseSchema().safeParse(recorded).error).toBeUndefined();
      }
      expect(`${post.summary} ${post.description}`).not.toMatch(/ {2}|undefined/);
    });

    test('has a short title, a sentence, at most eight rules and a table', () => {
      expect(post.summary).toMatch(/^[A-Z].{3,44}[^.]$/);
      const [sentence = '', ...rest] = post.description.split('\n\n');
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      const rules = rest.flatMap((part) => part.split('\n')).filter((line) => line.startsWith('- '));
      expect(rules.length).toBeLessThanOrEqual(8);
      for (const rule of rules) {
        expect(rule).toMatch(/[.)]$/);
        expect(rule, 'stands alone').not.toMatch(/^- (It|Its|They|This|These|Otherwise|So|Then|Also|Of|By|Other)\b/);
      }
      for (const [, anchor] of post.description.matchAll(/\]\(\/docs#description\/([^)]*)\)/g))
        expect(anchors).toContain(anchor);
      expect(post.description).not.toMatch(/\]\((?!\/docs#description\/)/);
      expect(rest.at(-1)).toMatch(/^\| \| \|\n\| --- \| --- \|\n\| Effect /);
    });
  },
);
