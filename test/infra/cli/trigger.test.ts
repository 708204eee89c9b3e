import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallApi, causeEvent, triggerableKinds } from '../../../infra/cli/commands/events/event-recipes.ts';
import { allEventKinds } from '../../../lib/domain/event-kinds.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { type TestAccount, drainEvents, testAccount, testStack } from '../../support/stack/stack.ts';

let account: TestAccount;

beforeAll(async () => {
  account = await testAccount();
  // Operations that need no organization in an account with one need it in one with two.
  await account.call('organizations/create', { Name: 'Second' });
});

interface Event {
  readonly Id: number;
  readonly Payload: { readonly Kind: string; readonly RequestId: string };
}

/** All events of the account. */
async function allEvents(): Promise<Event['Payload'][]> {
  await drainEvents();
  const { body } = await account.call('datasubscriber/fetch', { EventCount: 1_000 });
  return (body['Events'] as Event[]).map(({ Payload }) => Payload);
}

describe('events trigger', () => {
  test('causes each kind of event by a change of its own, in a company that has nothing yet', async () => {
    const requests = new Map<string, string[]>();
    const failures: string[] = [];
    for (const kind of triggerableKinds) {
      const ids: string[] = [];
      requests.set(kind, ids);
      const call: CallApi = async (operation, body) => {
        const { status, headers, body: answer } = await account.call(operation, body);
        if (status !== 200) throw new Error(`${operation}: ${String(answer['Message'])}`);
        ids.push(headers.get('x-request-id') ?? '');
        return answer as never;
      };
      await causeEvent(kind, call, new Date()).catch((error: unknown) => failures.push(`${kind}: ${String(error)}`));
    }
    expect(failures).toEqual([]);
    const events = await allEvents();
    const isCaused = (kind: string) =>
      events.some(({ Kind, RequestId }) => Kind === kind && requests.get(kind)?.includes(RequestId));
    expect(triggerableKinds.filter((kind) => !isCaused(kind))).toEqual([]);
  });

  test('changes nothing of the locations of the company: what it makes belongs to one of its own', async () => {
    const ofCompany = { OrganizationId: 1 };
    const { body } = await account.call('organizations/details', ofCompany);
    expect([body['InternalName'], body['Services'], body['ServiceAgents'], body['Users']]).toEqual(['', [], [], []]);
    const key = await account.newKey({ role: 'Owner', organizationId: 1 });
    const lists: readonly (readonly [operation: string, request: object, list: string])[] = [
      ['contacts/locate', { NameSearch: 'trigger' }, 'Matches'],
      ['appointments/query', { FromDate: '2020-01-01' }, 'Appointments'],
      ['invoice/query', { FromDate: '2020-01-01' }, 'Invoices'],
      ['task/query', { IncludeCompleted: true }, 'Tasks'],
    ];
    for (const [operation, request, list] of lists)
      expect([operation, (await account.call(operation, request, { key })).body[list]]).toEqual([operation, []]);
  });

  test('knows every kind that an operation causes', () => {
    const others = allEventKinds.filter(
      (kind) => !triggerableKinds.includes(kind) && !kind.endsWith('.deleted') && !kind.startsWith('key.'),
    );
    // By the clock, the company file, the storage of files, a service that sends messages, or the operator's tool.
    expect(others).toEqual([
      'upload.updated',
      'call.updated',
      'proposal.expired',
      'message.sent',
      'message.delivered',
      'message.bounced',
      'message.complained',
      'message.failed',
      'organization.suspended',
      'part.created',
      'part.updated',
    ]);
  });
});

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trigger-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...words: string[]) => runTool(['events', 'trigger', ...words]);

  test('calls the API of the local stack, and lists the kinds in its help', async () => {
    const { accountId: AccountId, key: ApiKey } = account;
    writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId, ApiKey }));
    const [done, help, misspelt] = await withEnvironment({ FS_DATA: folder }, () =>
      Promise.all([run('task.completed', '--json'), run('--help'), run('task.complete')]),
    );
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toEqual({
      Kind: 'task.completed',
      Operations: ['organizations/query', 'contacts/addupdate', 'task/create', 'task/complete'],
    });
    expect(help.stdout).toContain('  task.created, task.updated, task.completed');
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean task.completed?') });
  });
});
