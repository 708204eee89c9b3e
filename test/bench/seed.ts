import { type ContactRecord, contactEntity } from '../../lib/entities/contacts.ts';
import { guardRanges } from '../../lib/store/contacts/contact-index.ts';
import { contactChanges } from '../../lib/store/contacts/contacts.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { putsOf } from '../support/contacts.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';

const FIRST = [
  'Ana',
  'Ben',
  'Carla',
  'David',
  'Elena',
  'Frank',
  'Grace',
  'Hugo',
  'Iris',
  'Jack',
  'Kira',
  'Liam',
  'Mona',
  'Noah',
  'Olga',
  'Paul',
  'Rosa',
  'Sam',
  'Tina',
  'Uwe',
];
const STREETS = ['Oak', 'Elm', 'Maple', 'Cedar', 'Pine', 'Walnut', 'Birch', 'Willow', 'Spruce', 'Ash'];

/** Base 26 in letters, so that every tenth family has a name of its own: 0 → `a`, 27 → `bb`. */
const letters = (number: number): string =>
  (number < 26 ? '' : letters(Math.floor(number / 26) - 1)) + String.fromCharCode(97 + (number % 26));

/** The n-th contact: ten share a family name, ten a zip, each has an e-mail and a phone of its own. */
function contactNumber(id: number): ContactRecord {
  const family = `Q${letters(Math.floor((id - 1) / 10))}son`;
  const blank = contactEntity.blank({
    Id: id,
    Hash: `hash${id}`.padEnd(22, 'x'),
    OrganizationId: 1,
    LocationID: '',
    Created: 1_700_000_000_000 + id * 1000,
  });
  return {
    ...blank,
    Name: `${FIRST[id % 20] ?? ''} ${family}`,
    Email: `contact${id}@example.com`,
    Phone: `+1 217 ${String(2_000_000 + id)}`,
    PhoneKey: `+1217${2_000_000 + id}`,
    Address1: `${id} ${STREETS[id % 10] ?? ''} Street`,
    City: 'Springfield',
    State: 'IL',
    Zip: String(10_000 + Math.floor((id - 1) / 10))
      .slice(-5)
      .padStart(5, '1'),
    Tags: [{ Id: 1, Name: 'Maintenance plan' }],
    Notes: [{ Id: id, Title: 'Gate', Body: 'The gate code is 4711; the dog is friendly.' }],
  };
}

const NOTHING_TAKEN = { organizationId: null, ids: [], next: new Map<number, number>(), isComplete: true };

/**
 * Puts contacts `from` to `through` with all their entries, as writeContacts would, in batches instead of transactions.
 */
export async function seedContacts(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  for (let first = from; first <= through; first += 200) {
    const records = Array.from({ length: Math.min(200, through - first + 1) }, (_, index) =>
      contactNumber(first + index),
    );
    const writes = records.map((after) => ({
      before: undefined,
      after,
      guards: guardRanges({ account }, after).map((range) => ({ ...NOTHING_TAKEN, range })),
    }));
    const changes = contactChanges({ account }, writes, { now: new Date() });
    await table.putMany(putsOf(changes));
  }
  const tag: Item = { ...layout.tagName.key({ account, name: 'maintenance plan' }), Id: 1, Name: 'Maintenance plan' };
  const lease = (kind: string): Item => ({ ...layout.lease.key({ account, kind }), Last: through });
  await table.putMany([tag, lease('Contact'), lease('Note'), lease('Tag')]);
}
