import { createServer } from 'node:http';
import { createHash } from 'node:crypto';
import { listen } from '../../infra/local/ports.ts';

/** What a request asked for, and what it got. */
interface FeedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly status: number;
}

/** A host of calendars on this machine, which answers as Google does: with an ETag, and 304 for a version it knows. */
export interface FeedHost {
  readonly url: string;
  readonly requests: FeedRequest[];
  /** Sets what the host answers: a file, or a status without one. */
  serve(answer: string | number): void;
  stop(): Promise<void>;
}

export async function startFeedHost(first: string | number): Promise<FeedHost> {
  let answer = first;
  const requests: FeedRequest[] = [];
  const server = createServer((request, response) => {
    const etag = `"${createHash('sha256').update(String(answer)).digest('hex').slice(0, 16)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    const status = typeof answer === 'number' ? answer : isKnown ? 304 : 200;
    requests.push({ headers: request.headers, status });
    response.writeHead(status, { etag, 'content-type': 'text/calendar; charset=utf-8' });
    response.end(status === 200 ? answer : '');
  });
  const { endpoint, stop } = await listen(server);
  return { url: `${endpoint}/private-token/basic.ics`, requests, serve: (next) => void (answer = next), stop };
}

/** A file with these components, with the line ends of the format. */
export const calendarFile = (...components: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
    ...components,
    'END:VCALENDAR',
    '',
  ]
    .join('\n')
    .replaceAll('\n', '\r\n');

let events = 0;

/** An event with these lines; it has a UID, and a title that nobody must see. */
export const event = (...lines: readonly string[]): string =>
  [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID:')) ? [] : [`UID:event-${++events}@google.com`]),
    'DTSTAMP:20350101T000000Z',
    'SUMMARY:Dentist Dr. Confidential',
    'DESCRIPTION:Root canal\\, bring the x-rays',
    ...lines,
    'END:VEVENT',
  ].join('\n');
