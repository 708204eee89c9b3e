import { beforeEach, expect, test } from 'vitest';
import { makeUser, signedIn } from '../support/office.ts';
import { startReceiver } from '../support/receivers.ts';
import { branches, contactIn } from '../support/stack/branches.ts';
import { type TestAccount, drainEvents } from '../support/stack/stack.ts';
import type { Role } from '../../lib/shared/roles.ts';

let company: TestAccount;
beforeEach(async () => {
  company = await branches();
});

async function toDo(role: Role, organizationId = 1): Promise<string> {
  const browser = await signedIn(company, await makeUser(company, { role, organizationId }));
  const { status, text } = await browser.open('/office/tasks');
  expect(status, text).toBe(200);
  return text;
}

test('to do lists the clients to whom no e-mail is sent', async () => {
  const EmailProblem = 'bounced@example.com bounced on 2026-11-29: no such mailbox';
  const bo = { Name: 'Bo Unced', Email: 'bounced@example.com', EmailProblem, OrganizationId: 1 };
  await company.call('contacts/addupdate', bo);
  const text = await toDo('Office');
  expect(text).toContain('Bo Unced');
  expect(text).toContain(EmailProblem);
});

test('to do lists calls that failed to those who may see them: of their organization, and not those of a pause', async () => {
  const receiver = await startReceiver((_, response) => void response.writeHead(410).end());
  const watch = async (kind: string, path: string): Promise<number> => {
    const made = await company.call('webhooks/create', { Url: `${receiver.url}/${path}`, Kinds: [kind] });
    return (made.body['Webhook'] as { Id: number }).Id;
  };
  const kindsOfDead = async () => {
    const { body } = await company.call('webhooks/calls', { Dead: true });
    return new Set((body['Calls'] as { Kind: string }[]).map(({ Kind }) => Kind));
  };
  try {
    const bo = await company.call('contacts/addupdate', { Name: 'Bo North', OrganizationId: 2 });
    await drainEvents();
    await watch('contact.created', 'a-secret');
    await watch('task.created', 'another');
    await company.call('webhooks/update', { Id: await watch('task.completed', 'paused'), Paused: true });
    const ann = await company.call('contacts/addupdate', { Name: 'Ann Lee', OrganizationId: 1 });
    await company.call('task/create', { Description: 'Call', ContactId: contactIn(bo).Id });
    const done = await company.call('task/create', { Description: 'Write', ContactId: contactIn(ann).Id });
    await company.call('task/complete', { TaskId: done.body['TaskId'] });
    await expect.poll(kindsOfDead).toEqual(new Set(['contact.created', 'task.created', 'task.completed']));
    const { host } = new URL(receiver.url);
    for (const role of ['Owner', 'Admin'] as const) {
      const text = await toDo(role);
      for (const shown of [host, 'contact.created: ']) expect(text).toContain(shown);
      for (const hidden of ['a-secret', 'task.completed', 'is paused']) expect(text).not.toContain(hidden);
    }
    const north = await toDo('Owner', 2);
    expect(north).toContain('task.created: ');
    expect(north).not.toContain('contact.created');
    expect(await toDo('Office')).not.toContain(host);
    expect(await toDo('ReadOnly')).not.toContain(host);
  } finally {
    await receiver.stop();
  }
});
