import { scheduledWorker } from '../../lib/api/workers.ts';
import { sendDueCalendars } from '../../lib/workflows/private-events/send-due-calendars.ts';
import { sendMessages } from './sqs.ts';

export const dueCalendars = scheduledWorker({
  name: 'due-calendars',
  description: 'Sends every service agent with own calendars to the queue that reads them',
  needs: ['expiries:work', 'queues:send'],
  schedule: { everyMinutes: 10, timeoutMinutes: 5 },
  run: (table, options) => sendDueCalendars(table, options, sendMessages),
});
export const { handler } = dueCalendars;
