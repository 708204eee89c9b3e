import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Page, chromium } from 'playwright-core';
import { groups } from '../../functions/index.ts';
import { startStack } from '../../infra/local/stack.ts';

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
const WAIT_MILLISECONDS = 120_000;

/** What the browser did that the page must not make it do. */
interface Unwanted {
  readonly messages: string[];
  readonly outside: string[];
}

/**
 * The documentation page in a browser: every operation is listed, a call is sent with the key that was entered, and its
 * answer is shown; no error in the console, no request to another origin, and the key is kept nowhere.
 */
export async function docsPage(): Promise<boolean> {
  const { CHROMIUM } = process.env;
  const program = (CHROMIUM ? [CHROMIUM] : PROGRAMS).find((path) => existsSync(path));
  if (!program) {
    process.stderr.write(
      `docs-page: no browser at ${CHROMIUM ?? PROGRAMS.join(', ')}. Install chromium, or name the program in CHROMIUM.\n`,
    );
    return false;
  }
  const folder = await mkdtemp(join(tmpdir(), 'docs-page-'));
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true });
  // A context of its own is a new user data directory too.
  const browser = await chromium.launch({ executablePath: program, args: OPTIONS });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(WAIT_MILLISECONDS);
    const unwanted = watch(page, stack.baseUrl);
    const found = await tryOut(page, stack.baseUrl, stack.local.ApiKey);
    return report({ ...found, ...unwanted });
  } finally {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function watch(page: Page, baseUrl: string): Unwanted {
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

async function tryOut(page: Page, baseUrl: string, key: string) {
  await page.goto(`${baseUrl}/docs`);
  const paths = page.locator('aside a', { hasText: /\/api\// });
  await paths.nth(groups.flatMap(({ operations }) => operations).length - 1).waitFor({ state: 'attached' });
  const operations = (await paths.allTextContents()).flatMap((text) => /\/api\/([a-z/]+)/.exec(text.trim())?.[1] ?? []);

  await page.locator('input[type=text]').first().fill(key);
  await paths.filter({ hasText: '/api/test/echo' }).click();
  await page.getByRole('button', { name: /Test Request.*\/api\/test\/echo/ }).click();
  const [answer] = await Promise.all([
    page.waitForResponse(`${baseUrl}/api/test/echo`),
    page.getByRole('button', { name: /^Send post request/i }).click(),
  ]);
  // Only the answer of a call has this; the examples in the page have the fields alone.
  await page.getByText('200 OK').first().waitFor();
  await page.getByText('"ResultCode"').last().waitFor();
  const sent = { status: answer.status(), hasKey: (await answer.request().headerValue('x-api-key')) === key };
  const kept = await page.evaluate(async () => {
    const { localStorage, sessionStorage, indexedDB, document, location } = globalThis as unknown as Browser;
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, document.cookie, location.href]);
  });
  return { operations, sent, keepsKey: kept.includes(key), databases: kept };
}

/** What is read of the browser's global object. */
interface Browser {
  readonly localStorage: object;
  readonly sessionStorage: object;
  readonly indexedDB: { databases(): Promise<object[]> };
  readonly document: { readonly cookie: string };
  readonly location: { readonly href: string };
}

function report(found: Awaited<ReturnType<typeof tryOut>> & Unwanted): boolean {
  const expected = groups.flatMap(({ operations }) => operations.map(({ name }) => name));
  const checks: readonly (readonly [string, boolean, unknown])[] = [
    [
      `lists all ${expected.length} operations`,
      isDeepStrictEqual(found.operations.sort(), expected.sort()),
      found.operations,
    ],
    ['sends a call with the key and shows its answer', found.sent.status === 200 && found.sent.hasKey, found.sent],
    ['keeps the key in no storage, cookie or address', !found.keepsKey, found.databases],
    ['writes no error or warning to the console', found.messages.length === 0, found.messages],
    ['asks no other server', found.outside.length === 0, found.outside],
  ];
  for (const [name, holds, seen] of checks)
    process.stdout.write(`docs-page: ${name}: ${holds ? 'yes' : `NO: ${JSON.stringify(seen)}`}\n`);
  return checks.every(([, holds]) => holds);
}
