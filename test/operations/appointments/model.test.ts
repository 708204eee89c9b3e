import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrongs } from '../../support/oracles/calendar-checker.ts';
import { type Bookable, bookable, slotsIn, weekdays } from '../../support/scheduling.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);
const DAY = '2027-03-09';

/** What the model knows: of each appointment its id, its status and the half hour of the day at which it starts. */
interface Model {
  readonly appointments: { readonly id: number; status: number; at: number | null }[];
}

interface Real {
  readonly company: Bookable;
}

const [QUEUED, SCHEDULED, STARTED, COMPLETED, CANCELED] = [0, 1, 2, 3, 4];
const takes = (status: number) => [SCHEDULED, STARTED, COMPLETED].includes(status as 1);

const timeOf = (at: number) => `${DAY}T${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`;

/** Hours are 8 to 17, every appointment takes an hour. */
const isFree = ({ appointments }: Model, at: number, but?: number) =>
  at >= 16 &&
  at <= 32 &&
  appointments.every(
    (other, index) => index === but || !takes(other.status) || other.at === null || Math.abs(other.at - at) >= 2,
  );

const expected = (answer: TestAnswer, fine: boolean, what: string) =>
  expect([answer.status, what, fine ? '' : answer.body['ResultCode']], answer.text).toEqual([
    fine ? 200 : 409,
    what,
    fine ? '' : 409,
  ]);

/** An act on an appointment of the model, by its place; where there is none, nothing is done. */
abstract class Act implements fc.AsyncCommand<Model, Real> {
  readonly place: number;
  readonly at: number;

  constructor(place: number, at: number) {
    this.place = place;
    this.at = at;
  }

  check = ({ appointments }: Readonly<Model>) => appointments.length > 0;
  abstract act(model: Model, real: Real, index: number): Promise<void>;
  run = (model: Model, real: Real) => this.act(model, real, this.place % model.appointments.length);
  toString = () => `${this.constructor.name}(${this.place}, ${timeOf(this.at)})`;
}

class Book extends Act {
  override check = () => true;
  override run = async (model: Model, real: Real) => {
    const fine = isFree(model, this.at);
    const answer = await real.company.book('Ann', timeOf(this.at));
    expected(answer, fine, 'book');
    if (fine) model.appointments.push({ id: answer.body['AppointmentId'] as number, status: SCHEDULED, at: this.at });
  };
  act = () => Promise.resolve();
}

class Move extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    const over = of.status === COMPLETED || of.status === CANCELED;
    const fine = of.status !== QUEUED && (of.at === this.at || (!over && isFree(model, this.at, index)));
    expected(
      await company.call('appointments/update', { AppointmentId: of.id, Slots: [{ DateTime: timeOf(this.at) }] }),
      fine,
      'move',
    );
    if (fine) of.at = this.at;
  }
}

class Cancel extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    const fine = of.status < COMPLETED;
    expected(await company.call('appointments/cancel', { AppointmentId: of.id, CancelReasonId: 1 }), fine, 'cancel');
    if (fine) of.status = CANCELED;
  }
}

class Queue extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    const fine = of.status === SCHEDULED || of.status === CANCELED;
    expected(await company.call('appointments/queue', { AppointmentId: of.id }), fine, 'queue');
    if (fine) Object.assign(of, { status: QUEUED, at: null });
  }
}

class Unqueue extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    const fine = (of.status === QUEUED || of.status === CANCELED) && isFree(model, this.at, index);
    expected(await company.book('Ann', timeOf(this.at), { AppointmentId: of.id }), fine, 'unqueue');
    if (fine) Object.assign(of, { status: SCHEDULED, at: this.at });
  }
}

class Start extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    // Completed to Started is the reopening that an Owner may do; a Started one that is started stays so.
    const fine = of.status === SCHEDULED || of.status === STARTED || of.status === COMPLETED;
    expected(
      await company.call('appointments/update', { AppointmentId: of.id, Slots: [{ Status: STARTED }] }),
      fine,
      'start',
    );
    if (fine) of.status = STARTED;
  }
}

class Complete extends Act {
  async act(model: Model, { company }: Real, index: number) {
    const of = model.appointments[index];
    if (!of) return;
    const fine = of.status === SCHEDULED || of.status === STARTED || of.status === COMPLETED;
    expected(
      await company.call('appointments/update', { AppointmentId: of.id, Slots: [{ Status: COMPLETED }] }),
      fine,
      'complete',
    );
    if (fine) of.status = COMPLETED;
  }
}

const acts = [Book, Move, Cancel, Queue, Unqueue, Start, Complete].map((Kind) =>
  fc.tuple(fc.nat(9), fc.integer({ min: 14, max: 34 })).map(([place, at]) => new Kind(place, at)),
);

test(
  'any sequence of book, move, cancel, queue, start and complete takes the time that the model predicts',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...acts, ...acts.slice(0, 1)], { maxCommands: 40, size: 'max' }),
        async (commands) => {
          const company = await bookable({ agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
          const model: Model = { appointments: [] };
          await fc.asyncModelRun(() => ({ model, real: { company } }), commands);
          const found = await company.call('appointments/query', {});
          const byId = new Map(
            (found.body['Appointments'] as { AppointmentId: number; Status: number }[]).map((each) => [
              each.AppointmentId,
              each.Status,
            ]),
          );
          expect(model.appointments.map(({ id }) => byId.get(id))).toEqual(
            model.appointments.map(({ status }) => status),
          );
          const free = slotsIn(
            await company.call('appointments/slotsearch', {
              ContactId: company.contact,
              ServiceName: 'Lawn care',
              TargetDate: DAY,
              SlotWindowDays: 1,
            }),
          );
          const offered = Array.from({ length: 17 }, (_, index) => index + 16).filter((at) => isFree(model, at));
          expect(free.map(({ DateTime }) => DateTime.slice(0, 16))).toEqual(offered.map(timeOf));
          expect(await wrongs(testTable(), company.accountId, { from: DAY, through: DAY })).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
