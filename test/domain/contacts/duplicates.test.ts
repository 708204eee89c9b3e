import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { describe, expect, test } from 'vitest';
import { findDuplicates } from '../../../lib/domain/contacts/search.ts';
import { someContact } from '../../support/contacts.ts';

describe('contacts of one call', () => {
  const step = (after: Partial<ContactRecord> & { Id: number }, before?: ContactRecord) => ({
    before,
    after: someContact(after.Id, after),
  });
  const phone = { PhoneKey: '+12175550143' };

  test('may share a phone or an e-mail, but neither together with the name', () => {
    expect(findDuplicates([step({ Id: 1, ...phone, Name: 'Ann' }), step({ Id: 2, ...phone, Name: 'Bob' })])).toEqual(
      [],
    );
    expect(
      findDuplicates([step({ Id: 1, ...phone, Name: 'Ann Lee' }), step({ Id: 2, ...phone, Name: 'ANN LEE' })]),
    ).toMatchObject([{ index: 1, field: 'Phone' }]);
    expect(
      findDuplicates([
        step({ Id: 1, Email: 'a@b.co', Name: 'Ann Lee' }),
        step({ Id: 2, Email: 'a@b.co', Name: 'Bob Ray' }),
        step({ Id: 3, Email: 'A@B.co', Name: 'Ann' }),
      ]),
    ).toMatchObject([{ index: 2, field: 'Email', message: expect.stringContaining('contact 1') as string }]);
  });

  test('may not change one contact twice, but two existing contacts may come to share an e-mail', () => {
    const [one, two] = [someContact(1), someContact(2)];
    expect(findDuplicates([step({ Id: 1 }, one), step({ Id: 1 }, one)])).toMatchObject([{ index: 1, field: 'Id' }]);
    expect(findDuplicates([step({ Id: 1, Email: 'a@b.co' }, one), step({ Id: 2, Email: 'a@b.co' }, two)])).toEqual([]);
    expect(
      findDuplicates([step({ Id: 1, Email: 'a@b.co' }, one), step({ Id: 3, Email: 'a@b.co', Name: '' })]),
    ).toMatchObject([{ index: 1, field: 'Email' }]);
  });
});
