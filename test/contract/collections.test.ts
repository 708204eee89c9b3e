import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'collections-'));
const operations = groups.flatMap((group) => group.operations.map(({ name, example }) => ({ name, example })));

interface PostmanRequest {
  readonly request: { readonly url: { readonly raw: string }; readonly body: { readonly raw: string } };
}

describe('npm run collections -- --out', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['infra/cli/collections.ts', '--out', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('writes every operation for Postman, in the folder of its group, with its example and without a key as body', () => {
    const { item, variable } = JSON.parse(readFileSync(join(folder, 'postman.json'), 'utf8')) as {
      item: { name: string; item: PostmanRequest[] }[];
      variable: { key: string; value: string }[];
    };
    expect(variable.map(({ key, value }) => [key, value])).toEqual([
      ['baseUrl', 'http://127.0.0.1:4000'],
      ['apiKey', ''],
    ]);
    const requests = item.flatMap((group) =>
      group.item.map(({ request }) => ({
        group: group.name,
        name: request.url.raw.replace('{{baseUrl}}/api/', ''),
        example: JSON.parse(request.body.raw) as object,
      })),
    );
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const expected = operations.map(({ name, example }) => ({ group: name.split('/')[0], name, example }));
    expect(requests.toSorted(byName)).toEqual(expected.toSorted(byName));
    expect(requests.filter(({ example }) => 'ApiKey' in example)).toEqual([]);
  });

  test('writes a file for each operation for Bruno, with its example as body', () => {
    for (const { name, example } of operations) {
      const text = readFileSync(join(folder, 'bruno', `${name}.bru`), 'utf8');
      const body = /^body:json \{\n([^]*?)\n\}$/m.exec(text)?.[1] ?? '';
      expect([name, JSON.parse(body)]).toEqual([name, example]);
    }
    const requests = readdirSync(join(folder, 'bruno'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /^[a-z]+\/[a-z]+\.bru$/.test(path) && !/folder\.bru$|^environments/.test(path),
    );
    expect(requests).toHaveLength(operations.length);
  });
});
