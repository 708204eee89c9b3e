import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ical, { type VEvent } from 'node-ical';
import { feedPeriod } from '../../lib/domain/calendar-feed.ts';
import { wordingOf } from '../../lib/pages/language.ts';
import { type FeedView, type FeedVisit, visitsFeed } from '../../lib/pages/visits-feed.ts';
import { isEqual } from '../../lib/shared/objects.ts';
import { DAY, HOUR, clockChanges } from '../../lib/shared/time/time.ts';
import { feedViewOf, feedVisitOf } from '../support/feed-views.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { type StackProcess, running } from '../support/stack/process.ts';

const run = promisify(execFile);
const say = (line: string): void => void process.stdout.write(`calendars: ${line}\n`);
const PROGRAMS = join(import.meta.dirname, 'calendars');

/** An event as each reader prints it. */
interface ReadEvent {
  readonly uid: string;
  readonly start: number;
  readonly end: number;
  readonly sequence: string;
  readonly status: string;
  readonly transparency: string;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
}

interface ReadFile {
  readonly file: string;
  readonly problems: readonly string[];
  readonly events: readonly ReadEvent[];
}

const toFiles = (output: string): ReadFile[] =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReadFile);

/** Python's icalendar, which pip fetches. */
async function readByPython(folder: string, calendars: string): Promise<ReadFile[]> {
  const venv = join(folder, 'venv');
  await run('python3', ['-m', 'venv', venv]);
  await run(join(venv, 'bin', 'pip'), ['install', '-q', 'icalendar==7.3.2']);
  const reader = join(PROGRAMS, 'read_calendars.py');
  return toFiles((await run(join(venv, 'bin', 'python'), [reader, calendars], { maxBuffer: 2 ** 28 })).stdout);
}

/** ical4j, which Maven fetches. */
async function readByJava(folder: string, calendars: string): Promise<ReadFile[]> {
  const project = join(folder, 'java');
  await mkdir(join(project, 'src/main/java'), { recursive: true });
  await cp(join(PROGRAMS, 'pom.xml'), join(project, 'pom.xml'));
  await cp(join(PROGRAMS, 'ReadCalendars.java'), join(project, 'src/main/java/ReadCalendars.java'));
  const build = ['-q', '-B', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
  await run('mvn', build, { cwd: project });
  const java = ['-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8', '-cp', 'target/classes:lib/*', 'ReadCalendars'];
  return toFiles((await run('java', [...java, calendars], { cwd: project, maxBuffer: 2 ** 28 })).stdout);
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value && 'val' in value ? String(value.val) : String(value ?? '');

function readByNode(file: string, text: string): ReadFile {
  const events = Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT');
  return {
    file,
    problems: [],
    events: events.map((event) => ({
      uid: event.uid,
      start: Number(event.start),
      end: Number(event.end),
      sequence: textOf(event.sequence),
      status: textOf(event.status),
      transparency: textOf(event.transparency),
      summary: textOf(event.summary),
      description: textOf(event.description),
      location: textOf(event.location),
    })),
  };
}

/** The feeds of a demo company under `npm start`: of each agent, and of the whole organization. */
async function demoFeeds({ local: { BaseUrl, ApiKey } }: StackProcess, data: string): Promise<Record<string, string>> {
  const answer = await fetch(`${BaseUrl}/api/serviceagents/all`, {
    method: 'POST',
    headers: { 'X-Api-Key': ApiKey, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { Matches } = (await answer.json()) as { readonly Matches: readonly { readonly CalendarUrl: string }[] };
  const show = ['infra/cli/bin.js', 'links', 'show', 'organization', '1', '--json'];
  const { stdout } = await run(process.execPath, show, { env: { ...process.env, FS_DATA: data } });
  const { calendar } = JSON.parse(stdout) as { readonly calendar: string };
  const addresses = [
    ['organization', calendar],
    ...Matches.map(({ CalendarUrl }, agent) => [`agent-${agent}`, CalendarUrl]),
  ];
  const feeds = addresses.map(async ([name, url = '']) => [`${name}.ics`, await (await fetch(url)).text()] as const);
  return Object.fromEntries(await Promise.all(feeds));
}

const NOW = new Date();

/** A visit at each change of the clocks of a zone in the period, and on each of its Mondays. */
function viewOfZone(zone: string): FeedView {
  const period = feedPeriod(NOW);
  const changes = clockChanges(period.start, period.end, zone).flatMap(({ at }) => [at - 4 * HOUR, at, at + 4 * HOUR]);
  const weeks = Array.from({ length: 30 }, (_, week) => period.start + week * 7 * DAY);
  const starts = [...changes, ...weeks].map((at) => Math.floor(at / HOUR) * HOUR);
  const visits = starts.map((start, index): FeedVisit => ({
    ...feedVisitOf(`${zone} ${index}`),
    uid: `visit-${index}`,
    start,
    end: start + HOUR,
  }));
  return { ...feedViewOf(''), zone, period, visits };
}

const wording = wordingOf('en', 'US');

/**
 * A zone under a name that no reader knows, so that it depends on what the calendar says of it. Each has its own: Python's
 * icalendar remembers zones by their names, across calendars.
 */
const anonymous = (text: string, zone: string, index: number): string =>
  text.replaceAll(zone, `Zone-of-calendar-${index}`);

/** What is in a calendar, before it was written. */
const expectedOf = ({ visits }: FeedView): Pick<ReadEvent, 'uid' | 'start' | 'end'>[] =>
  visits.map(({ uid, start, end }) => ({ uid, start, end }));

/**
 * Feeds of a demo company, hostile texts and all zones, read by node-ical, Python's icalendar and ical4j: each reads the
 * same, and at the same instants.
 */
export async function calendars(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'calendars-'));
  const files = join(folder, 'files');
  const data = join(folder, 'data');
  const stack = await running({ FS_DATA: data, FS_DEMO: 'full' });
  try {
    await mkdir(files);
    const zones = Intl.supportedValuesOf('timeZone').map(viewOfZone);
    const hostile: FeedView = {
      ...feedViewOf('x'),
      visits: hostileTexts.map((text, index) => ({ ...feedVisitOf(text), uid: `hostile-${index}` })),
    };
    const texts: Record<string, string> = {
      ...(await demoFeeds(stack, data)),
      'hostile.ics': visitsFeed(wording, hostile),
      ...Object.fromEntries(
        zones.map((view, index) => [`zone-${index}.ics`, anonymous(visitsFeed(wording, view), view.zone, index)]),
      ),
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(files, name), text);
    const read = { icalendar: await readByPython(folder, files), ical4j: await readByJava(folder, files) };
    return compare(texts, read, zones);
  } finally {
    await stack.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Readers leave out control characters and spaces at the end differently. node-ical leaves out quotes around a text, too,
 * and takes a backslash before an `n` for one before a line break; ical4j does the opposite.
 */
const plain = (text: string): string =>
  text
    .replaceAll(/\\+[\nn]/g, '\\n')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^["\s]+|["\s]+$/g, '');
const comparable = (event: ReadEvent): object => ({
  ...event,
  summary: plain(event.summary),
  description: plain(event.description),
  location: plain(event.location),
});

function compare(
  texts: Readonly<Record<string, string>>,
  read: Readonly<Record<string, readonly ReadFile[]>>,
  zones: readonly FeedView[],
): boolean {
  const faults: string[] = [];
  const byName = (files: readonly ReadFile[]) => new Map(files.map((each) => [each.file, each]));
  for (const [reader, files] of Object.entries(read)) {
    const found = byName(files);
    let events = 0;
    for (const [name, text] of Object.entries(texts)) {
      const file = found.get(name);
      events += file?.events.length ?? 0;
      for (const problem of file?.problems ?? ['is not read']) faults.push(`${reader}: ${name}: ${problem}`);
      const zone = zones[Number(/^zone-(\d+)/.exec(name)?.[1] ?? -1)];
      // node-ical knows the zones itself.
      const expected = zone ? expectedOf(zone) : readByNode(name, text).events.map(comparable);
      const actual = zone
        ? file?.events.map(({ uid, start, end }) => ({ uid, start, end }))
        : file?.events.map(comparable);
      const wrong = expected.filter((event) => !actual?.some((other) => isEqual(event, other)));
      if (expected.length !== actual?.length || wrong.length)
        faults.push(`${reader}: ${name} ${zone?.zone ?? ''}: ${JSON.stringify(wrong.slice(0, 2))}`);
    }
    say(`${reader} reads ${Object.keys(texts).length} calendars with ${events} events`);
  }
  for (const fault of faults.slice(0, 20)) say(fault);
  return faults.length === 0;
}
