import { expect, test } from 'vitest';
import { ClientIndex } from '../../../lib/domain/imports/client-index.ts';

const Email = 'office@pm.example';
const index = new ClientIndex('US');
for (const [reference, client] of Object.entries({
  ann: { Name: 'Ann Lee', Email },
  bob: { Name: 'Bob Ray', Phone: '217-555-0100' },
  acme: { Name: '', Company: 'Acme, Inc.', Email: 'acme@example.com' },
  couple: { Name: 'Bob & Ann Diaz', Phone: '217-555-0101', Address1: '5 Oak Avenue' },
  phone: { Name: '(217) 555-0102', Phone: '(217) 555-0102' },
  shop: { Name: 'Shop 7', Nickname: 'Corner shop', Address1: '7 Elm Court' },
  one: { Name: 'Max Muster', Address1: '1 A Street' },
  two: { Name: 'Max Muster', Address1: '2 B Street' },
  mother: { Name: 'Eve Ott', Phone: '217-555-0103', Email: 'eve@home.example' },
  daughter: { Name: 'Eve Ott', Phone: '217-555-0103', Email: 'eve@work.example' },
}))
  index.add({ reference, client, properties: [] });

test.each([
  ['the client of the name, with the e-mail of another one', { name: 'Bob Ray', emails: [Email] }, 'bob'],
  ['the client of the e-mail, where the name agrees', { name: 'Lee, Ann', emails: [Email] }, 'ann'],
  ['the client of the e-mail, without a name', { name: '', emails: [Email] }, 'ann'],
  ['nobody, with another name', { name: 'Cid Moe', emails: [Email] }, undefined],
  ['the company of the e-mail', { name: 'ACME', emails: ['acme@example.com'] }, 'acme'],
  ['a couple, however it is joined', { name: 'Bob and Ann Diaz' }, 'couple'],
  ['the client whose name is its phone', { name: '217.555.0102' }, 'phone'],
  ['the client of the name that its system shows', { name: 'Corner Shop' }, 'shop'],
  ['the client at a whole address', { name: 'Max Muster', street: '2 B St, Apt 4, Springfield, IL 62701' }, 'two'],
  ['the client of the street, where the name agrees', { name: 'Robert Diaz', street: '5 Oak Ave.' }, 'couple'],
  [
    'the namesake with the e-mail, of two with the phone',
    { name: 'Eve Ott', emails: ['eve@work.example'], phones: ['2175550103'] },
    'daughter',
  ],
  ['nobody at the street of another name', { name: 'Cid Moe', street: '5 Oak Ave.' }, undefined],
])('a row means %s', (_, named, expected) => {
  const found = index.find({ reference: '', emails: [], phones: [], street: '', ...named });
  const none = { problem: 'is no client of the files, nor of an earlier import', isNone: true, references: [] };
  expect(found).toEqual(expected === undefined ? none : { client: expected, contact: expected });
});

test('a row of two clients, or of a namesake, means nobody, and names them', () => {
  const row = { reference: '', emails: [], phones: [], street: '', name: 'Max Muster' };
  expect(index.find(row)).toEqual({
    problem: 'may be one (Max Muster) or two (Max Muster)',
    isNone: false,
    references: ['one', 'two'],
  });
  expect(index.find({ ...row, name: 'Bob & Ann Diaz', phones: ['217-555-0999'], street: '99 Far Road' })).toEqual({
    problem: 'has the name of couple (Bob & Ann Diaz), but another e-mail or phone and another street',
    isNone: true,
    references: [],
  });
});
