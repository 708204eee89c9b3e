import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callContent } from '../../../lib/domain/appointments/call-content.ts';

const ZONE = 'America/Chicago';
const booking = { ContactId: 1, ServiceId: 2, Slots: [{ DateTime: '2027-03-09T09:00', ServiceAgentId: 3 }] };
const bookingAt = (DateTime: string) => ({ ...booking, Slots: [{ DateTime, ServiceAgentId: 3 }] });

describe('the content of a call', () => {
  test.each([
    ['a blank field and an absent one', { ...booking, Notes: '', AddOnParts: [], Quantity: null }],
    ['a field of the answer', { ...booking, IncludeContact: true, CallCenterTransactionId: 9 }],
    [
      'a display field of the slot',
      { ...booking, Slots: [{ ...booking.Slots[0], ServiceAgentName: 'Ann', Total: 50 }] },
    ],
  ])('is the same with %s', (_, other) => {
    expect(callContent(other, ZONE)).toEqual(callContent(booking, ZONE));
  });

  test('has lengths in minutes and names in one order', () => {
    const content = { ContactId: 1, Duration: 90 };
    expect(callContent({ ContactId: 1, Duration: '1h30m' }, ZONE)).toEqual(content);
    expect(JSON.stringify(callContent({ Duration: '90', ContactId: 1 }, ZONE))).toBe(JSON.stringify(content));
  });

  test.each([
    { ...booking, ContactId: 2 },
    { ...booking, Discount: 0 },
    { ...booking, Slots: [{ ...booking.Slots[0], CustomProperties: { gate: 1 } }] },
    { ...booking, AddOnParts: [{ PartId: 1, Quantity: 2 }] },
  ])('differs for %j', (other) => {
    expect(callContent(other, ZONE)).not.toEqual(callContent(booking, ZONE));
  });

  test('is the same for every way to write a moment, and differs for every other minute', () => {
    const minutes = fc.integer({ min: 0, max: 525_600 });
    const moment = (minute: number) => new Date(Date.UTC(2027, 0, 1, 0, minute));
    fc.assert(
      fc.property(minutes, minutes, (one, other) => {
        const iso = moment(one).toISOString();
        const forms = [iso, iso.replace('.000Z', 'Z'), iso.replace(':00.000Z', '+00:00')];
        const contents = forms.map((form) => callContent(bookingAt(form), ZONE));
        expect(contents[1]).toEqual(contents[0]);
        expect(contents[2]).toEqual(contents[0]);
        if (one !== other) expect(callContent(bookingAt(moment(other).toISOString()), ZONE)).not.toEqual(contents[0]);
      }),
    );
  });
});
