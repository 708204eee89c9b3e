import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPostalData } from '../../lib/domain/postal/localities.ts';
import { runHistory } from '../support/messages/message-history.ts';
import { seeded } from '../support/stream.ts';
import { endSimulation, simulateStage } from '../support/messages/environment.ts';

/** `npm run prove -- messages` runs more. */
const HISTORIES = Number(process.env['MESSAGE_HISTORIES'] ?? 30);
const FIRST = Number(process.env['MESSAGE_SEED'] ?? 1);

beforeEach(async () => {
  await loadPostalData();
  simulateStage();
});
afterEach(endSimulation);

test(`${HISTORIES} random histories: each message goes to whom it may, about the current state, once, and none is lost`, async () => {
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
