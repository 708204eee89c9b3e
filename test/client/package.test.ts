import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiTypes } from '../../infra/client/api-types.ts';
import { type ApiDocument, describedOperations, operationTable } from '../../infra/client/described-operations.ts';
import { exactDocument } from '../../infra/client/exact-document.ts';
import { groups } from '../../functions/index.ts';
import { SEEN, tour } from '../support/client-tour.ts';
import { type ClientFolder, installClient } from '../support/client.ts';
import { testAccount, testStack } from '../support/stack/stack.ts';

let client: ClientFolder;
let document: ApiDocument;
beforeAll(async () => {
  document = exactDocument();
  client = await installClient();
});
afterAll(async () => client.remove());

/** Without Node.js and without other packages: what a browser knows. */
const BROWSER = ['--types', '', '--lib', 'es2024,dom,dom.iterable,dom.asynciterable'];

const packaged = (file: string) => readFileSync(join(client.folder, 'node_modules/field-service-client', file), 'utf8');

describe('the package', () => {
  test('has at most 15 KB of JavaScript in one file, which imports nothing', () => {
    expect(client.size).toBeLessThan(15_000);
    expect(packaged('index.js')).not.toMatch(/\bimport[\s"'({*]|\brequire\(/);
    expect(JSON.parse(packaged('package.json'))).not.toHaveProperty('dependencies');
    // What Node.js shows of an error that nobody caught.
    const lines = packaged('index.js').split('\n');
    expect(lines.filter(({ length }) => length > 400)).toEqual([]);
  });

  test('has types that need no other package', async () => {
    const types = readdirSync(join(client.folder, 'node_modules/field-service-client/types'));
    const imported = types.flatMap((file) => [...packaged(`types/${file}`).matchAll(/from ['"](.*?)['"]/g)]);
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.map(([, from]) => from).filter((from) => !from?.startsWith('./'))).toEqual([]);
    await client.write('whole.ts', "export * from 'field-service-client';\n");
    expect(await client.typeErrors(['whole.ts'], [...BROWSER, '--skipLibCheck', 'false'])).toBe('');
  });

  test('runs in another Node.js than the one of the checkout, such as 20', async () => {
    const program =
      "import { FieldService } from 'field-service-client'; console.log(typeof new FieldService({ url: 'http://a', key: 'k' }).appointments.book, process.version)";
    await client.write('oldest.mjs', program);
    const path = (process.env['PATH'] ?? '')
      .split(':')
      .filter((each) => !each.includes('node_modules'))
      .join(':');
    const { stdout } = await promisify(execFile)('node', ['oldest.mjs'], { cwd: client.folder, env: { PATH: path } });
    expect(stdout).toMatch(/^function v2\d/);
  });
});

test('the package works in a worker, and uses nothing there that browsers lack', { timeout: 60_000 }, async () => {
  const { key } = await testAccount();
  await client.write(
    'worker.mjs',
    `import { parentPort, workerData } from 'node:worker_threads';
const [url, key] = workerData;
const used = [];
// fetch itself needs them in Node.js: only the package must not.
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'require']) {
  const value = globalThis[name];
  const get = () => {
    if (new Error().stack.split('\\n')[2]?.includes('field-service-client')) used.push(name);
    return value;
  };
  Object.defineProperty(globalThis, name, { get, configurable: true });
}
const tour = ${tour.toString()};
const seen = await tour(await import('field-service-client'), url, key);
parentPort.postMessage({ ...seen, used });
`,
  );
  const worker = new Worker(join(client.folder, 'worker.mjs'), { workerData: [testStack().BaseUrl, key] });
  const [seen] = (await once(worker, 'message')) as [object];
  await worker.terminate();
  expect(seen).toEqual({ ...SEEN, used: [] });
});

describe('the table of operations', () => {
  test('has every operation, with an Idempotency-Key for those that write and pages for those that list', () => {
    const table = operationTable(document);
    const operations = groups.flatMap((group) => group.operations);
    expect(Object.values(table).flatMap((each) => Object.keys(each))).toHaveLength(operations.length);
    for (const { group, operation, access, isWrite } of operations)
      expect(table[group]?.[operation] === 1, `${group}/${operation}`).toBe(access !== 'read' || isWrite !== undefined);
    const paged = describedOperations(document).flatMap(({ group, name, list }) =>
      list ? [[`${group}/${name}`, list]] : [],
    );
    expect(paged).toEqual(
      expect.arrayContaining([
        ['contacts/locate', 'Matches'],
        ['invoice/query', 'Invoices'],
        ['datasubscriber/postalcodes', 'Organizations'],
      ]),
    );
  });

  test('has no group that would hide a function of the client', () => {
    const names = ['call', 'events', 'rows', 'file', 'upload'];
    expect(Object.keys(operationTable(document)).filter((group) => names.includes(group))).toEqual([]);
  });
});

describe('the types', () => {
  test('fit every recorded example: what is sent, and what the service answers, as it is', async () => {
    const lines = Object.entries(document.paths).flatMap(([path, { post }]) => {
      const name = path.slice('/api/'.length);
      const request = post.requestBody.content['application/json'].example;
      const answer = post.responses[200].content['application/json'].example;
      return [
        `const request: Operations['${name}']['request'] = ${JSON.stringify(request)};`,
        ...(answer ? [`const answer: Operations['${name}']['answer'] = ${JSON.stringify(answer)};`] : []),
      ].map((line) => `{ ${line} }`);
    });
    expect(lines.filter((line) => line.includes("['answer']")).length).toBeGreaterThan(75);
    await client.write('recorded.ts', `import type { Operations } from 'field-service-client';\n${lines.join('\n')}\n`);
    expect(await client.typeErrors(['recorded.ts'], BROWSER)).toBe('');
  });

  test('are those that openapi-typescript makes of the same document, for every answer', async () => {
    await client.write('api.ts', astToString(await openapiTypes(JSON.stringify(document))));
    const names = describedOperations(document).map(({ group, name }) => `'${group}/${name}'`);
    const program = `
import type { Operations } from 'field-service-client';
import type { paths } from './api.ts';
type Other<Name extends string> = paths[\`/api/\${Name}\` & keyof paths]['post']['responses'][200]['content']['application/json'];
type Same<One, Two> = [One] extends [Two] ? ([Two] extends [One] ? true : 'lacks') : 'differs';
${names.map((name) => `true satisfies Same<Operations[${name}]['answer'], Other<${name}>>;`).join('\n')}
`;
    await client.write('compared.ts', program);
    expect(await client.typeErrors(['compared.ts'], BROWSER)).toBe('');
  });

  test('refuse what the service would refuse or ignore, and know events and rows by their kind', async () => {
    await client.write(
      'refused.ts',
      `
import { FieldService, webhooks } from 'field-service-client';
import type { FailureCode } from 'field-service-client';
declare const fs: FieldService;
// @ts-expect-error: a misspelt field
await fs.contacts.locate({ Names: 'Ana' });
// @ts-expect-error: required
await fs.task.create({ ContactId: 1 });
// @ts-expect-error: ignored by this operation
await fs.appointments.book({ Slots: [], CancelReasonId: 1 });
// @ts-expect-error: of another type
await fs.appointments.book({ Slots: [{ DateTime: 5 }] });
// @ts-expect-error: an operation without fields
await fs.cancelreasons.all({ Take: 5 });
// @ts-expect-error: no such kind
fs.events({ kinds: ['invoice.payed'] });
// @ts-expect-error: the key goes with the client
await fs.contacts.locate({ ApiKey: 'x', NameSearch: 'Ana' });
const code: FailureCode = 'slot_taken';
const search = await fs.appointments.slotsearch({ ContactId: 1, ServiceId: 1 });
await fs.appointments.book({ ...search, Slots: [search.Slots[0]!] });
const proposal = await fs.proposal.details({ Id: 1 });
await fs.proposal.update({ ...proposal, Title: 'Windows' });
for await (const contact of fs.contacts.locate({ IdSearch: 1 })) await fs.contacts.addupdate({ Matches: [{ ...contact, Nickname: 'Pepe' }] });
for await (const row of fs.rows('payments')) row.Amount?.toFixed(2);
for await (const { Payload } of fs.events({ kinds: ['appointment.completed', 'contact.created'] })) {
  if (Payload.Kind === 'appointment.completed') Payload.Data?.Tip?.toFixed(2);
  else Payload.Data?.Name.trim();
  // @ts-expect-error: a kind that was not asked for
  if (Payload.Kind === 'invoice.paid') continue;
}
const { Payload } = await webhooks.verify('', new Headers(), 'whsec_');
if (Payload.Kind === 'invoice.paid') Payload.Data?.Number.trim();
export { code };
`,
    );
    expect(await client.typeErrors(['refused.ts'], BROWSER)).toBe('');
  });

  test('say of every field what the document says of it', () => {
    const types = apiTypes(document);
    expect(types).toContain('/** Unique in the organization. */\n  Number: string;');
    expect(types).not.toMatch(/[ \t]$/m);
  });
});
