import { expect, test } from 'vitest';
import { ClientIndex } from '../../../lib/domain/imports/client-index.ts';

const Email = 'office@pm.example';
const index = new ClientIndex('US');
for (const [reference, client] of Object.entries({
  ann: { Name: 'Ann Lee', Email },
  bob: { Name: 'Bob Ray', Phone: '217-555-0100' },
  acme: { Name: '', Company: 'Acme, Inc.', Email: 'acme@example.com' },
}))
  index.add({ reference, client, properties: [] });

test.each([
  ['the client of the name, with the e-mail of another one', { name: 'Bob Ray', emails: [Email] }, 'bob'],
  ['the client of the e-mail, where the name agrees', { name: 'Lee, Ann', emails: [Email] }, 'ann'],
  ['the client of the e-mail, without a name', { name: '', emails: [Email] }, 'ann'],
  ['nobody, with another name', { name: 'Cid Moe', emails: [Email] }, undefined],
  ['the company of the e-mail', { name: 'ACME', emails: ['acme@example.com'] }, 'acme'],
])('a row means %s', (_, named, expected) => {
  const found = index.find({ reference: '', phones: [], street: '', ...named });
  expect(found).toEqual(expected === undefined ? 'none' : { client: expected, contact: expected });
});
