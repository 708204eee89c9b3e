import { calendarWeeks } from '../../../lib/domain/scheduling/calendar.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import type { TableReader } from '../../../lib/store/dynamodb/table.ts';
import { layout } from '../../../lib/store/keys.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const TAKES_TIME = [1, 2, 3, 5];

interface Taken {
  readonly appointment: number;
  readonly agent: number;
  readonly start: number;
  readonly end: number;
}

const describe = ({ appointment, agent, start, end }: Taken): string =>
  `appointment ${appointment} of agent ${agent}, ${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;

/** What an appointment's item says it takes; others at it take the same time in these tests. */
function takenBy(item: Item): Taken[] {
  if (!TAKES_TIME.includes(item['Status'] as number)) return [];
  const start = item['Start'] as number;
  const agents = [
    item['ServiceAgentId'] as number,
    ...((item['AdditionalAgents'] as { ServiceAgentId: number }[] | undefined) ?? []).map(
      ({ ServiceAgentId }) => ServiceAgentId,
    ),
  ];
  return agents.map((agent) => ({
    appointment: item['Id'] as number,
    agent,
    start,
    end: start + (item['Duration'] as number) * MINUTE,
  }));
}

const daysOf = ({ start, end }: Taken): string[] =>
  Array.from({ length: Math.ceil(end / DAY) - Math.floor(start / DAY) }, (_, index) =>
    new Date((Math.floor(start / DAY) + index) * DAY).toISOString().slice(0, 10),
  );

/**
 * Reads the table beside all code of scheduling and says what is wrong: agents in two places at once, appointments
 * without reservation, reservations without appointment. `from` and `through` must hold every appointment.
 */
export async function wrongs(
  table: TableReader,
  account: string,
  { from, through }: { from: string; through: string },
): Promise<string[]> {
  const lease = await table.get(layout.lease.key({ account, kind: 'Appointment' }));
  const ids = Array.from({ length: Number(lease?.['Last'] ?? 0) }, (_, index) => index + 1);
  const keys = ids.map((id) => layout.appointment.key({ account, id }));
  const taken = (await table.getMany(keys)).flatMap(takenBy);
  const weeks = calendarWeeks({ start: Date.parse(from) - DAY, end: Date.parse(through) + 2 * DAY });
  const pages = await Promise.all(
    weeks.map((week) =>
      table.query({ partition: layout.calendar.of({ account, organization: 1, week }), consistent: true }),
    ),
  );
  const reserved = pages
    .flatMap(({ items }) => items)
    .flatMap((item) =>
      (item['Jobs'] as { A: number; S: number; E: number; H?: object }[])
        .filter(({ H: hold }) => !hold)
        .map(
          ({ A, S, E }) =>
            `${item['Day'] as string} ${describe({ appointment: A, agent: item['Agent'] as number, start: S, end: E })}`,
        ),
    );
  const expected = taken.flatMap((each) => daysOf(each).map((day) => `${day} ${describe(each)}`));
  const overlapping = taken.flatMap((one, index) =>
    taken
      .slice(index + 1)
      .filter((other) => one.agent === other.agent && one.start < other.end && other.start < one.end)
      .map((other) => `overlap: ${describe(one)} and ${describe(other)}`),
  );
  return [
    ...overlapping,
    ...expected.filter((each) => !reserved.includes(each)).map((each) => `no reservation: ${each}`),
    ...reserved.filter((each) => !expected.includes(each)).map((each) => `no appointment: ${each}`),
    ...reserved.filter((each, index) => reserved.indexOf(each) !== index).map((each) => `reserved twice: ${each}`),
  ];
}
