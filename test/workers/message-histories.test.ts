import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPostalData } from '../../lib/domain/postal/localities.ts';
import { runHistory } from '../support/messages/message-history.ts';
import { seeded } from '../support/stream.ts';

/** `npm run prove -- messages` runs more. */
const HISTORIES = Number(process.env['MESSAGE_HISTORIES'] ?? 30);
const FIRST = Number(process.env['MESSAGE_SEED'] ?? 1);

beforeEach(async () => {
  await loadPostalData();
  vi.stubEnv('MESSAGES_FROM', 'notify.example.com');
  vi.stubEnv('MESSAGES_TEXT_ORIGIN', '+12125550199');
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test(`${HISTORIES} random histories tell who may be told, what holds, once, and all of it`, async () => {
  const failed: { readonly seed: number; readonly problems: readonly string[]; readonly log: readonly string[] }[] = [];
  let [sent, befallen] = [0, 0];
  const started = performance.now();
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const report = await runHistory(`history${seed}`, seeded(seed * 7_919), (now) => vi.setSystemTime(now));
    sent += report.sent;
    befallen += report.befallen;
    if (report.problems.length) failed.push({ seed, problems: report.problems, log: report.log });
  }
  const seconds = (performance.now() - started) / 1_000;
  if (process.env['MESSAGE_HISTORIES'])
    console.log(`messages: ${HISTORIES} histories in ${seconds.toFixed(1)} s, ${sent} sent, ${befallen} faults`);
  expect(failed.slice(0, 10), `${failed.length} of them`).toEqual([]);
  expect(sent).toBeGreaterThan(HISTORIES);
  expect(befallen).toBeGreaterThan(HISTORIES);
});
