import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { countMissed } from '../../../lib/domain/leavers.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { handOverVisits } from '../../../lib/workflows/organizations/hand-over-visits.ts';
import { findMissedVisits } from '../../../lib/workflows/organizations/missed-visits.ts';
import { examineLeaver } from '../../../lib/workflows/fsck/examine-leavers.ts';
import { expectFailure } from '../../support/failed.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { drainEvents, testStack, testTable } from '../../support/stack/stack.ts';
import { callerContext } from '../../../lib/workflows/context.ts';
import { accountStore } from '../../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'agents-'));
afterAll(() => rmSync(folder, { recursive: true }));

let company: Bookable;
/** Of Ann: on the last day, behind it, and behind it as a second agent of Ben's. */
let visits: Record<'before' | 'behind' | 'second', number>;

const tool = async (...words: string[]) => {
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId: company.accountId }));
  return withEnvironment({ FS_DATA: folder }, () => runTool(words));
};
const leave = (...words: string[]) => tool('agents', 'leave', 'Ann', '--date', '2035-03-06', ...words);
const booked = async (agent: string, at: string, more: object = {}) =>
  slotIn(await company.book(agent, at, more)).AppointmentId;
const find = async (AppointmentId: number) => slotIn(await company.call('appointments/find', { AppointmentId }));
const tasks = async () => {
  const { body } = await company.call('task/query', { Take: 100 });
  return (body['Tasks'] as { Description: string }[]).map(({ Description }) => Description);
};
const agentItem = () =>
  examineLeaver(
    testTable(),
    layout.serviceAgent.key({ account: company.accountId, organization: 1, id: company.agents['Ann'] ?? 0 }),
  );

beforeEach(async () => {
  company = await bookable();
  const second = { Slots: [{ DateTime: '2035-03-08T09:00', ServiceAgentId: company.agents['Ben'] }] };
  visits = {
    before: await booked('Ann', '2035-03-06T09:00'),
    behind: await booked('Ann', '2035-03-07T10:00'),
    second: await booked('Ben', '', {
      Slots: [{ ...second.Slots[0], AdditionalServiceAgents: [{ ServiceAgent: { Name: 'Ann' } }] }],
    }),
  };
});

describe('a service agent with visits behind the end date', () => {
  test('is named in Message with their number, in a task with the list, and by fs check', async () => {
    const change = { OrganizationId: 1, ServiceAgents: [{ Name: 'Ann', EndDate: '2035-03-06' }] };
    const { body } = await company.call('organizations/update', change);
    expect(body['Message']).toBe('Ann has 2 visits after 2035-03-06. A task lists them.');
    const [task = ''] = await tasks();
    expect(task.split('\n')).toEqual([
      `Ann has 2 visits after 2035-03-06. Move them, or: npx fs agents leave ${company.agents['Ann']} --date 2035-03-06 --queue`,
      `Wed, Mar 7 2035 10:00 AM: Lawn care, appointment ${visits.behind}`,
      `Thu, Mar 8 2035 9:00 AM: Lawn care, appointment ${visits.second}`,
    ]);
    expect(await agentItem()).toMatchObject([
      { kind: 'record', message: expect.stringContaining('Ann has 2 visits after 2035-03-06') as string },
    ]);
    const again = await company.call('organizations/update', change);
    expect([again.body['Message'], (await tasks()).length]).toEqual(['', 1]);
  });

  test('hears of it by an import of the company file too', async () => {
    const file = join(folder, 'company.yaml');
    writeFileSync(
      file,
      'organizations: [{name: Springfield, agents: [{name: Ann, email: Ann@example.com, endDate: 2035-03-06}]}]\n',
    );
    const { stdout, stderr } = await tool('import', file);
    expect(stdout, stderr).toContain('Ann has 2 visits after 2035-03-06. A task lists them.');
    expect(await tasks()).toHaveLength(1);
  });
});

describe('fs agents leave', () => {
  test('lists the visits and writes nothing with --dry-run', async () => {
    const { code, stdout } = await leave('--dry-run');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Wed, Mar 7 2035.*Thu, Mar 8 2035.*Nothing was written\./s),
    ]);
    expect(await agentItem()).toEqual([]);
    expect((await company.call('serviceagents/all')).text).not.toContain('2035-03-06');
  });

  test('moves each visit to another agent at its time, keeps what that one cannot take, and says why', async () => {
    const { code, stdout } = await leave('--to', 'Ben', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      EndDate: '2035-03-06',
      Visits: [
        { Appointment: visits.behind, Result: 'moved' },
        { Appointment: visits.second, Result: 'kept', Reason: expect.stringContaining('repeats agent') as string },
      ],
    });
    expect(await find(visits.behind)).toMatchObject({ ServiceAgentName: 'Ben', DateTime: '2035-03-07T10:00:00-06:00' });
    expect(await find(visits.before)).toMatchObject({ ServiceAgentName: 'Ann' });
    expect(await tasks()).toEqual([expect.stringContaining('Ann has 1 visit after 2035-03-06')]);
    const slots = slotsIn(
      await company.call('appointments/slotsearch', {
        ContactId: company.contact,
        ServiceId: 1,
        TargetDate: '2035-03-07',
      }),
    );
    expect(new Set(slots.map(({ ServiceAgentName }) => ServiceAgentName))).toEqual(new Set(['Ben']));
  });

  test('goes on behind visits that cannot be moved, page after page, and counts of a page that there are more', async () => {
    const last = await booked('Ann', '2035-03-09T09:00');
    const { accountId: account, agents } = company;
    const [context, organization] = [
      callerContext(testTable(), accountCaller(account, { role: 'Owner' }), new Date()),
      await findOrganization(accountStore(testTable(), account), 1),
    ];
    const agent = (await listAgents(accountStore(testTable(), account), 1)).find(({ Id }) => Id === agents['Ann']);
    if (!organization || !agent) throw new Error('not there');
    const [scope, leaver] = [
      { store: accountStore(testTable(), account), organization },
      { agent, lastDay: '2035-03-07' },
    ];
    expect(countMissed(await findMissedVisits(scope, leaver, { take: 1 }))).toBe(
      'Ann has more than 1 visit after 2035-03-07',
    );
    const handed = await handOverVisits(scope, leaver, agents['Ben'] ?? 0, context, { take: 1 });
    expect(handed.map(({ visit, outcome }) => [visit.Id, outcome])).toEqual([
      [visits.second, 'kept'],
      [last, 'moved'],
    ]);
  });

  test('queues the visits, series included, and a second run finds none', async () => {
    await booked('Ann', '2035-03-12T09:00', { Repeat: 'weekly', Count: 3 });
    await drainEvents();
    expect((await leave('--queue')).code).toBe(0);
    expect(await find(visits.behind)).toMatchObject({ Status: 0, ServiceAgentId: 0 });
    expect(await tasks()).toEqual([]);
    expect(await agentItem()).toEqual([]);
    const { stdout } = await leave('--queue');
    expect(stdout).toContain('No visits after 2035-03-06.');
    const { body } = await company.call('appointments/query', { ContactId: company.contact, Take: 100 });
    const states = (body['Appointments'] as { Status: number }[]).map(({ Status }) => Status);
    expect(states.sort()).toEqual([0, 0, 0, 0, 0, 1]);
  });

  test('refuses both ways at once, the agent itself, and an unknown one', async () => {
    for (const words of [
      ['--to', 'Ben', '--queue'],
      ['--to', 'Ann'],
    ])
      expect((await leave(...words)).code).toBe(2);
    expect((await leave('--to', 'Bn')).stderr).toContain('Did you mean');
  });
});

test('the key of a service agent ends with the last day', async () => {
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const of = await bookable({
    agents: [
      { Name: 'Gone', EndDate: dayIn(-3) },
      { Name: 'Going', EndDate: dayIn(3) },
    ],
  });
  const whoami = async (name: string) => {
    const key = await of.newKey({ role: 'ServiceAgent', organizationId: 1, agentId: of.agents[name] ?? 0 });
    return of.call('test/whoami', {}, { key });
  };
  expectFailure(await whoami('Gone'), 401);
  expect((await whoami('Going')).status).toBe(200);
});
