import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { type CrossTown, DAY, crossTown } from '../../support/day-plans.ts';
import { testStack } from '../../support/stack/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'dayplan-'));
afterAll(() => rmSync(folder, { recursive: true }));

let company: CrossTown;
beforeAll(async () => {
  company = await crossTown();
  const local = { ...testStack(), AccountId: company.accountId, ApiKey: company.key };
  writeFileSync(join(folder, 'local.json'), JSON.stringify(local));
});

const tool = (...words: string[]) =>
  withEnvironment({ FS_DATA: folder }, () => runTool(['dayplan', '--date', DAY, ...words]));

test('fs dayplan shows both orders by agent, applies with --apply, and goes back with --undo', async () => {
  const shown = await tool();
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).toMatch(/^Ann: 188 minutes of driving, then 94\n/);
  expect(shown.stdout).toMatch(/\n11:00 Client 62629 +47 min +13:00 Client 62684 +0 min/);
  expect(shown.stdout).toContain('2 visits move, 94 minutes of driving less. Nothing is changed; --apply moves them.');
  expect((await company.plan()).Moves).toBe(2);

  const applied = await tool('--apply');
  expect(applied.stdout).toContain('It is done.');
  expect((await company.plan()).Moves).toBe(0);
  const undo = /--undo (\S+)/.exec(applied.stdout)?.[1] ?? '';
  const undone = await tool('--undo', undo, '--json');
  expect(JSON.parse(undone.stdout)).toMatchObject({ IsApplied: true, DriveMinutesAfter: 188 });
  expect((await company.plan()).Moves).toBe(2);
});

test('fs dayplan says what is wrong with its options, and with a plan that is out of date', async () => {
  expect((await tool('--agents', 'Ann')).stderr).toContain('Write ids like 3,4.');
  const { Undo } = await company.plan({ Apply: true });
  await company.plan({ Apply: true, Revision: Undo });
  const late = await tool('--undo', Undo);
  expect(late.code).not.toBe(0);
  expect(late.stderr).toMatch(/The day has changed since it was planned: appointment \d+ was changed/);
});
