import type { OrganizationRecord } from '../organizations.ts';
import type { Position } from '../postal/miles.ts';
import type { ServiceRecord } from '../pricebook/records.ts';
import type { Calendar, Job, Work } from '../scheduling/calendar.ts';
import { greatCircleDriving } from '../scheduling/driving.ts';
import type { ServiceAgentRecord } from '../service-agents.ts';
import { holidaysOff, timeOffDays } from './days-off.ts';

/** An organization's calendar as scheduling takes it. `positionOf` gives the centre of a postal code. */
export const calendarOf = (
  organization: OrganizationRecord,
  agents: Iterable<ServiceAgentRecord>,
  jobs: readonly Job[],
  positionOf: (code: string) => Position | null,
): Calendar => ({
  zone: organization.Timezone,
  agents: [...agents].map((agent) => ({ agent, timeOff: agent.TimeOff.flatMap((stretch) => timeOffDays(stretch, organization.Timezone)) })),
  jobs,
  holidays: holidaysOff(organization.Holidays),
  postalCodes: organization.PostalCodes,
  startPosition: positionOf(organization.StartAddress?.Zip ?? ''),
  driveTimes: greatCircleDriving(),
});

const FIXED_LOCATION = 1;
const momentOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** A service to be done at a place, as scheduling takes it. */
export const workOf = (
  service: ServiceRecord,
  { minutes, zip, position, appointmentId }: { readonly minutes: number; readonly zip: string; readonly position: Position | null; readonly appointmentId?: number | undefined },
): Work => ({
  category: service.Category,
  fixedLocation: service.SchedulingMode === FIXED_LOCATION,
  seasonStart: momentOf(service.SeasonStart),
  seasonExpiration: momentOf(service.SeasonExpiration),
  minutes,
  postalCode: zip,
  position,
  appointmentId,
});
