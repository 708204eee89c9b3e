import { beforeAll, expect, test } from 'vitest';
import { makeUser, signedIn } from '../support/office.ts';
import { startReceiver } from '../support/receivers.ts';
import { branches } from '../support/stack/branches.ts';
import type { TestAccount } from '../support/stack/stack.ts';
import type { Role } from '../../lib/shared/roles.ts';

let company: TestAccount;
beforeAll(async () => {
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

test('to do lists calls of webhooks that were given up, to those who may see them, for events of their organization', async () => {
  const receiver = await startReceiver((_, response) => void response.writeHead(410).end());
  try {
    await company.call('webhooks/create', { Url: `${receiver.url}/a-secret`, Kinds: ['contact.created'] });
    await company.call('contacts/addupdate', { Name: 'Ann Lee', OrganizationId: 1 });
    const dead = async () => ((await company.call('webhooks/calls', { Dead: true })).body['Calls'] as object[]).length;
    await expect.poll(dead).not.toBe(0);
    const { host } = new URL(receiver.url);
    for (const role of ['Owner', 'Admin'] as const) {
      const text = await toDo(role);
      expect(text).toContain(host);
      expect(text).toContain('contact.created: ');
      expect(text).not.toContain('a-secret');
    }
    expect(await toDo('Office')).not.toContain(host);
    expect(await toDo('ReadOnly')).not.toContain(host);
    expect(await toDo('Owner', 2)).not.toContain(host);
  } finally {
    await receiver.stop();
  }
});
