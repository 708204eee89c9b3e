import { serviceAgentEntity } from '../../lib/entities/service-agents.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import { Status, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { appointmentChanges } from '../../lib/store/appointments.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { agentChanges } from '../../lib/store/organizations/service-agents.ts';

const START = Date.UTC(2026, 0, 1, 14);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AGENTS = 20;

/** The first Monday of the two weeks that are a third booked. */
const LOADED = Date.UTC(2027, 2, 1);

const slot = (DayOfWeek: number) => ({
  DayOfWeek,
  NameOfDay: '',
  StartMinute: 480,
  Minutes: 540,
  StartDate: '',
  EndDate: '',
  ServiceCategoryName: '',
  PostalCodes: '10001',
});

/**
 * 20 agents on weekdays, 8:00 to 17:00, two weeks of whose time is booked to 30 %: 80 minutes in the morning and 80 in
 * the afternoon.
 */
export async function seedAgents(table: TableWriter, account: string): Promise<void> {
  const agents = Array.from({ length: AGENTS }, (_, index) =>
    serviceAgentEntity.blank({
      Id: index + 1,
      OrganizationId: 1,
      Created: START,
      Name: `Agent ${index + 1}`,
      Email: `agent${index + 1}@example.com`,
      TimeSlots: [1, 2, 3, 4, 5].map(slot),
    }),
  );
  await table.putMany(
    agents.flatMap((agent) => {
      const { change } = agentChanges({ account }, undefined, agent);
      return 'put' in change ? [change.put] : [];
    }),
  );
  const days = Array.from({ length: 14 }, (_, day) => LOADED + day * DAY).filter(
    (at) => new Date(at).getUTCDay() % 6 !== 0,
  );
  const calendars = days.flatMap((at) =>
    agents.map(({ Id: Agent }) => {
      const jobs = [15, 19].map((hour) => ({
        A: 900_000 + Agent,
        S: at + hour * HOUR,
        E: at + hour * HOUR + 80 * 60_000,
        P: [40.7484, -73.9967],
      }));
      const [Day, week] = [at, at - ((new Date(at).getUTCDay() + 6) % 7) * DAY].map((day) =>
        new Date(day).toISOString().slice(0, 10),
      ) as [string, string];
      return {
        ...layout.calendar.key({ account, organization: 1, week, day: Day, agent: Agent }),
        Agent,
        Day,
        Jobs: jobs,
        V: 1,
      };
    }),
  );
  await table.putMany(calendars);
}

/** The n-th appointment: 300 a day, five a contact, over but for every tenth. */
function appointmentNumber(id: number): AppointmentRecord {
  const blank = blankAppointment({
    Id: id,
    OrganizationId: 1,
    ContactId: 1 + Math.floor((id - 1) / 5),
    HashKey: `bench${String(id).padStart(17, '0')}`,
    Zone: 'America/New_York',
    Created: START,
  });
  const Start = START + Math.floor((id - 1) / 300) * DAY + (id % 300) * 60_000;
  const agent = { ServiceAgentId: (id % AGENTS) + 1, ServiceAgentName: `Agent ${(id % AGENTS) + 1}` };
  return {
    ...blank,
    ...agent,
    Start,
    Duration: 60,
    ServiceId: 1,
    ServiceName: 'Service 0',
    Total: 50,
    Status: id % 10 ? Status.Completed : Status.Queued,
    ActualStart: Start,
  };
}

/** Puts appointments `from` to `through`, in batches; each has changed a second after the one before. */
export async function seedAppointments(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  for (let first = from; first <= through; first += 250) {
    const made = Array.from({ length: Math.min(250, through - first + 1) }, (_, index) =>
      appointmentNumber(first + index),
    );
    const changes = made.flatMap(
      (after) =>
        appointmentChanges({ account }, { before: undefined, after, now: new Date(START + after.Id * 1000) }).changes,
    );
    await table.putMany(changes.flatMap((change) => ('put' in change ? [change.put] : [])));
  }
  await table.putMany([{ ...layout.lease.key({ account, kind: 'Appointment' }), Last: through + 10_000 }]);
}
