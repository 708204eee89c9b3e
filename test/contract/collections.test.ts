import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { collectionFiles } from '../../infra/collections.ts';

const FOLDER = join(import.meta.dirname, '../../docs/collections');
const operations = groups.flatMap((group) => group.operations.map(({ name, example }) => ({ name, example })));

interface PostmanRequest {
  readonly request: { readonly url: { readonly raw: string }; readonly body: { readonly raw: string } };
}

describe('the Postman and the Bruno collection', () => {
  test('are those of the operations as they are now; npm run collections writes them', () => {
    const written = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
    const made = collectionFiles();
    expect(written.toSorted()).toEqual([...made.keys()].toSorted());
    const stale = [...made].filter(([path, text]) => readFileSync(join(FOLDER, path), 'utf8') !== text);
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  test('hold every operation in the folder of its group, with its example and without a key as body', () => {
    const { item, variable } = JSON.parse(readFileSync(join(FOLDER, 'postman.json'), 'utf8')) as {
      item: { name: string; item: PostmanRequest[] }[];
      variable: { key: string; value: string }[];
    };
    expect(variable.map(({ key, value }) => [key, value])).toEqual([
      ['baseUrl', 'http://127.0.0.1:4000'],
      ['apiKey', ''],
    ]);
    const requests = item.flatMap((folder) =>
      folder.item.map(({ request }) => ({
        group: folder.name,
        name: request.url.raw.replace('{{baseUrl}}/api/', ''),
        example: JSON.parse(request.body.raw) as object,
      })),
    );
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const expected = operations.map(({ name, example }) => ({ group: name.split('/')[0], name, example }));
    expect(requests.toSorted(byName)).toEqual(expected.toSorted(byName));
    expect(requests.filter(({ example }) => 'ApiKey' in example)).toEqual([]);
    for (const { name, example } of operations) {
      const text = readFileSync(join(FOLDER, 'bruno', `${name}.bru`), 'utf8');
      const body = /^body:json \{\n([^]*?)\n\}$/m.exec(text)?.[1] ?? '';
      expect([name, JSON.parse(body)]).toEqual([name, example]);
    }
  });
});
