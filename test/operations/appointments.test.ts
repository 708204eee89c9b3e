import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../support/failed.ts';
import { bookable, slotIn, slotsIn, times, weekdays, type Bookable } from '../support/scheduling.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({
    agents: [
      { Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() },
      { Name: 'Ben', Email: 'ben@example.com', TimeSlots: weekdays() },
      { Name: 'Cy', Email: 'cy@example.com', TimeSlots: weekdays({ ServiceCategoryName: 'Trees' }) },
    ],
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Mulch', BasePrice: 20, UnitPrice: 10, BaseDuration: 30, UnitDuration: 15 },
      { Name: 'Felling', Category: 'Trees', BasePrice: 400, BaseDuration: 240 },
    ],
  });
});

const search = (more: object) => company.call('appointments/slotsearch', { ContactId: company.contact, ServiceId: company.services['Lawn care'], SlotWindowDays: 1, ...more });

describe('appointments/slotsearch, appointments/book', () => {
  test('what is offered books, is gone from the next search, and books once', async () => {
    const asked = { TargetDate: '2027-03-09' };
    const before = slotsIn(await search(asked));
    expect(times(before).slice(0, 3)).toEqual(['08:00 Ann', '08:00 Ben', '08:30 Ann']);
    const [offered] = before;
    expect(offered).toMatchObject({ DateTime: '2027-03-09T08:00:00-06:00', DateTimeFormatted: 'Tue, Mar 9 2027 8:00 AM', Duration: 60, DurationFormatted: '1 hr', Total: 50, Status: null });
    const body = { ContactId: company.contact, ServiceId: company.services['Lawn care'], Slots: [offered] };
    const booked = slotIn(await company.call('appointments/book', body));
    expect(booked).toMatchObject({ DateTime: offered?.DateTime, Status: 1, ServiceAgentName: 'Ann', Total: 50, Duration: 60 });
    expect(booked.TrackingUrl).toMatch(/\/client\/appointment\/[0-9A-Za-z]{22}$/);
    expect(times(slotsIn(await search(asked))).slice(0, 3)).toEqual(['08:00 Ben', '08:30 Ben', '09:00 Ann']);
    const again = await company.call('appointments/book', body);
    expectFailure(again, 409);
    expect(again.body['Message']).toMatch(/^Slot taken: Ann is taken/);
  });
});
