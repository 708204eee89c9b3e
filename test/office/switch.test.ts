import { beforeAll, expect, test } from 'vitest';
import type { UserRecord } from '../../lib/entities/users.ts';
import { layout } from '../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { findUsersByEmail } from '../../lib/store/organizations/users.ts';
import { accountStore } from '../../lib/store/store.ts';
import { makeUser, signedIn } from '../support/office.ts';
import { hiddenFields } from '../support/pages.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';

let company: TestAccount;
let people = 0;

/** A person with a user in both organizations. */
async function inBoth(): Promise<{ here: UserRecord; there: UserRecord }> {
  const email = `both${++people}@office.example`;
  const here = await makeUser(company, { role: 'Office', email, organizationId: 1 });
  await makeUser(company, { role: 'ReadOnly', email, organizationId: 2, name: `There ${people}` });
  const users = await findUsersByEmail(accountStore(testTable(), company.accountId), [email]);
  const [one, other] = [1, 2].map((id) => users.find(({ OrganizationId }) => OrganizationId === id));
  return { here: one ?? here, there: other ?? here };
}

const setSignIn = ({ Id: id }: UserRecord, SignInId: string) =>
  testTable().update({ update: layout.user.key({ account: company.accountId, id }), set: { SignInId } });

beforeAll(async () => {
  company = await testAccount();
  const { accountId: account } = company;
  await testTable().commit(newOrganizationChanges({ account }, { Id: 2, PublicName: 'Boulder' }));
  await testTable().update({ update: layout.account.key({ account }), set: { Organizations: 2 } });
});

test('a person goes on as the user of another organization, and the old session ends', async () => {
  const { here, there } = await inBoth();
  const browser = await signedIn(company, here);
  const before = browser.own.get('office');
  expect((await browser.open('/office/switch')).text).toContain('Boulder');
  const answer = await browser.send('/office/switch', 'switch');
  expect([answer.status, answer.headers.get('location')], answer.text).toEqual([303, '/office']);
  expect(browser.own.get('office')).not.toBe(before);
  expect((await browser.open('/office/switch')).text).toContain(there.Name);
  browser.own.set('office', before ?? '');
  expect((await browser.open('/office')).headers.get('location')).toBe('/office/sign-in');
});

test('another person with the same address is not offered, and is refused', async () => {
  const { here, there } = await inBoth();
  const browser = await signedIn(company, here);
  const fields = hiddenFields((await browser.open('/office/switch')).text, 'switch');
  await setSignIn(there, 'another-person');
  expect((await browser.open('/office/switch')).text).not.toContain('Boulder');
  const answer = await browser.post('/office/switch', fields);
  expect(answer.status).toBe(404);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('a user of somebody else is refused', async () => {
  const { here } = await inBoth();
  const other = await makeUser(company, { role: 'Owner' });
  const browser = await signedIn(company, here);
  const fields = hiddenFields((await browser.open('/office/switch')).text, 'switch');
  expect((await browser.post('/office/switch', { ...fields, user: String(other.Id) })).status).toBe(404);
});
