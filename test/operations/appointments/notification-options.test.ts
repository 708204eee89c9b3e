import { beforeAll, describe, expect, test } from 'vitest';

import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { fieldsOf } from '../../support/stack/branches.ts';

let company: Bookable;
let lenient: string;
let days = 0;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann', TimeSlots: weekdays() }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
  lenient = await company.newKey({ role: 'Owner', lenient: true });
});

/** A day of 2027 for each visit. */
const book = (more: object) => {
  const at = new Date(Date.UTC(2027, 2, 8 + 7 * days++)).toISOString().slice(0, 10);
  return company.book('Ann', `${at}T09:00`, more);
};
const visit = async (more: object = {}) => slotIn(await book(more)).AppointmentId;
const update = (AppointmentId: number, more: object, key?: string) =>
  company.call('appointments/update', { AppointmentId, ...more }, key === undefined ? {} : { key });

describe('NotificationOptions', () => {
  test.each([
    [
      ['sms', 'EMAIL', 'email'],
      ['Text', 'Email'],
    ],
    [['none'], ['None']],
    [
      ['visitmoved', 'Reminder'],
      ['VisitMoved', 'Reminder'],
    ],
    [[], []],
  ])('%j of a booking are stored in their canonical spelling', async (NotificationOptions, stored) => {
    const { body } = await book({ NotificationOptions });
    expect(body).toMatchObject({ ResultCode: 0, NotificationOptions: stored });
  });

  test('of an update replace those of the booking, and an absent field or null does what it does elsewhere', async () => {
    const id = await visit({ NotificationOptions: ['Email'] });
    expect((await update(id, { NotificationOptions: ['text'] })).body['NotificationOptions']).toEqual(['Text']);
    expect((await update(id, { Notes: 'Gate' })).body['NotificationOptions']).toEqual(['Text']);
    expect((await update(id, { NotificationOptions: null })).body['NotificationOptions']).toEqual([]);
  });

  test('with an unknown word are 400 in both, which lists the words', async () => {
    const id = await visit();
    for (const answer of [
      await book({ NotificationOptions: ['Email', 'Remindr'] }),
      await update(id, { NotificationOptions: ['Email', 'Remindr'] }),
    ]) {
      expectFailure(answer, 400);
      expect(fieldsOf(answer)).toEqual(['NotificationOptions[1]']);
      expect(answer.body['Errors']).toMatchObject([{ Code: 'unknown_value' }]);
      expect(answer.body['Message']).toMatch(
        /^NotificationOptions\[1\] must be one of Email, Text, None, VisitBooked, .* Did you mean "Reminder"\?$/,
      );
    }
  });

  test('with an unknown word are stored without it for a lenient key, and Message names it', async () => {
    const id = await visit({ NotificationOptions: ['None'] });
    const some = await update(id, { NotificationOptions: ['push', 'sms'] }, lenient);
    expect(some.body).toMatchObject({ ResultCode: 0, NotificationOptions: ['Text'] });
    expect(some.body['Message']).toMatch(/^NotificationOptions push is left out; it must be one of Email, /);
    const none = await update(id, { NotificationOptions: ['push'] }, lenient);
    expect(none.body).toMatchObject({ ResultCode: 0, NotificationOptions: ['Text'] });
  });
});
