import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'collections-'));
const operations = groups.flatMap((group) =>
  group.operations.map(({ name, example, access }) => ({ name, example, access })),
);

/** Whether a script of Postman skips its request, and does not once allowChanges is yes. */
function skips(script: string): boolean {
  const isSkipped = (allowChanges: string) => {
    let skipped = false;
    const variables = new Map([['allowChanges', allowChanges]]);
    const pm = { variables, execution: { skipRequest: () => (skipped = true) } };
    runInNewContext(script, { pm });
    return skipped;
  };
  return isSkipped('no') && !isSkipped('yes');
}

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
      ['allowChanges', 'no'],
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

  test('a run of either changes nothing until allowChanges is yes: no write is sent', () => {
    const { item } = JSON.parse(readFileSync(join(folder, 'postman.json'), 'utf8')) as {
      item: { item: (PostmanRequest & { event?: { listen: string; script: { exec: string[] } }[] })[] }[];
    };
    const guarded = item
      .flatMap((group) => group.item)
      .filter(({ event }) =>
        event?.some(({ listen, script }) => listen === 'prerequest' && skips(script.exec.join(''))),
      )
      .map(({ request }) => request.url.raw.replace('{{baseUrl}}/api/', ''));
    const writing = operations.filter(({ access }) => access !== 'read').map(({ name }) => name);
    expect(writing.filter((name) => !guarded.includes(name))).toEqual([]);
    for (const name of writing) {
      const text = readFileSync(join(folder, 'bruno', `${name}.bru`), 'utf8');
      expect(text, name).toMatch(/^script:pre-request \{\n {2}if \(.*'allowChanges'.*skipRequest\(\);\n\}$/m);
    }
    expect(readFileSync(join(folder, 'bruno/environments/local.bru'), 'utf8')).toContain('  allowChanges: no\n');
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
