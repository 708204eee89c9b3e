import type { Invoice } from '../../../lib/entities/invoices.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owedBy } from '../../../infra/cli/commands/people/owes.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import { testStack } from '../../support/stack/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'people-'));
afterAll(() => rmSync(folder, { recursive: true }));

let company: Bookable;
let visit: number;

const tool = (...words: string[]) => withEnvironment({ FS_DATA: folder }, () => runTool(words));

beforeAll(async () => {
  company = await bookable();
  const local = { ...testStack(), AccountId: company.accountId, ApiKey: company.key };
  writeFileSync(join(folder, 'local.json'), JSON.stringify(local));
  await company.call('contacts/addupdate', {
    Id: company.contact,
    Address1: '12 Main Street',
    Address2: 'Apt 4',
    City: 'Springfield',
    State: 'IL',
    Phone: '(217) 555-0143',
    FlashMessage: 'Dog in the yard.',
    DoNotText: true,
  });
  const second = [{ ServiceAgent: { Name: 'Ben' } }];
  const slot = { ServiceAgentId: company.agents['Ann'], AdditionalServiceAgents: second };
  await company.book('Ann', '2035-03-06T13:00', { Slots: [{ ...slot, DateTime: '2035-03-06T13:00' }] });
  visit = slotIn(await company.book('Ann', '2035-03-06T09:00', { Notes: 'Gate code 4711\nRing twice' })).AppointmentId;
  await company.call('invoice/import', {
    Invoice: {
      ContactId: company.contact,
      Date: '2026-01-05',
      Terms: 'Net 15',
      Status: 'Open',
      Lines: [{ Description: 'Work', Qty: 1, Rate: 80 }],
    },
  });
});

describe('fs today', () => {
  test('lists the visits of a day by agent in their order, with place, phone and notes', async () => {
    const { code, stdout } = await tool('today', '--date', '2035-03-06');
    expect(code).toBe(0);
    const place = String.raw`12 Main Street, Apt 4, Springfield, IL 62701`;
    const row = (time: string, notes: string) =>
      String.raw`${time} +60 +José García +\(217\) 555-0143 +${place} +Lawn care +\d+ +${notes}`;
    expect(stdout).toMatch(new RegExp(`^Ann\n.*\n${row('9:00', 'Gate code 4711 Ring twice')}\n${row('13:00', '–')}\n`));
    expect(stdout).toMatch(new RegExp(`\nBen\n.*\n${row('13:00', '–')}\n$`));
  });

  test('prints a page for each agent, and those of one', async () => {
    const { stdout } = await tool('today', '--date', '2035-03-06', '--print');
    expect(stdout.split('\f').map((page) => page.split('\n')[0])).toEqual(['Ann, 2035-03-06', 'Ben, 2035-03-06']);
    expect(stdout).toContain('       Gate code 4711\n       Ring twice');
    const { stdout: own } = await tool('today', '--date', '2035-03-06', '--agent', 'ben', '--json');
    expect(JSON.parse(own)).toMatchObject({ Agents: [{ Agent: 'Ben', Visits: [{ Client: 'José García' }] }] });
  });
});

describe('fs owes', () => {
  const invoice = (more: Partial<Invoice>) =>
    ({
      ContactId: 1,
      BalanceDue: 10,
      Date: '2026-01-01T00:00:00-05:00',
      DueDate: null,
      Contact: null,
      ...more,
    }) as Invoice;

  test.each([
    ['2026-01-31', 'NotDue'],
    ['2026-02-01', 'To30'],
    ['2026-03-02', 'To30'],
    ['2026-03-03', 'To60'],
    ['2026-04-01', 'To60'],
    ['2026-04-02', 'To90'],
    ['2026-05-01', 'To90'],
    ['2026-05-02', 'Over90'],
  ])('on %s counts an invoice due 2026-01-31 as %s', (on, column) => {
    const [client] = owedBy([invoice({ DueDate: '2026-01-31' })], on);
    expect(client).toMatchObject({ [column]: 10, Owes: 10 });
  });

  test('adds cents exactly, by client, who owes most first, without paid ones and credit', () => {
    const owed = [0.1, 0.2, 0, -5].map((BalanceDue) => invoice({ BalanceDue }));
    const clients = owedBy([...owed, invoice({ ContactId: 2, BalanceDue: 7 })], '2026-02-01');
    expect(clients.map(({ ContactId, Owes }) => [ContactId, Owes])).toEqual([
      [2, 7],
      [1, 0.3],
    ]);
  });

  test('shows phone, e-mail, age and the page to pay', async () => {
    const { stdout } = await tool('owes');
    expect(stdout).toMatch(/José García +\(217\) 555-0143 +jose@example\.com.* 80\.00 +http.*\/c\/invoice\//);
    expect(stdout).toContain('Together 80.00.');
  });
});

describe('fs client', () => {
  test.each(['garcia', 'jose@example.com', '217-555-0143', '12 main'])('finds one by %s', async (words) => {
    const { stdout, stderr } = await tool('client', words);
    expect(stdout, stderr).toContain('José García (contact');
    for (const text of ['Apt 4', '! Dog in the yard.', 'Wants no texts.', 'Next visits', 'Open invoices', '80.00'])
      expect(stdout).toContain(text);
  });

  test('lists those whom the words find, and says whom it does not know', async () => {
    await company.call('contacts/addupdate', { Name: 'Ana García', Email: 'ana@example.com' });
    const several = await tool('client', 'garcía');
    expect([several.code, several.stderr]).toEqual([1, expect.stringMatching(/José García.*Ana García|Ana.*José/s)]);
    expect((await tool('client', 'nobody')).stderr).toContain('Nobody is found by "nobody"');
  });
});

describe('fs move and fs book', () => {
  test('book a free time and move a visit, and say what is there now', async () => {
    const work = ['--client', String(company.contact), '--service', 'Lawn care'];
    const booked = await tool('book', ...work, '--at', '2035-03-07 09:00');
    expect(booked.stdout, booked.stderr).toMatch(
      /^Visit \d+, Lawn care, is booked on Wed, Mar 7 2035 9:00 AM with Ann\./,
    );
    const moved = await tool('move', String(visit), '--to', '2035-03-08 10:00');
    expect(moved.stdout, moved.stderr).toContain('is moved to Thu, Mar 8 2035 10:00 AM with Ann.');
    const taken = await tool('book', ...work, '--at', '2035-03-10 09:00');
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringMatching(/not free|works/)]);
  });

  test('ask nobody where no terminal is: they name the option', async () => {
    const { code, stderr } = await tool('move', String(visit), '--from', '2035-03-09');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name --to.')]);
    expect((await tool('book', '--client', 'jose@example.com')).stderr).toContain('Name --service.');
  });
});

test('commands of people load no table code', async () => {
  const script =
    "const { createProgram } = await import('./infra/cli/program.ts');" +
    "for (const word of ['today', 'owes', 'client', 'move', 'status', 'api']) await createProgram([word]);" +
    "const { createRequire } = await import('node:module');" +
    "process.stdout.write(JSON.stringify(Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@aws-sdk'))));";
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('[]');
});
