import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { groups } from '../../functions/index.ts';
import { readGuides } from '../../infra/docs-page/guides.ts';
import { startStack } from '../../infra/local/stack.ts';
import { type Unwanted, launchBrowser, watch } from './browser.ts';
import { filledIn } from './docs-page/filled-in.ts';
import { DESK, PHONE, firstScreenOf, jobsThatTouch } from './docs-page/welcome.ts';

const WAIT_MILLISECONDS = 120_000;
const SETTLE_MILLISECONDS = 20_000;

const JOBS = 10;
const LANGUAGES = 3;

/**
 * The documentation page in a browser: every guide and operation is listed, links between guides lead to them, a call
 * is sent with the key that was entered, and its answer is shown, on a phone too; no error in the console, no request
 * to another origin, and the key is kept nowhere.
 */
export async function docsPage(): Promise<boolean> {
  const browser = await launchBrowser('docs-page');
  if (!browser) return false;
  const folder = await mkdtemp(join(tmpdir(), 'docs-page-'));
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true });
  try {
    // A context of its own is a new user data directory too.
    const page = await browser.newPage({ viewport: DESK });
    page.setDefaultTimeout(WAIT_MILLISECONDS);
    const unwanted = watch(page, stack.baseUrl);
    const found = await tryOut(page, stack.baseUrl, stack.local.ApiKey);
    const unreadable = await findUnreadable(browser, stack.baseUrl);
    const filled = await filledIn(browser, stack.baseUrl);
    return report({ ...found, filled, unreadable, ...unwanted });
  } finally {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds of contrast and scrolling, on a phone and at a desk, in both schemes. */
async function findUnreadable(browser: Browser, baseUrl: string): Promise<string[]> {
  const found: string[] = [];
  for (const viewport of [PHONE, DESK])
    for (const colorScheme of ['light', 'dark'] as const) {
      // The policy of the page lets no other script in.
      const page = await browser.newPage({ viewport, colorScheme, bypassCSP: true });
      await page.goto(`${baseUrl}/docs`);
      await page.locator('main .markdown table').last().waitFor({ state: 'attached', timeout: WAIT_MILLISECONDS });
      // The layout changes until the styles are loaded.
      await page
        .waitForFunction('document.documentElement.scrollWidth === innerWidth', undefined, {
          timeout: SETTLE_MILLISECONDS,
        })
        .catch(() => found.push(`The page scrolls sideways at ${viewport.width} pixels.`));
      await page.evaluate(axe);
      const rules = '["color-contrast", "scrollable-region-focusable"]';
      const { violations } = (await page.evaluate(`axe.run(document, { runOnly: ${rules} })`)) as AxeResults;
      found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)));
      await page.close();
    }
  return found;
}

async function tryOut(page: Page, baseUrl: string, key: string) {
  await page.goto(`${baseUrl}/docs`);
  const entries = page.locator('aside a[href^="#tag/"][href*="/api/"]');
  await entries.nth(groups.flatMap(({ operations }) => operations).length - 1).waitFor({ state: 'attached' });
  const firstScreen = await firstScreenOf(page);
  const touching = await jobsThatTouch(page);
  const [titles, addresses] = [await entries.allTextContents(), await addressesOf(entries)];
  const operations = titles.map(
    (title, index) => `${addresses[index]?.split('/api/')[1]}: ${/^(.*?)\s*HTTP/i.exec(title)?.[1]}`,
  );
  const guides = (await page.locator('aside a[href^="#description/"]').allTextContents()).map((title) => title.trim());
  const links = await addressesOf(page.locator('main a[href^="#description/"]'));
  const counts = await Promise.all(links.map((link) => page.locator(`main [id$="/${link.slice(1)}"]`).count()));
  const lost = links.filter((_, index) => counts[index] === 0);

  await page.getByPlaceholder('fsk_…').first().fill(key);
  await page.locator('aside a', { hasText: 'Check the connection and key' }).click();
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
    const { localStorage, sessionStorage, indexedDB, document, location } = globalThis as unknown as Globals;
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, document.cookie, location.href]);
  });
  const found = await search(page);
  const isInView = await showsAnswerOnPhone(page);
  const brokenWords = await wordsBrokenOnPhone(page);
  return {
    firstScreen,
    touching,
    operations,
    guides,
    links: { count: links.length, lost },
    sent,
    found,
    isInView,
    brokenWords,
    keepsKey: kept.includes(key),
    kept,
  };
}

/** What the field above the page finds first, by words that no title has. */
async function search(page: Page): Promise<(string | null)[]> {
  const firstOf = async (words: string) => {
    await page.locator('#search').fill(words);
    return page.locator('#found a').first().getAttribute('href');
  };
  return [await firstOf('webhook signature'), await firstOf('reschedule')];
}

/** Whether the answer to the open operation is out of view on a phone, and scrolled into it when the call is sent. */
async function showsAnswerOnPhone(page: Page): Promise<boolean> {
  await page.setViewportSize(PHONE);
  const dialog = page.getByRole('dialog');
  const bottomOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box ? box.y + box.height : Infinity;
  };
  const isInView = async () =>
    (await bottomOf(dialog.getByText('"ResultCode"').last())) <= Math.min(await bottomOf(dialog), PHONE.height);
  if (await isInView()) return false;
  await page.getByRole('button', { name: /^Send post request/i }).click();
  for (let tries = 0; tries < 50; tries++) {
    if (await isInView()) return true;
    await setTimeout(100);
  }
  return false;
}

/** Headings of tables of one word that have two lines. */
async function wordsBrokenOnPhone(page: Page): Promise<string[]> {
  await page.setViewportSize(PHONE);
  return await page.locator('.markdown th').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const word = cell.textContent?.trim() ?? '';
      const range = cell.ownerDocument.createRange();
      range.selectNodeContents(cell);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return word && !word.includes(' ') && lines.size > 1 ? [word] : [];
    }),
  );
}

const addressesOf = (links: Locator): Promise<string[]> =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));

/** What is read of the browser's global object. */
interface Globals {
  readonly localStorage: object;
  readonly sessionStorage: object;
  readonly indexedDB: { databases(): Promise<object[]> };
  readonly document: { readonly cookie: string };
  readonly location: { readonly href: string };
}

type Found = Awaited<ReturnType<typeof tryOut>> &
  Unwanted & { readonly unreadable: string[]; readonly filled: Awaited<ReturnType<typeof filledIn>> };

function report(found: Found): boolean {
  const expected = groups.flatMap(({ operations }) => operations.map(({ name, title }) => `${name}: ${title}`));
  const guideTitles = [...readGuides().map(({ title }) => title), 'Every call'];
  const { phone, desk } = found.firstScreen;
  const checks: readonly (readonly [string, boolean, unknown])[] = [
    [
      `begins with what it is, ${JOBS} jobs and a first call in ${LANGUAGES} languages, all on the first screen`,
      isDeepStrictEqual(desk, { sentence: true, jobs: JOBS, code: LANGUAGES }),
      desk,
    ],
    ['keeps the jobs apart at 1280 pixels', found.touching.length === 0, found.touching],
    ['has the jobs on the first screen of a phone', phone.sentence && phone.jobs === JOBS, phone],
    [
      `lists all ${expected.length} operations by title`,
      isDeepStrictEqual(found.operations.sort(), expected.sort()),
      found.operations,
    ],
    ['lists the guides before them', isDeepStrictEqual(found.guides, guideTitles), found.guides],
    [
      'leads from guide to guide',
      found.links.count >= found.guides.length && found.links.lost.length === 0,
      found.links,
    ],
    ['sends a call with the key and shows its answer', found.sent.status === 200 && found.sent.hasKey, found.sent],
    [
      'fills in what changes nothing, and the example of the demo company by choice, for one operation',
      isDeepStrictEqual(found.filled, { first: false, chosen: true, next: '{}' }),
      found.filled,
    ],
    [
      'finds guides by the words of their texts',
      isDeepStrictEqual(found.found, ['#description/verify-a-call', '#description/move-a-visit']),
      found.found,
    ],
    [
      'scrolls sideways nowhere, has no contrast below WCAG AA, and no region that the keyboard cannot scroll',
      !found.unreadable.length,
      found.unreadable,
    ],
    ['scrolls to the answer on a phone', found.isInView, found.isInView],
    ['breaks no word of a table on a phone', found.brokenWords.length === 0, found.brokenWords],
    ['keeps the key in no storage, cookie or address', !found.keepsKey, found.kept],
    ['writes no error or warning to the console', found.messages.length === 0, found.messages],
    ['asks no other server', found.outside.length === 0, found.outside],
  ];
  for (const [name, holds, seen] of checks)
    process.stdout.write(`docs-page: ${name}: ${holds ? 'yes' : `NO: ${JSON.stringify(seen)}`}\n`);
  return checks.every(([, holds]) => holds);
}
