import type { Appointment } from '../../entities/appointments.ts';
import { type Content, html } from '../html.ts';
import type { DayVisit } from './day.ts';
import type { OfficeWording } from './wording.ts';

/** A free time of slotsearch. */
export interface FreeTime {
  /** What the form sends back: start, agent and window. */
  readonly value: string;
  readonly start: number;
  readonly window: DayVisit['window'];
  readonly agent: string;
  readonly driveMinutes: number;
}

export function toFreeTime(slot: Appointment): FreeTime {
  const { DateTime, ServiceAgentId, ServiceAgentName, ArrivalFrom, ArrivalThrough, DriveTimeMinutes } = slot;
  const hasWindow = ArrivalFrom !== null && ArrivalThrough !== null;
  return {
    value: [DateTime, ServiceAgentId, ...(hasWindow ? [ArrivalFrom, ArrivalThrough] : [])].join(' '),
    start: Date.parse(DateTime),
    window: hasWindow ? { from: Date.parse(ArrivalFrom), through: Date.parse(ArrivalThrough) } : null,
    agent: ServiceAgentName,
    driveMinutes: DriveTimeMinutes,
  };
}

/** In place of a window: the client is promised the start itself. */
export const EXACT = 'exact';

/** The slot of a value that a form sent back. An operation checks it. */
export function toSlot(value: string) {
  const [DateTime = '', agent = '', from, through] = value.split(' ');
  const asked = from && through ? { ArrivalFrom: from, ArrivalThrough: through } : {};
  const window = from === EXACT ? { ArrivalFrom: null, ArrivalThrough: null } : asked;
  return { DateTime, ServiceAgentId: Number(agent), ...window };
}

/** Free times by day, to choose one. */
export function timeChoices(
  wording: OfficeWording,
  { times, why }: { readonly times: readonly FreeTime[]; readonly why: string },
  zone: string,
): Content {
  if (!times.length)
    return html`<p>${wording.say('noTimes')}</p>
      ${why && html`<p lang="en">${why}</p>`}`;
  const days = Map.groupBy(times, ({ start }) => wording.day(start, zone));
  return [...days].map(
    ([day, offered]) =>
      html`<fieldset class="day">
        <legend>${day}</legend>
        <div class="times">
          ${offered.map(
            ({ value, start, window, agent, driveMinutes }) =>
              html`<label>
                <input type="radio" name="time" value="${value}" required />
                ${window ? wording.shortTimes(window.from, window.through, zone) : wording.time(start, zone)}
                <small>${agent}</small>
                ${driveMinutes > 0 && html`<small>${wording.say('drive', { minutes: driveMinutes })}</small>`}
              </label>`,
          )}
        </div>
      </fieldset>`,
  );
}
