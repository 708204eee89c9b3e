import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../../../support/process.ts';

test('the first start creates the demo company completely before it is ready, the second start none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  for (const start of ['first', 'second']) {
    const stack = await startProcess({ FS_DATA: folder, FS_DEMO: '1' });
    if (!('local' in stack)) throw new Error(stack.errors);
    const { BaseUrl, ApiKey } = stack.local;
    const ask = async (operation: string, body: object): Promise<Record<string, unknown>> => {
      const headers = { 'x-api-key': ApiKey };
      const answer = await fetch(`${BaseUrl}/api/${operation}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    expect([start, (await ask('organizations/query', {}))['Organizations']]).toMatchObject([
      start,
      [
        { PublicName: 'Evergreen Denver' },
        { PublicName: 'Evergreen Richmond' },
        { PublicName: "Evergreen St. John's" },
      ],
    ]);
    expect((await ask('task/query', { IncludeCompleted: true }))['Count']).toBe(14);
    const customers = await ask('contacts/locate', { CategorySearch: 'Customer', Limit: 500 });
    const leads = await ask('contacts/locate', { CategorySearch: 'Lead', Limit: 500 });
    const all = [customers, leads].flatMap(
      ({ Matches }) => Matches as { IsValid: boolean; AccountingClass: unknown }[],
    );
    expect(all).toHaveLength(200);
    expect(all.filter(({ IsValid }) => !IsValid)).toEqual([]);
    expect(all.filter(({ AccountingClass }) => AccountingClass).length).toBeGreaterThan(80);
    await stack.end('SIGTERM');
  }
  rmSync(folder, { recursive: true });
}, 90_000);
