import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { VARIABLES, whyByChoice } from '../../infra/collections/run.ts';
import { type PostmanCollection, isSkipped, operationOf } from '../support/collections.ts';

const folder = mkdtempSync(join(tmpdir(), 'collections-'));
const operations = groups.flatMap((group) => group.operations);
const writing = operations.filter(({ access }) => access !== 'read');

/** Values before a run. */
const values = Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [name, String(value)]));
const filled = (body: string): unknown =>
  JSON.parse(body.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''));

const readPostman = () => JSON.parse(readFileSync(join(folder, 'postman.json'), 'utf8')) as PostmanCollection;
const readBruno = (path: string) => readFileSync(join(folder, 'bruno', path), 'utf8');

/** The lines of a block of Bruno's language. */
const blockOf = (text: string, name: string): string => new Map(brunoBlocks(text)).get(name) ?? '';
const brunoBlocks = (text: string) =>
  [...text.matchAll(/^(\S+) \{\n([^]*?)\n\}$/gm)].map(([, name = '', lines = '']) => [name, lines] as const);

/** Whether Bruno leaves a request out. */
function isSkippedByBruno(text: string, variables: Readonly<Record<string, string>>): boolean {
  let skipped = false;
  const bru = {
    getEnvVar: (name: string) => variables[name],
    setEnvVar: () => undefined,
    runner: { skipRequest: () => (skipped = true) },
  };
  runInNewContext(blockOf(text, 'script:pre-request'), { bru });
  return skipped;
}

describe('npm run collections -- --out', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['infra/cli/collections.ts', '--out', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('writes every operation for Postman and Bruno, in the folder of its group, with a body and no key in it', () => {
    const { item, variable } = readPostman();
    const given = { baseUrl: 'http://127.0.0.1:4000', apiKey: '', allowChanges: 'no', ...values };
    expect(Object.fromEntries(variable.map(({ key, value }) => [key, value]))).toEqual(given);
    const requests = item.flatMap((group) => group.item.map((each) => ({ group: group.name, each })));
    for (const { name } of operations) {
      const found = requests.filter(({ group, each }) => operationOf(each) === name && name.startsWith(`${group}/`));
      expect(found.length, name).toBeGreaterThan(0);
      for (const { each } of found) expect(filled(each.request.body.raw), name).not.toHaveProperty('ApiKey');
      expect(filled(blockOf(readBruno(`${name}.bru`), 'body:json')), name).toEqual(
        filled(found[0]?.each.request.body.raw ?? ''),
      );
    }
    const files = readdirSync(join(folder, 'bruno'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /^[a-z]+\/[a-z-]+\.bru$/.test(path) && !/folder\.bru$|^environments/.test(path),
    );
    expect(files).toHaveLength(requests.length);
  });

  test('either sends a write only for records that its run has set, or if allowChanges names it', () => {
    const items = readPostman().item.flatMap((group) => group.item);
    expect(readBruno('environments/local.bru')).toContain('  allowChanges: no\n');
    for (const { name } of writing) {
      const bruno = readBruno(`${name}.bru`);
      const item = items.find((each) => operationOf(each) === name);
      const skips = (variables: Readonly<Record<string, string>>) => [
        item && isSkipped(item, new Map(Object.entries({ ...values, ...variables }))),
        isSkippedByBruno(bruno, { ...values, ...variables }),
      ];
      const own = JSON.stringify(values);
      const isByChoice = whyByChoice(name) !== undefined;
      expect(skips({ allowChanges: 'no', own }), name).toEqual([true, true]);
      expect(skips({ allowChanges: 'yes', own }), name).toEqual([isByChoice, isByChoice]);
      expect(skips({ allowChanges: name }), name).toEqual([false, false]);
      const another = { ...Object.fromEntries(Object.keys(values).map((key) => [key, '7'])), zip: '23220' };
      const names = /\{\{(?!zip|day)\w+\}\}/.test(item?.request.body.raw ?? '');
      expect(skips({ allowChanges: 'yes', own, ...another }), name).toEqual([names || isByChoice, names || isByChoice]);
    }
  });

  test('says of each operation that a run leaves out why, and how it is sent', () => {
    const left = writing.filter(({ name }) => whyByChoice(name) !== undefined);
    expect(left.length).toBeGreaterThan(10);
    for (const { name } of left)
      expect(readBruno(`${name}.bru`)).toContain(`A run leaves this out: ${whyByChoice(name)} With ${name} as`);
  });
});
