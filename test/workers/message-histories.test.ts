import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runHistory } from '../support/messages/message-history.ts';
import { seeded } from '../support/stream.ts';

/** `npm run prove -- messages` runs more. */
const HISTORIES = Number(process.env['MESSAGE_HISTORIES'] ?? 30);
const FIRST = Number(process.env['MESSAGE_SEED'] ?? 1);

beforeEach(() => {
  vi.stubEnv('MESSAGES_FROM', 'notify.example.com');
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test(`${HISTORIES} random histories tell who may be told, what holds, once, and all of it`, async () => {
  const problems: string[] = [];
  let [sent, befallen] = [0, 0];
  const started = performance.now();
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const report = await runHistory(`history${seed}`, seeded(seed * 7_919), (now) => vi.setSystemTime(now));
    sent += report.sent;
    befallen += report.befallen;
    if (report.problems.length) problems.push(`history ${seed}:`, ...report.problems, ...(HISTORIES === 1 ? report.log : []));
  }
  const seconds = (performance.now() - started) / 1_000;
  if (process.env['MESSAGE_HISTORIES'])
    console.log(`messages: ${HISTORIES} histories in ${seconds.toFixed(1)} s, ${sent} sent, ${befallen} faults`);
  expect(problems.slice(0, 60)).toEqual([]);
  expect(sent).toBeGreaterThan(HISTORIES);
  expect(befallen).toBeGreaterThan(HISTORIES);
});
