import { type ContactRecord, contactEntity } from '../../lib/entities/contacts.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { layout } from '../../lib/store/keys.ts';

/** A contact as the table holds it. */
export const contactItem = (account: string, id: number, changed: Partial<ContactRecord> = {}): Item => ({
  ...layout.contact.key({ account, id }),
  ...contactEntity.blank({
    Id: id,
    Hash: `hash${id}`,
    OrganizationId: 1,
    LocationID: '',
    Created: 1_750_000_000_000 + id,
  }),
  Name: `Person ${id} Müller`,
  Email: `person${id}@example.com`,
  Phone: `+1 217 555 ${String(id).padStart(7, '0')}`,
  Address1: `${id} Main Street, "rear"`,
  City: 'Springfield',
  State: 'IL',
  Zip: '62701',
  Country: 'US',
  Category: 'Customer',
  LeadSource: 'Web',
  V: 1,
  ...changed,
});
