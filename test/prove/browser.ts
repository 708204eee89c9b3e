import { existsSync } from 'node:fs';
import { type Browser, type Page, chromium } from 'playwright-core';

/** Where Debian and others have it; CHROMIUM names another. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Nothing but the page itself may cause a request. */
const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the browser; `undefined`, with a sentence on stderr, where none is installed. */
export async function launchBrowser(proof: string): Promise<Browser | undefined> {
  const { CHROMIUM } = process.env;
  const program = (CHROMIUM ? [CHROMIUM] : PROGRAMS).find((path) => existsSync(path));
  if (program) return chromium.launch({ executablePath: program, args: OPTIONS });
  process.stderr.write(
    `${proof}: no browser at ${CHROMIUM ?? PROGRAMS.join(', ')}. Install chromium, or name the program in CHROMIUM.\n`,
  );
  return undefined;
}

/** What the browser did that a page must not make it do. */
export interface Unwanted {
  readonly messages: string[];
  readonly outside: string[];
}

export function watch(page: Page, baseUrl: string): Unwanted {
  const [messages, outside]: [string[], string[]] = [[], []];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${baseUrl}/`) && !/^(data|blob):/.test(url)) outside.push(url);
  });
  return { messages, outside };
}
