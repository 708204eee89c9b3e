import { queueWorker } from '../../lib/api/workers.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import { fetchPublic } from '../../lib/shared/web/fetch-public.ts';
import { readCalendars } from '../../lib/workflows/private-events/read-calendars.ts';

const MEGABYTE = 1024 * 1024;

const fetch = (address: string, headers: Readonly<Record<string, string>>) =>
  fetchPublic(address, {
    headers,
    allowLoopback: process.env['STAGE'] === 'local',
    maxBytes: 5 * MEGABYTE,
    timeoutMilliseconds: 20 * SECOND,
  });

export const calendars = queueWorker({
  name: 'calendars',
  description: 'Reads the own calendars of service agents, so that no slot is offered while they are busy',
  needs: ['table:write', 'expiries:write', 'callbacks:sign'],
  // An agent has at most 3 calendars, and the worst of 5 MB takes 12 s: 2 · 3 · 12 s are less than the time of a run.
  // Ten minutes later the schedule sends every agent again.
  queue: { batchSize: 2, maximumConcurrency: 5, timeoutSeconds: 120, maxReceiveCount: 3 },
  run: (table, messages, options) => readCalendars(table, messages, options, { fetch, readKey: readCallbackKey }),
});
export const { handler } = calendars;
