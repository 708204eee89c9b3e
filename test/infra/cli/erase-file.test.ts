import type { Contact } from '../../../lib/entities/contacts.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readContactIds } from '../../../infra/cli/erase-file.ts';
import { eraseContacts } from '../../../lib/workflows/erasure/erase-contact.ts';
import { discardedPrefix } from '../../../lib/workflows/parked-records.ts';
import { toolFiles, toolTable } from '../../support/erasures.ts';
import { testAccount } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'erase-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'ids.csv');
  writeFileSync(file, text);
  return file;
}

describe('fs contact erase --file', () => {
  test.each([
    ['Id\n17\n18\n', [17, 18]],
    ['17\n18\n17\n', [17, 18]],
    ['Name,Contact Id\n"Ruiz, Ana",17\n', [17]],
  ])('reads the ids of %j', async (text, ids) => {
    expect(await readContactIds(fileOf(text))).toEqual(ids);
  });

  test('names the line that is no id, and erases nobody', async () => {
    await expect(readContactIds(fileOf('Id\n17\nAna\n'))).rejects.toThrow('ids.csv:3: "Ana" is no contact id.');
    await expect(readContactIds(fileOf('Name\nAna\n'))).rejects.toThrow('must name a column Id');
  });

  test('erases every contact with one wait, and says of each what became of it', async () => {
    const { accountId: account, call } = await testAccount();
    const people = ['ana', 'ben'].map((name) => ({ Name: name, Email: `${name}@example.com` }));
    const { Matches } = (await call('contacts/addupdate', { Matches: people })).body;
    const [ana = 0, ben = 0] = (Matches as Contact[]).map(({ Id }) => Id);
    const outcomes = new Map<number, string>();
    const waits: string[] = [];
    await eraseContacts(
      accountStore(toolTable(), account),
      [ana, 999, ben],
      {
        files: toolFiles(),
        discardedPrefix,
        settleMilliseconds: 0,
        onStep: (step) => void (step === 'calls under way' && waits.push(step)),
      },
      (id, outcome) => outcomes.set(id, outcome.status === 'fulfilled' ? 'erased' : String(outcome.reason)),
    );
    expect(outcomes.get(ana)).toBe('erased');
    expect(outcomes.get(ben)).toBe('erased');
    expect(outcomes.get(999)).toContain('999');
    expect(waits).toHaveLength(1);
    expect((await call('contacts/locate', { IdSearch: ana })).body['Matches']).toEqual([]);
  });
});
