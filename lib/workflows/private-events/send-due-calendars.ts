import type { BatchOptions } from '../../shared/batch.ts';
import type { SendMessages } from '../../shared/queues.ts';
import { CALENDAR_SHARDS, agentCalendarsKey, listCalendarEntries } from '../../store/agent-calendars.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { type ListOutcome, workOffList } from '../work-off-list.ts';

/**
 * Sends the agents of all accounts with own calendars to the queue that reads them. Safe to repeat: a calendar that is
 * read twice has the same times. An agent whom the queue does not take is read ten minutes later.
 */
export function sendDueCalendars(
  table: PatientTable,
  { deadline }: BatchOptions,
  send: SendMessages,
): Promise<ListOutcome> {
  const patient = table.until(deadline);
  const shards = Array.from({ length: CALENDAR_SHARDS }, (_, shard) => async (after: string | undefined) => {
    const { entries, next } = await listCalendarEntries(patient, { shard, after });
    // A page is sent at once.
    return { entries: [entries], next };
  });
  return workOffList(shards, { deadline }, async (entries) => {
    const messages = entries.map((entry) => ({
      queue: 'calendars' as const,
      message: agentCalendarsKey({ account: entry.Account }, entry),
    }));
    const unsent = await send(messages);
    if (unsent.length) throw new Error(`${unsent.length} agents could not be sent to the queue of calendars.`);
    return entries.length > 0;
  });
}
