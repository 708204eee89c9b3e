import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDemo } from '../../../../infra/cli/demo/create-demo.ts';
import { openMemoryTable } from '../../../../infra/cli/demo/memory-table.ts';
import { startProcess } from '../../../support/stack/process.ts';

test('the first start creates the demo company completely before it is ready, the second start none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  for (const start of ['first', 'second']) {
    const stack = await startProcess({ FS_DATA: folder, FS_DEMO: 'small' });
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

describe('the whole demo', async () => {
  const DAY = 86_400_000;
  const now = new Date('2026-11-18T16:40:00Z');
  const table = openMemoryTable();
  await createDemo(table, { now });
  const listOf = <Fields>(entity: string) => table.items().filter(({ E }) => E === entity) as unknown as Fields[];
  const appointments = listOf<{ Status: number; Start: number; ServiceAgentName: string; DriveTimeMinutes: number }>(
    'Appointment',
  );
  const invoices = listOf<{ Status: number; BalanceDue: number; Total: number }>('Invoice');
  const statusesOf = (records: readonly { readonly Status: number }[]) => new Set(records.map(({ Status }) => Status));

  test('has 4 to 6 jobs of every agent on nearly every working day of two weeks back and ahead', () => {
    const dense = appointments.filter(
      ({ Status, Start }) => ![0, 4].includes(Status) && Math.abs(Start - now.getTime()) < 13 * DAY,
    );
    const days = Map.groupBy(
      dense,
      ({ ServiceAgentName, Start }) => `${ServiceAgentName} ${Math.floor((Start - 7 * 3_600_000) / DAY)}`,
    );
    const counts = [...days.values()].map(({ length }) => length);
    expect(counts.length).toBeGreaterThan(180);
    expect(counts.filter((count) => count < 4 || count > 6).length).toBeLessThan(counts.length / 10);
    expect(dense.filter(({ DriveTimeMinutes }) => DriveTimeMinutes > 0).length).toBeGreaterThan(dense.length / 2);
  });

  test('has appointments of every status, one Started now, and what is past done', () => {
    expect(statusesOf(appointments)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    const scheduled = appointments.filter(({ Status }) => Status === 1 || Status === 5);
    expect(scheduled.filter(({ Start }) => Start < now.getTime())).toEqual([]);
  });

  test('has a year of completed jobs, most of them paid, some open', () => {
    const done = appointments.filter(({ Status }) => Status === 3);
    expect(done.length).toBeGreaterThan(1_000);
    expect(Math.min(...done.map(({ Start }) => Start))).toBeLessThan(now.getTime() - 350 * DAY);
    const open = invoices.filter(({ Status }) => Status === 1).length;
    expect(open).toBeGreaterThan(20);
    expect(open).toBeLessThan(invoices.length / 5);
    expect(listOf('Payment').length).toBeGreaterThan(800);
  });

  test('has customers to whom something was sold, leads to whom nothing was, and proposals of every status', () => {
    const contacts = listOf<{ Category: string; IsCustomer: boolean }>('Contact');
    expect(contacts.length).toBeGreaterThan(300);
    expect(contacts.filter(({ Category, IsCustomer }) => (Category === 'Customer') !== IsCustomer)).toEqual([]);
    expect(statusesOf(listOf('Proposal')).size).toBe(8);
  });
});
