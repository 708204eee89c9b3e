import type { Contact } from '../../lib/entities/contacts.ts';
import { expect, test } from 'vitest';
import { faultyTableForTests } from '../support/faults/failing-lines.ts';
import { invoke } from '../support/stack/invoke.ts';

const faulty = faultyTableForTests();

/** Holds the first transaction of each of so many calls until all of them are at hand: each has read what the others have. */
function hold(calls: number): { readonly held: () => number } {
  let held = 0;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  faulty.table().line.fail((operation) => {
    if (operation !== 'TransactWriteItems' || held === calls) return undefined;
    if (++held === calls) resolve(undefined);
    return promise;
  });
  return { held: () => held };
}

const Email = 'office@pm.example';
const matchesOf = ({ body }: { body: Record<string, unknown> }) => body['Matches'] as Contact[];

test.each<[string, object, object, number]>([
  ['one new person by e-mail', { Name: 'Ann Lee', Email }, { Name: 'ann lee', Email }, 1],
  ['one new person, in one of them by the first name', { Name: 'Ann Lee', Email }, { Name: 'Ann', Email }, 1],
  ['one new person, in one of them without a name', { Name: 'Ann Lee', Email }, { Email, Company: 'PM' }, 1],
  [
    'one new person by phone and name',
    { Name: 'Ann Lee', Phone: '2175550100' },
    { Name: 'ANN LEE', Phone: '2175550100' },
    1,
  ],
  ['two new people with one e-mail', { Name: 'Ann Lee', Email }, { Name: 'Bob Ray', Email }, 2],
])('of two calls at once with %s, neither of which has seen the other: contacts', async (_, one, other, contacts) => {
  const { key } = await faulty.table().newAccount();
  const { held } = hold(2);
  const answers = await Promise.all([one, other].map((body) => invoke('contacts/addupdate', body, { key })));
  expect([held(), answers.map(({ status }) => status)]).toEqual([2, [200, 200]]);
  faulty.table().line.fail(undefined);
  expect(new Set(answers.map((answer) => matchesOf(answer)[0]?.Id)).size).toBe(contacts);
  const found = matchesOf(await invoke('contacts/locate', { CreatedFrom: '2020-01-01' }, { key }));
  expect(found).toHaveLength(contacts);
  const again = await Promise.all([one, other].map((body) => invoke('contacts/addupdate', body, { key })));
  expect(again.map((answer) => matchesOf(answer)[0]?.Id)).toEqual(answers.map((answer) => matchesOf(answer)[0]?.Id));
});
