import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiDocument } from '../../infra/openapi.ts';
import { installClient } from '../support/client.ts';
import { clientExamples } from '../support/documents/client-examples.ts';
import { linkFields } from '../support/client-links.ts';
import { codeBlocks, npxOfTool } from '../support/documents/pages.ts';
import { type StackProcess, running } from '../support/stack/process.ts';

const root = join(import.meta.dirname, '../..');
const page = (file: string) => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);
const readme = codeBlocks(page('README.md')).filter(({ language }) => language === 'sh');

const START = 'npm ci\nnpm start\n';
/** What a test cannot follow: the install, which came before the test, and AWS. */
const isFollowed = ({ section, text }: { section: string; text: string }) => text !== START && section !== 'Deploy';

let folder: string;
let stack: StackProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
  stack = await running({ FS_DATA: folder, FS_DEMO: 'small' });
});
afterAll(async () => {
  await stack.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function ask(operation: string, body: object): Promise<Record<string, unknown>> {
  const { BaseUrl, ApiKey } = stack.local;
  const request = { method: 'POST', headers: { 'x-api-key': ApiKey }, body: JSON.stringify(body) };
  const answer = await (await fetch(`${BaseUrl}/api/${operation}`, request)).text();
  // Links of clients begin with the address of this start.
  return JSON.parse(answer.replaceAll(BaseUrl, '')) as Record<string, unknown>;
}

/** The names of the organizations, and how many records the demo company has. */
async function company() {
  const organizations = (await ask('organizations/query', {}))['Organizations'] as { PublicName: string }[];
  const tasks = await ask('task/query', { IncludeCompleted: true });
  const lists = ['Customer', 'Lead'].map((CategorySearch) => ask('contacts/locate', { CategorySearch, Limit: 500 }));
  const contacts = (await Promise.all(lists)).flatMap(
    ({ Matches }) => Matches as { IsValid: boolean; AccountingClass: unknown }[],
  );
  return { organizations: organizations.map(({ PublicName }) => PublicName), tasks: tasks['Count'], contacts };
}

/** Every answer of curl is also appended to a file. */
const SHELL = `
set -euo pipefail
curl() { command curl "$@" | tee -a "$ANSWERS"; echo >> "$ANSWERS"; }
${npxOfTool}
`;

/** Runs the blocks in order in one shell, against this stack and its folder. Returns what they print. */
async function follow(blocks: readonly { readonly text: string }[]): Promise<string> {
  const script = blocks
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://127.0.0.1:4000', stack.local.BaseUrl)
    .replaceAll('.local/', `${folder}/`)
    .replaceAll('quickstart.ts', join(folder, 'quickstart.ts'));
  const env = { ...process.env, FS_DATA: folder, ANSWERS: join(folder, 'answers') };
  return (await run('bash', ['-c', `${SHELL}${script}`], { cwd: root, env })).stdout;
}

describe('a fresh demo', () => {
  test('is complete before the first start is ready', async () => {
    const { organizations, tasks, contacts } = await company();
    expect(organizations).toEqual(['Evergreen Denver', 'Evergreen Richmond', "Evergreen St. John's"]);
    // One more where a visit of the series falls on a holiday.
    expect([14, 15]).toContain(tasks);
    expect(contacts).toHaveLength(201);
    expect(contacts.filter(({ IsValid }) => !IsValid)).toEqual([]);
    expect(contacts.filter(({ AccountingClass }) => AccountingClass).length).toBeGreaterThan(80);
  });

  test('has a link that opens in all seven fields of the contract, in every record that has something to open', async () => {
    const fields = await linkFields(ask);
    expect(fields).toMatchObject({
      ClientUrl: { empty: { internal: expect.any(Number) as number } },
      ClientPayUrl: { empty: { Voided: 1, Unapproved: 1 } },
      ClientPdfUrl: { empty: { Voided: 1, Unapproved: 1 } },
      TipUrl: { empty: { 'not completed': expect.any(Number) as number } },
      TrackingUrl: { empty: { 'queued, without a time': expect.any(Number) as number } },
      UpdatePaymentOnFileUrl: { empty: {} },
      Link: { empty: {} },
    });
    for (const [field, { links, filled, empty }] of Object.entries(fields)) {
      expect(Object.keys(empty).filter((reason) => reason.startsWith('unexplained'))).toEqual([]);
      expect([field, filled > 10]).toEqual([field, true]);
      const statuses = new Set<number>();
      // One after another, as clients open them: hundreds of PDFs at once outlast the time of a call on a busy machine.
      for (const link of links) statuses.add((await fetch(`${stack.local.BaseUrl}${link}`)).status);
      expect([field, [...statuses]]).toEqual([field, [200]]);
    }
  });

  test('takes every command of the README in the order of the page', async () => {
    expect(readme.filter((block) => block.text === START)).toHaveLength(1);
    const output = await follow(readme.filter(isFollowed));
    const answers = readFileSync(join(folder, 'answers'), 'utf8').split('\n').filter(Boolean);
    expect(answers.length).toBeGreaterThan(5);
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ ResultCode: 0 });
    expect(output).toContain('unchanged. Nothing was written.');
    expect(output).toMatch(/^Created +1$/m);
  });

  test('takes the program of docs/quickstart.md, which compiles in strict mode', async () => {
    const blocks = codeBlocks(page('docs/quickstart.md'));
    const program = blocks.find(({ language }) => language === 'ts')?.text ?? '';
    const file = join(folder, 'quickstart.ts');
    writeFileSync(file, program);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const modern = '--target esnext --module nodenext --types node --typeRoots node_modules/@types';
    const options = `--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --skipLibCheck ${modern} --ignoreConfig`;
    const [compiled, output] = await Promise.all([
      run('node_modules/.bin/tsc', [...options.split(' '), file], { cwd: root }).catch((error: unknown) => error),
      follow(blocks.filter(({ language }) => language === 'sh')),
    ]);
    expect(compiled).toMatchObject({ stdout: '' });
    expect(output).toMatch(/^\d+ slots; .*\nBooked .*\nProposal .* is accepted\.\nInvoice \d+ is paid: 235\.\nEvent/);
    expect(output).toMatch(/: appointment\.booked\n[^]*: proposal\.accepted\n[^]*: payment\.recorded\n/);
    expect(program.split('\n').length).toBeLessThan(80);
    const again = await follow(blocks.filter(({ language }) => language === 'sh'));
    expect(again).toMatch(/^\d+ slots; .*\nBooked .*\nProposal .* is accepted\.\nInvoice \d+ is paid: 235\.\nEvent/);
    const idsIn = (text: string) => [...text.matchAll(/^Event (\d+)/gm)].map(([, id]) => Number(id));
    expect(Math.min(...idsIn(again)), 'events of the first run are not printed again').toBeGreaterThan(
      Math.max(...idsIn(output)),
    );
  });

  test('is created by the first start alone; a start weeks later says how old it is', async () => {
    const hint = 'The demo company is of 2026-01-09. For one of today: npm run fs -- reset, then start again.';
    expect(stack.output).not.toContain(hint);
    const before = await company();
    await stack.end('SIGTERM');
    const file = join(folder, 'local.json');
    const local = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...local, DemoCreatedAt: '2026-01-09T08:00:00.000Z' }));
    stack = await running({ FS_DATA: folder, FS_DEMO: 'small' });
    expect(stack.output).toContain(hint);
    expect(await company()).toEqual(before);
  });
});

describe('the client', () => {
  test('has examples in README.md and docs/client.md that compile, and run in their order', async () => {
    const client = await installClient();
    onTestFinished(() => client.remove());
    const examples = clientExamples(root);
    expect(examples.size).toBeGreaterThanOrEqual(31);
    for (const [name, text] of examples) await client.write(name, text);
    await client.write('photo.png', Buffer.from('iVBORw0KGgo=', 'base64'));
    expect(await client.typeErrors([...examples.keys()])).toBe('');
    const { BaseUrl: FS_URL, ApiKey: FS_KEY } = stack.local;
    const imports = [...examples.keys()].map((name) => `console.log('${name}'); await import('./${name}');`);
    await client.write('all.ts', imports.join('\n'));
    const output = await client.run('all.ts', { FS_URL, FS_KEY });
    expect(output).toMatch(/^example-01.ts\n\d+\nexample-02.ts\n\d+$/m);
    expect(output).toMatch(/invoice\.paid/);
  });
});

test('every example of the documentation page succeeds in the demo company, in the order of the page, or says what comes before', async () => {
  const document = apiDocument() as {
    paths: Record<
      string,
      { post?: { description: string; requestBody: { content: Record<string, { example?: object }> } } }
    >;
  };
  const answers: string[] = [];
  for (const [path, { post }] of Object.entries(document.paths)) {
    if (!post) continue;
    const answer = await ask(path.slice('/api/'.length), post.requestBody.content['application/json']?.example ?? {});
    const isAnnounced = post.description.includes('| Before the example |');
    if (answer['ResultCode'] !== 0 && !isAnnounced) answers.push(`${path} ${JSON.stringify(answer)}`);
  }
  expect(Object.keys(document.paths).length).toBeGreaterThan(79);
  expect(answers).toEqual([]);
});
