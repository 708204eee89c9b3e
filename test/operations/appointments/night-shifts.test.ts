import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';

/** 22:00 to 24:00 and 0:00 to 5:00, as the hours of every day or of each day of the week. */
const nights = {
  'every day': [
    { StartMinute: 1320, Minutes: 120 },
    { StartMinute: 0, Minutes: 300 },
  ],
  'the nights of the week': [0, 1, 2, 3, 4, 5, 6].flatMap((DayOfWeek) => [
    { DayOfWeek, StartMinute: 0, Minutes: 300 },
    { DayOfWeek, StartMinute: 1320, Minutes: 120 },
  ]),
  'Saturday night alone': [
    { DayOfWeek: 6, StartMinute: 1320, Minutes: 120 },
    { DayOfWeek: 0, StartMinute: 0, Minutes: 300 },
  ],
};

describe.each(Object.entries(nights))('a night shift given as %s', (_, TimeSlots) => {
  let account: Bookable;
  /** Springfield to Chatham, Illinois, is a drive of some 25 minutes; StartAddress is in Springfield. */
  beforeAll(async () => {
    account = await bookable({ zip: '62629', agents: [{ Name: 'Nia', Email: 'nia@example.com', TimeSlots }] });
  });
  const search = async (TargetDate: string): Promise<AppointmentSlot[]> => {
    const answer = await account.call('appointments/slotsearch', {
      ContactId: account.contact,
      ServiceName: 'Lawn care',
      TargetDate,
      SlotWindowDays: 1,
    });
    expect(answer.status, answer.text).toBe(200);
    return slotsIn(answer);
  };
  const starts = (slots: readonly AppointmentSlot[]): string[] => slots.map(({ DateTime }) => DateTime.slice(11, 16));

  // Saturday 2027-05-01; the nights in which clocks go forward (2027-03-13) and back (2027-11-06).
  test.each([
    ['2027-05-01', '2027-05-02', ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30', '04:00']],
    ['2027-03-13', '2027-03-14', ['00:00', '00:30', '01:00', '01:30', '03:00', '03:30', '04:00']],
    ['2027-11-06', '2027-11-07', ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30', '04:00']],
  ])(
    '%s: an hour fits at 23:30 and at midnight, and the drive begins at the evening',
    async (evening, morning, after) => {
      const late = starts(await search(evening)).filter((start) => start >= '22:00');
      expect(late).toEqual(['22:30', '23:00', '23:30']);
      expect(starts(await search(morning)).filter((start) => start < '22:00')).toEqual(after);

      const booked = slotIn(await account.book('Nia', `${evening}T23:30`));
      expect(booked.DateTime.slice(0, 16)).toBe(`${evening}T23:30`);
      const next = (await search(morning)).find(({ DateTime }) => DateTime.slice(11, 16) < '22:00');
      expect(next).toMatchObject({ DateTime: expect.stringContaining('T00:30') as string, DriveTimeMinutes: 0 });
      expect((await account.book('Nia', `${morning}T00:00`)).status).toBe(409);
      expect((await account.book('Nia', `${morning}T00:30`)).status).toBe(200);
    },
  );
});
