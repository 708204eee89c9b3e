import type { TimeSlot } from '../../lib/entities/service-agents.ts';
import {
  type AgentCalendar,
  type Calendar,
  type DayOff,
  type Job,
  type SearchWindow,
  type Work,
  ANYTIME,
  dayAt,
} from '../../lib/domain/scheduling/calendar.ts';
import { greatCircleDriving } from '../../lib/domain/scheduling/plans.ts';

/** Calendars with only what a test needs. */
export const NEW_YORK = 'America/New_York';

/** Weekly hours, every day by default 8:00–17:00. */
export const shift = (input: Partial<TimeSlot> = {}): TimeSlot => ({
  DayOfWeek: null,
  NameOfDay: '',
  StartMinute: 480,
  Minutes: 540,
  StartDate: '',
  EndDate: '',
  ServiceCategoryName: '',
  PostalCodes: '',
  ...input,
});

export const agent = (
  Id: number,
  input: Partial<AgentCalendar['agent']> & { timeOff?: readonly DayOff[] } = {},
): AgentCalendar => {
  const { timeOff = [], ...fields } = input;
  return { agent: { Id, Name: `Agent ${Id}`, StartDate: '', EndDate: '', TimeSlots: [shift()], ...fields }, timeOff };
};

export const calendar = (input: Partial<Calendar> = {}): Calendar => ({
  zone: NEW_YORK,
  agents: [agent(1)],
  jobs: [],
  holidays: [],
  postalCodes: '',
  startPosition: HERE,
  driveTimes: greatCircleDriving(),
  ...input,
});

export const HERE = { latitude: 40, longitude: -74 };

/** A place so many minutes' drive to the north, at 30 mph: a degree is 179.64 minutes. */
export const away = (minutes: number) => ({
  latitude: HERE.latitude + (minutes - 0.5) / 179.64,
  longitude: HERE.longitude,
});

export const work = (input: Partial<Work> = {}): Work => ({
  category: '',
  fixedLocation: false,
  seasonFirst: null,
  seasonLast: null,
  minutes: 60,
  postalCode: '10001',
  position: HERE,
  ...input,
});

export const at = (text: string): number => Date.parse(text);

export const window = (from: string, input: Partial<SearchWindow> = {}): SearchWindow => ({
  from: at(from),
  days: 1,
  now: 0,
  granularity: 60,
  timeframe: ANYTIME,
  ...input,
});

export const job = (start: string, end: string, input: Partial<Job> = {}): Job => ({
  appointmentId: 17,
  agentId: 1,
  start: at(start),
  end: at(end),
  position: HERE,
  ...input,
});

export const dayOff = (From: string, input: Partial<DayOff> = {}): DayOff => ({
  Name: 'Holiday',
  From,
  Through: From,
  StartMinute: null,
  Minutes: null,
  ...input,
});

export const dayIn = (zone: string, noon: string) => dayAt(at(noon), zone);
