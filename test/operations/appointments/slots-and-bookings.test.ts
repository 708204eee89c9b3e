import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';

/** One case, the same each time; `npm run prove -- random` tries others. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);
const DAYS = 2;

/** In Illinois, from no drive from Springfield, the start address, to one of more than two hours. */
const zip = fc.constantFrom('62701', '62629', '62703', '62650', '61701', '62521');

/** Half hours of a day at which work begins and ends in turn; often the midnights, so that stretches run over them. */
const changes = fc.uniqueArray(fc.oneof(fc.integer({ min: 0, max: 48 }), fc.constantFrom(0, 48)), { maxLength: 6 });

/** Up to three stretches on each day of the week. */
const hours = fc.tuple(...Array.from({ length: 7 }, () => changes)).map((days) =>
  days.flatMap((times, DayOfWeek) => {
    const sorted = times.toSorted((one, other) => one - other);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => {
      const [from = 0, to = 0] = sorted.slice(2 * index);
      return { DayOfWeek, StartMinute: from * 30, Minutes: (to - from) * 30 };
    });
  }),
);

const week = fc.record({
  /** A Monday, and the days before the clocks go forward and back. */
  first: fc.constantFrom('2027-05-03', '2027-03-13', '2027-11-06'),
  TimeSlots: hours,
  zip,
  minutes: fc.constantFrom(30, 60, 150),
  OpenTimeGranularity: fc.constantFrom(30, 60),
  bookings: fc.array(fc.record({ zip, start: fc.nat(DAYS * 48 - 1) }), { maxLength: 4 }),
});

/** `2027-03-09T09:30`, half hours after the midnight of a day. */
const clock = (first: string, halfHours: number): string =>
  new Date(Date.parse(`${first}T00:00Z`) + halfHours * 1_800_000).toISOString().slice(0, 16);

/** Books a start and gives it back: the drive, or nothing where it is refused. */
async function tryBooking(account: Bookable, DateTime: string): Promise<number | undefined> {
  const answer = await account.book('Nia', DateTime);
  if (answer.status !== 200) {
    // 400 for a time that the clock jumps over.
    expect([400, 409], answer.text).toContain(answer.status);
    return undefined;
  }
  const { AppointmentId, DriveTimeMinutes } = slotIn(answer);
  const canceled = await account.call('appointments/cancel', { AppointmentId, CancelReasonId: 1 });
  expect(canceled.status, canceled.text).toBe(200);
  return DriveTimeMinutes;
}

test('a start on the grid is offered exactly when book takes it, with its drive, whatever hours, drives and bookings', async () => {
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(week, async ({ first, TimeSlots, minutes, OpenTimeGranularity, bookings, ...where }) => {
      const account = await bookable({
        zip: where.zip,
        agents: [{ Name: 'Nia', Email: 'nia@example.com', TimeSlots }],
        services: [{ Name: 'Repair', BasePrice: 50, BaseDuration: minutes }],
        organization: { OpenTimeGranularity },
      });
      for (const [index, { zip: Zip, start }] of bookings.entries()) {
        const made = await account.call('contacts/addupdate', {
          Name: 'Ana Ruiz',
          Email: `ana${index}@example.com`,
          Zip,
        });
        const [{ Id: ContactId = 0 } = {}] = made.body['Matches'] as { Id: number }[];
        const skipped = await account.book('Nia', clock(first, start), { ContactId, SkipConflictChecks: true });
        expect([200, 400], skipped.text).toContain(skipped.status);
      }
      const search = { ContactId: account.contact, ServiceName: 'Repair', TargetDate: first, SlotWindowDays: DAYS };
      const slots = slotsIn(await account.call('appointments/slotsearch', search));
      offered += slots.length;
      const drives = new Map(slots.map(({ DateTime, DriveTimeMinutes }) => [DateTime.slice(0, 16), DriveTimeMinutes]));
      for (let half = 0; half < DAYS * 48; half += OpenTimeGranularity / 30) {
        const start = clock(first, half);
        expect(await tryBooking(account, start), start).toBe(drives.get(start));
      }
    }),
    { numRuns: RUNS, ...(RUNS === 1 && { seed: 1 }) },
  );
  expect(offered).toBeGreaterThan(0);
});
