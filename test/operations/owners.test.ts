import type { User } from '../../lib/entities/users.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { organizationCountChange } from '../../lib/store/accounts/accounts.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { fieldsOf } from '../support/stack/branches.ts';
import { writeBook } from '../support/price-book.ts';
import { type TestAccount, type TestAnswer, testAccount, testTable } from '../support/stack/stack.ts';

let account: TestAccount;
/** Users of organization 1 (active and inactive) and of organization 2. */
let users: { active: number; inactive: number; foreign: number };
let contactId: number;

const firstMatch = ({ body }: TestAnswer) => (body['Matches'] as { Id: number; OwnerUserId: number | null }[])[0];

async function addUser(OrganizationId: number, Name: string, Active: boolean): Promise<number> {
  const Email = `${Name.toLowerCase()}@example.com`;
  const answer = await account.call('organizations/update', { OrganizationId, Users: [{ Name, Email, Active }] });
  const found = (answer.body['Users'] as User[] | undefined)?.find((user) => user.Name === Name);
  if (answer.status !== 200 || !found) throw new Error(answer.text);
  return found.Id;
}

beforeAll(async () => {
  account = await testAccount();
  const { accountId } = account;
  await testTable().commit([
    ...newOrganizationChanges({ account: accountId }, { Id: 2, PublicName: 'Boulder' }),
    organizationCountChange({ account: accountId }),
  ]);
  await writeBook(accountId, { services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }] });
  const contact = { OrganizationId: 1, Name: 'Ana Diaz', Email: 'ana.diaz@example.com' };
  contactId = firstMatch(await account.call('contacts/addupdate', contact))?.Id ?? 0;
  users = {
    active: await addUser(1, 'Amal', true),
    inactive: await addUser(1, 'Ines', false),
    foreign: await addUser(2, 'Fred', true),
  };
});

const writes: [string, string, () => object, string][] = [
  ['a new contact', 'contacts/addupdate', () => ({ OrganizationId: 1, Name: 'New' }), 'OwnerUserId'],
  ['an existing contact', 'contacts/addupdate', () => ({ Matches: [{ Id: contactId }] }), 'Matches[0].OwnerUserId'],
  ['a new proposal', 'proposal/create', () => ({ ContactId: contactId, ServiceId: 1 }), 'OwnerUserId'],
  ['a quote', 'proposal/quote', () => ({ ContactId: contactId, Proposal: { ServiceId: 1 } }), 'Proposal.OwnerUserId'],
];

/** The request with the owner at the path of its field. */
function withOwner(request: object, path: string, owner: number): object {
  if (path === 'OwnerUserId') return { ...request, OwnerUserId: owner };
  const [name, value] = Object.entries(request).find(([field]) => path.startsWith(field)) ?? ['', undefined];
  return Array.isArray(value)
    ? { ...request, [name]: [{ ...value[0], OwnerUserId: owner }] }
    : { ...request, [name]: { ...value, OwnerUserId: owner } };
}

describe.each(writes)('the OwnerUserId of %s', (_, operation, request, path) => {
  const send = (owner: number) => account.call(operation, withOwner(request(), path, owner));

  test('is an active user of the organization', async () => {
    const { status, text } = await send(users.active);
    expect(status, text).toBe(200);
  });

  test.each<['inactive' | 'foreign' | undefined, string]>([
    ['inactive', 'an inactive user'],
    ['foreign', 'a user of another organization'],
    [undefined, 'no user'],
  ])('is 400 if it is %s (%s)', async (kind) => {
    const answer = await send(kind ? users[kind] : 999_999);
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([400, [path]]);
  });
});

describe('an owner who is deactivated later', () => {
  test('stays the owner, and may be sent back unchanged, until another one is chosen', async () => {
    const leaving = await addUser(1, 'Lena', true);
    const owned = { OrganizationId: 1, Name: 'Owned', Email: 'owned@example.com', OwnerUserId: leaving };
    const { Id } = firstMatch(await account.call('contacts/addupdate', owned)) ?? {};
    const proposal = await account.call('proposal/create', { ContactId: Id, ServiceId: 1, OwnerUserId: leaving });
    await addUser(1, 'Lena', false);
    const same = { Id, OwnerUserId: leaving, Nickname: 'O' };
    expect(firstMatch(await account.call('contacts/addupdate', same))).toMatchObject({ OwnerUserId: leaving });
    const update = { Id: proposal.body['Id'], Title: 'Later' };
    const updated = await account.call('proposal/update', { ...update, OwnerUserId: leaving });
    expect([updated.status, updated.body['OwnerUserId']]).toEqual([200, leaving]);
    expect((await account.call('proposal/update', { ...update, OwnerUserId: users.inactive })).status).toBe(400);
    expect((await account.call('proposal/update', { ...update, OwnerUserId: users.active })).status).toBe(200);
    expect((await account.call('proposal/update', { ...update, OwnerUserId: leaving })).status).toBe(400);
    expect((await account.call('contacts/addupdate', { Id, OwnerUserId: null })).status).toBe(200);
  });
});
