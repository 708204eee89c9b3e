import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createDemo } from '../../../infra/cli/demo/create-demo.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { toLocalDate } from '../../../lib/shared/time/time.ts';
import { launchBrowser } from '../browser.ts';
import { type Device, Visitor } from '../pages/visitor.ts';
import { dragVisits } from './drag.ts';
import { moveByKeyboard, playJobs } from './jobs.ts';
import { walkDoor, walkMerge, walkStates } from './states.ts';
import { Worker } from './worker.ts';

const PHONE = { name: 'phone', width: 390, height: 844 };
const DESKTOP = { name: 'desktop', width: 1280, height: 900 };
/** Of the demo's first organization. */
const ZONE = 'America/New_York';
/** A desktop at 200 %, as the page sees it. */
const ZOOMED = { name: 'desktop at 200 %', width: 640, height: 450 };

/** Each size with and without script, in both languages, light and dark. */
const devices: readonly Device[] = [
  { ...DESKTOP, hasScript: true, language: 'en', scheme: 'light' },
  { ...DESKTOP, hasScript: false, language: 'es', scheme: 'dark' },
  { ...PHONE, hasScript: true, language: 'es', scheme: 'light' },
  { ...PHONE, hasScript: false, language: 'en', scheme: 'dark' },
  { ...ZOOMED, hasScript: true, language: 'en', scheme: 'light' },
];

const describeDevice = ({ name, hasScript, language, scheme }: Device): string =>
  `${name}, ${hasScript ? 'script' : 'no script'}, ${language}, ${scheme}`;

type Answer = Readonly<Record<string, unknown>>;

async function call({ local }: Stack, operation: string, body: object): Promise<Answer> {
  const answer = await fetch(`${local.BaseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'X-Api-Key': local.ApiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Of the first client of the demo. */
async function knownClient(stack: Stack): Promise<{ name: string; phone: string }> {
  const { Matches } = await call(stack, 'contacts/locate', { IdSearch: 1 });
  const [contact] = Matches as { Name: string; Company: string; Phone: string }[];
  const { Name = '', Company = '', Phone: phone = '' } = contact ?? {};
  return { name: Company || Name, phone };
}

/** The hours of today at which the first agent visits clients 1, 2, … besides what the demo has. */
const HOURS = ['08', '10', '12', '14', '16', '18'];

/** Books visits of today, also on a Sunday, of which a device starts, moves and cancels some. */
async function bookToday(stack: Stack): Promise<void> {
  const { OrganizationId } = stack.local;
  const { ServiceAgents } = await call(stack, 'organizations/details', { OrganizationId });
  const ServiceAgentId = (ServiceAgents as { Id: number }[])[0]?.Id;
  const today = toLocalDate(Date.now(), ZONE);
  for (const [index, hour] of HOURS.entries())
    await call(stack, 'appointments/book', {
      ContactId: index + 1,
      ServiceName: 'Window Cleaning',
      Quantity: 20,
      Slots: [{ DateTime: `${today}T${hour}:00`, ServiceAgentId }],
      SkipConflictChecks: true,
    });
}

/** A technician who has time on every day: those of the demo work in another town each day. */
async function hireTechnician(stack: Stack): Promise<void> {
  const { OrganizationId } = stack.local;
  const TimeSlots = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 420, Minutes: 720 }));
  const ServiceAgents = [{ Name: 'Dana Free', Email: 'dana.free@example.com', TimeSlots }];
  await call(stack, 'organizations/update', { OrganizationId, ServiceAgents });
}

/**
 * The office in a browser: the five jobs of a day on the demo with their clicks and seconds, a visit moved by keyboard
 * and by drag, and axe on every page and state. `--pictures <folder>` keeps a picture of each; `--device "phone"` plays
 * the devices whose description begins so, `--play drag` one part.
 */
export async function office(options: readonly string[]): Promise<boolean> {
  const valueOf = (option: string) => (options.includes(option) ? options[options.indexOf(option) + 1] : undefined);
  const pictures = valueOf('--pictures');
  const browser = await launchBrowser('office');
  if (!browser) return false;
  if (pictures) await mkdir(pictures, { recursive: true });
  const examined = new Set<string>();
  let findings = 0;
  try {
    for (const device of devices.filter((each) => describeDevice(each).startsWith(valueOf('--device') ?? '')))
      findings += await playDevice(browser, { device, pictures, examined }, valueOf('--play') ?? '');
  } finally {
    await browser.close();
  }
  return findings === 0;
}

/** Plays all on a demo of its own, and returns how much was found. */
async function playDevice(
  browser: Browser,
  arrival: { readonly device: Device; readonly pictures: string | undefined; readonly examined: Set<string> },
  part: string,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'office-'));
  const createCompany = async (table: Parameters<typeof createDemo>[0], now: Date) => ({
    ...(await createDemo(table, { now, size: 'full' })),
    isDemo: true,
  });
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true, createCompany });
  try {
    const known = await knownClient(stack);
    await bookToday(stack);
    await hireTechnician(stack);
    const { baseUrl } = stack;
    const visitor = await Visitor.arrive(browser, { ...arrival, baseUrl, origins: [stack.local.OfficeIssuer] });
    const worker = new Worker(visitor, baseUrl);
    await worker.open('/start?login_hint=luis.ortega@example.com');
    const plays = {
      jobs: () => playJobs(worker, known),
      keyboard: () => moveByKeyboard(worker),
      drag: () => dragVisits(worker),
      states: () => walkStates(worker),
      door: () => walkDoor(worker),
      merge: async () => {
        await worker.open('/start?login_hint=grace.holloway@example.com');
        await walkMerge(worker);
      },
    };
    for (const [name, play] of Object.entries(plays).filter(([each]) => each.startsWith(part)))
      await play().catch((error: unknown) =>
        visitor.findings.push(`${name} at ${visitor.page.url()}: ${String(error)}`),
      );
    await visitor.leave();
    const result = visitor.findings.length ? visitor.findings.join('\n  ') : 'nothing found';
    process.stdout.write(`office: ${describeDevice(arrival.device)}: ${visitor.looks} states: ${result}\n`);
    process.stdout.write(`  ${worker.figures.join('; ')}\n`);
    return visitor.findings.length;
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
