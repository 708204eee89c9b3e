import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErasureReport } from '../../../lib/domain/contacts/erasure-report.ts';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import { findErasure } from '../../../lib/store/contacts/erasures.ts';
import { layout } from '../../../lib/store/keys.ts';
import { findTask, taskChanges } from '../../../lib/store/tasks.ts';
import { examineErasure } from '../../../lib/workflows/fsck/examine-erasure.ts';
import { goOnWithErasure } from '../../../lib/workflows/erasure/go-on-with-erasure.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { dying, toolFiles, toolTable } from '../../support/erasures.ts';
import { contactIn, eventsOf } from '../../support/stack/branches.ts';
import { until } from '../../support/stack/process.ts';
import { type TestAccount, drainEvents, testAccount, testStack, testTable } from '../../support/stack/stack.ts';
import { accountStore, storeOf } from '../../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'erase-'));
afterAll(() => rmSync(folder, { recursive: true }));

let company: TestAccount;
let contact: number;
beforeEach(async () => {
  company = await testAccount();
  contact = contactIn(await company.call('contacts/addupdate', { Name: 'Quirina Zweigenbaum' })).Id;
});

const erase = (...words: string[]) => {
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId: company.accountId }));
  return withEnvironment({ FS_DATA: folder }, () => runTool(['contact', 'erase', ...words, '--yes']));
};
const report = async (...words: string[]) => JSON.parse((await erase(...words, '--json')).stdout) as ErasureReport;
const erasure = (id = contact) => findErasure(accountStore(testTable(), company.accountId), id);
const key = (id = contact) => layout.erasure.key({ account: company.accountId, id });
const newTask = async () =>
  Number((await company.call('task/create', { ContactId: contact, Description: 'Call Zweigenbaum' })).body['TaskId']);
const findStored = (id: number) =>
  findTask(storeOf(testTable(), { account: company.accountId, organizationId: null }), id);

/** The worker's work, without the wait for calls under way. */
const goOn = (table = toolTable(), settleMilliseconds = 0) =>
  goOnWithErasure(accountStore(table, company.accountId), key(), {
    deadline: Date.now() + 60_000,
    files: toolFiles(),
    settleMilliseconds,
  });

describe('fs contact erase', () => {
  test('returns once the worker has removed all that it found, and says that it comes again by itself', async () => {
    const id = await newTask();
    const { code, stdout } = await erase(String(contact));
    expect([code, stdout]).toEqual([0, expect.stringContaining('A second pass follows by itself within two minutes')]);
    expect((await company.call('contacts/locate', { IdSearch: contact })).body['Matches']).toEqual([]);
    expect(await findStored(id)).toMatchObject({ Description: '[erased]' });
    const begun = await erasure();
    expect(begun?.FinishedAt).toBeUndefined();
    expect(begun?.FirstPassAt).toBeGreaterThanOrEqual(begun?.HandedOverAt ?? Infinity);
    // Again it tells how far it is, and asks no second worker.
    expect(await report(String(contact))).toMatchObject({ FinishedAt: null, Removed: { Tasks: 1 } });
    expect((await erasure())?.HandedOverAt).toBe(begun?.HandedOverAt);
  });

  test('loses nothing that a call under way writes behind the first pass, though workers are killed', async () => {
    const { accountId: account } = company;
    const id = await newTask();
    const stored = await findStored(id);
    await erase(String(contact));
    // As a call writes that read the contact before: with the name, and for the contact.
    const after = { ...(await findStored(id)), ...stored, V: (await findStored(id))?.V } as NonNullable<typeof stored>;
    const late = { ...after, Id: id + 1, V: 0 };
    await testTable().commit([taskChanges({ account }, { before: undefined, after: late, now: new Date() }).change]);
    expect(await goOn(toolTable(), 60_000)).toMatchObject({ kind: 'waits' });
    for (let writes = 0; writes < 12; writes += 2) await goOn(dying(toolTable(), writes)).catch(() => undefined);
    expect(await goOn()).toEqual({ kind: 'done' });
    expect(await findStored(id + 1)).toMatchObject({ Description: '[erased]' });
    await drainEvents();
    expect(JSON.stringify(await eventsOf(company))).not.toContain('Zweigenbaum');
    expect(await erasure()).not.toHaveProperty('Contact');
    const { stdout } = await erase(String(contact));
    expect(stdout).toContain(`Contact ${contact} is erased.`);
    expect(await goOn()).toEqual({ kind: 'done' });
  });

  test('of a file has the worker erase each, and says of each what became of it', async () => {
    const other = contactIn(await company.call('contacts/addupdate', { Name: 'Ruprecht Zwiebelfisch' })).Id;
    const file = join(folder, 'ids.csv');
    writeFileSync(file, `Id\n${contact}\n99999\n${other}\n`);
    const { code, stdout, stderr } = await erase('--file', file);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^2 of 3 contacts no longer exist for any call/)]);
    expect(stderr).toContain('contact 99999: There is no contact 99999.');
    await until(async () => (await erasure(other))?.FirstPassAt !== undefined, 15_000);
  });

  test('that was killed, or whose worker gave up, is named by fs check and goes on by its repair', async () => {
    await erase(String(contact));
    expect(await examineErasure(testTable(), key(), new Date())).toEqual([]);
    const [problem, ...others] = await examineErasure(testTable(), key(), new Date(Date.now() + 16 * MINUTE));
    expect([problem?.message, others]).toEqual([`the erasure of contact ${contact} is not done`, []]);
    const before = (await erasure())?.HandedOverAt ?? Infinity;
    await testTable().commit(problem?.repair?.changes ?? []);
    expect((await erasure())?.HandedOverAt).toBeGreaterThan(before);
    await goOn();
    expect(await examineErasure(testTable(), key(), new Date(Date.now() + 16 * MINUTE))).toEqual([]);
  });
});
