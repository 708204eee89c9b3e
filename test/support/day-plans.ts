import { expect } from 'vitest';
import { type Bookable, type Setup, bookable, slotIn } from './scheduling.ts';
import type { TestAnswer } from './stack/stack.ts';

/** A company around Springfield, Illinois, with clients north and south of it, and a day that crosses town. */

/** A Monday. */
export const DAY = '2035-03-05';

/** Sherman in the north, Chatham in the south. */
export const NORTH = '62684';
export const SOUTH = '62629';
/** The visits of a day in an order that crosses town three times. */
export const CROSSING = [
  [NORTH, '09:00'],
  [SOUTH, '11:00'],
  [NORTH, '13:00'],
  [SOUTH, '15:00'],
] as const;

interface PlannedVisit {
  readonly AppointmentId: number;
  readonly DateTime: string;
  readonly ArrivalFrom: string | null;
  readonly Stays: string;
  readonly IsMoved: boolean;
  readonly DriveMinutes: number;
}

export interface DayPlan {
  readonly DriveMinutesBefore: number;
  readonly DriveMinutesAfter: number;
  readonly Agents: readonly {
    readonly ServiceAgentId: number;
    readonly ServiceAgentName: string;
    readonly DriveMinutesBefore: number;
    readonly DriveMinutesAfter: number;
    readonly Before: readonly PlannedVisit[];
    readonly After: readonly PlannedVisit[];
    readonly Why: string;
  }[];
  readonly Waiting: readonly { readonly AppointmentId: number; readonly Why: string }[];
  readonly Moves: number;
  readonly IsApplied: boolean;
  readonly Revision: string;
  readonly Undo: string;
  readonly Message: string;
}

export interface CrossTown extends Bookable {
  /** A contact by its postal code. */
  readonly clients: Readonly<Record<string, number>>;
  /** The ids of the visits, in the order of the day. */
  readonly visits: readonly number[];
  plan(more?: object): Promise<DayPlan>;
  /** A visit of an hour; in the window from 8 to 17 by default, `null` for an exact time. */
  visit(
    agent: string,
    zip: string,
    time: string,
    more?: { readonly window?: readonly [string, string] | null },
  ): Promise<number>;
}

export const planIn = ({ status, text, body }: TestAnswer): DayPlan => {
  expect(status, text).toBe(200);
  return body as unknown as DayPlan;
};

export const at = (time: string): string => `${DAY}T${time}`;

/** Ann at 9:00, 11:00, 13:00 and 15:00 in turn in the north and in the south, each at any time of the day. */
export async function crossTown(setup: Setup = {}): Promise<CrossTown> {
  const company = await bookable(setup);
  const clients: Record<string, number> = {};
  for (const zip of [NORTH, SOUTH]) {
    const made = await company.call('contacts/addupdate', {
      Name: `Client ${zip}`,
      Email: `c${zip}@example.com`,
      Zip: zip,
    });
    const [contact] = made.body['Matches'] as { Id: number }[];
    clients[zip] = contact?.Id ?? 0;
  }
  const visit: CrossTown['visit'] = async (agent, zip, time, { window = ['08:00', '17:00'] } = {}) => {
    const [from, through] = window ?? [];
    const slot = {
      DateTime: at(time),
      ServiceAgentId: company.agents[agent],
      ...(window ? { ArrivalFrom: at(from ?? ''), ArrivalThrough: at(through ?? '') } : {}),
    };
    const answer = await company.call('appointments/book', {
      ContactId: clients[zip],
      ServiceId: company.services['Lawn care'],
      Slots: [slot],
    });
    return slotIn(answer).AppointmentId;
  };
  const visits: number[] = [];
  for (const [zip, time] of CROSSING) visits.push(await visit('Ann', zip, time));
  const plan = async (more: object = {}) => planIn(await company.call('appointments/dayplan', { Date: DAY, ...more }));
  return { ...company, clients, visits, visit, plan };
}
