import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runTool, withEnvironment } from '../../../support/cli.ts';
import { type TestAccount, testAccount, testStack } from '../../../support/stack/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'contacts-http-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `fs import` of a contacts file prints as JSON, over HTTP. */
async function imported({ key }: TestAccount, lines: readonly string[]): Promise<unknown> {
  const file = join(folder, 'contacts.csv');
  writeFileSync(file, lines.join('\n'));
  const environment = { FS_URL: testStack().BaseUrl, FS_KEY: key };
  const { stdout } = await withEnvironment(environment, () => runTool(['import', file, '--json']));
  return JSON.parse(stdout);
}

test('lines whose new tags are more than one call takes are sent in several calls', async () => {
  const tags = (index: number) => Array.from({ length: 5 }, (_, tag) => `Tag ${index}.${tag}`).join(';');
  const lines = Array.from({ length: 25 }, (_, index) => `Person ${index},p${index}@example.com,"${tags(index)}"`);
  const report = await imported(await testAccount(), ['Name,Email,Tags', ...lines]);
  expect(report).toEqual({ Lines: 25, Imported: 25, Errors: [] });
});

test('a line that fits several contacts is refused, and the lines of its call are imported', async () => {
  const account = await testAccount();
  for (const Name of ['Ann Lee', 'Bob Ray'])
    await account.call('contacts/addupdate', { Name, Email: 'office@example.com' });
  const lines = Array.from({ length: 24 }, (_, index) => `Person ${index},p${index}@example.com`);
  const report = await imported(account, ['Name,Email', ...lines.with(7, ',office@example.com')]);
  expect(report).toMatchObject({ Lines: 24, Imported: 23, Errors: [{ Line: 9, Field: '' }] });
});

test('lines of a contact that was merged are sent one after the other', async () => {
  const account = await testAccount();
  const lines = ['Name,Email,City', 'Cy Poe,cy@home.example,Springfield', 'Cyrus Poe,cy@work.example,Springfield'];
  expect(await imported(account, lines)).toEqual({ Lines: 2, Imported: 2, Errors: [] });
  const found = (await account.call('contacts/locate', { NameSearch: 'poe' })).body['Matches'] as { Id: number }[];
  const [ContactId = 0, MergeId = 0] = found.map(({ Id }) => Id);
  expect((await account.call('contacts/merge', { ContactId, MergeId })).body).toMatchObject({ ResultCode: 0 });
  expect(await imported(account, [...lines, ''])).toEqual({ Lines: 2, Imported: 2, Errors: [] });
});
