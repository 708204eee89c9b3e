import type { Appointment } from '../../entities/appointments.ts';
import { html } from '../html.ts';
import { factList } from '../layout.ts';
import type { DayVisit } from './day.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import { visitTimes } from './today-page.ts';
import { seenFields } from './visit-page.ts';

type Place = Pick<DayVisit, 'start' | 'end' | 'window'> & { readonly agent: string };

export interface MoveView {
  readonly appointment: Appointment;
  /** The day of the board to which the form leads back. */
  readonly date: string;
  readonly zone: string;
  readonly client: string;
  readonly before: Place;
  readonly after: Place;
  /** What the form sends back: start, agent and window. */
  readonly value: string;
}

/** What a move changes, and the form that does it. The script of the board shows `#moving` in a dialog. */
export function movePage(frame: OfficeFrame, view: MoveView): string {
  const { wording } = frame;
  const { appointment, date, zone, client, before, after, value } = view;
  const start = (at: number) => `${wording.day(at, zone)}, ${wording.time(at, zone)}`;
  const promised = (place: Place) => wording.say('promised', { time: visitTimes(place, wording, zone) });
  const describe = (place: Place) =>
    html`${start(place.start)}<br />${place.agent} ${place.window && html`<br /><small>${promised(place)}</small>`}`;
  return officePage(frame, {
    title: wording.say('moveTitle'),
    place: '/office',
    content: html`<section id="moving">
      <h2 id="moving-title">
        ${wording.say('moveOf', { client: client || wording.say('visit', { id: appointment.AppointmentId }) })}
      </h2>
      ${factList([
        [wording.say('movedFrom'), describe(before)],
        [wording.say('movedTo'), describe(after)],
      ])}
      <p>${wording.say('moveMessage')}</p>
      ${officeForm(frame, 'move', [
        seenFields(appointment),
        hidden('date', date),
        hidden('time', value),
        html`<div class="actions">
          <button>${wording.say('move')}</button>
          <a class="button quiet" href="/office?date=${date}">${wording.say('leaveIt')}</a>
        </div>`,
      ])}
    </section>`,
  });
}
