import type { ContactRecord } from '../../entities/contacts.ts';
import { DAY, HOUR, firstInstantAt, toLocalDay } from '../../shared/time/time.ts';
import { type Postal, isUnitedStates } from '../postal/localities.ts';

/** Texts are sent from 8:00 to before 21:00 at the place of the contact, as the TCPA has it (47 CFR 64.1200(c)(1)). */
const [FIRST_HOUR, LAST_HOUR] = [8, 21];

/** When a text that is due `at` may be sent: at once, or at the next 8:00 of the zone. */
export function textMoment(at: number, zone: string): number {
  const day = toLocalDay(at, zone);
  const clock = (days: number, hour: number) => firstInstantAt((day + days) * DAY + hour * HOUR, zone);
  if (at >= clock(0, LAST_HOUR)) return clock(1, FIRST_HOUR);
  return Math.max(at, clock(0, FIRST_HOUR));
}

/** The country and the zone of an organization. */
interface Place {
  readonly Country: string;
  readonly Timezone: string;
}

/** The zone of a contact: that of its postal code if the United States have it, else the organization's. */
export function zoneOfContact(
  { Zip, Country }: Pick<ContactRecord, 'Zip' | 'Country'>,
  organization: Place,
  postal: Pick<Postal, 'find'>,
): string {
  const isInUs = isUnitedStates(Country.trim() || organization.Country);
  return (isInUs ? postal.find(Zip)?.timeZone : undefined) ?? organization.Timezone;
}
