import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { checkoutOrigin } from '../../../lib/payments/stripe.ts';
import { deadEnd } from '../../support/dead-ends.ts';
import { type Unwanted, watch } from '../browser.ts';

/** How somebody looks at the pages. */
export interface Device {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly hasScript: boolean;
  readonly language: 'en' | 'es';
  readonly scheme: 'light' | 'dark';
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe answers in the page. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function runAxe(page: Page): Promise<AxeResults> {
  await page.evaluate(axe);
  return (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
}

interface Arrival {
  readonly device: Device;
  readonly baseUrl: string;
  /** The folder in which pictures of the pages are kept. */
  readonly pictures: string | undefined;
  /** Of all visitors: the states that axe has examined. */
  readonly examined: Set<string>;
  /** Where else the pages may send the browser; clients pay on a page of the provider. */
  readonly origins?: readonly string[];
}

/** A client at a browser, who notes what is wrong with the pages. */
export class Visitor {
  readonly device: Device;
  readonly page: Page;
  readonly findings: string[] = [];
  /** Pages and states that were looked at. */
  looks = 0;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #unwanted: Unwanted;
  readonly #pictures: string | undefined;
  readonly #examined: Set<string>;
  readonly #origins: readonly string[];

  private constructor(
    browser: Browser,
    context: BrowserContext,
    page: Page,
    { device, baseUrl, pictures, examined, origins = [checkoutOrigin()] }: Arrival,
  ) {
    this.device = device;
    this.page = page;
    this.#browser = browser;
    this.#context = context;
    this.#unwanted = watch(page, baseUrl);
    this.#pictures = pictures;
    this.#examined = examined;
    this.#origins = origins;
  }

  static async arrive(browser: Browser, arrival: Arrival): Promise<Visitor> {
    const { width, height, hasScript, language, scheme } = arrival.device;
    const context = await browser.newContext({
      viewport: { width, height },
      javaScriptEnabled: hasScript,
      locale: language === 'en' ? 'en-US' : 'es-MX',
      colorScheme: scheme,
      hasTouch: width < 600,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return new Visitor(browser, context, page, arrival);
  }

  /** Notes what does not hold. */
  expect(holds: boolean, sentence: string): void {
    if (!holds) this.findings.push(sentence);
  }

  async open(link: string): Promise<void> {
    await this.page.goto(link);
  }

  /** Looks at a page or state: a way on, accessible, not wider than the screen, in the language of the browser. */
  async look(state: string): Promise<void> {
    this.looks++;
    const { page } = this;
    const language = await page.locator('html').getAttribute('lang');
    this.expect(language === this.device.language, `${state}: in the language ${language}`);
    const why = deadEnd(await page.content());
    this.expect(!why, `${state}: ${why}`);
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    this.expect(Number(wider) <= 0, `${state}: ${String(wider)} pixels wider than the screen`);
    const { violations } = await this.#examine(state);
    for (const { id, help, nodes } of violations)
      this.findings.push(`${state}: axe ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
    if (this.#pictures) {
      const { name, language: lang, scheme } = this.device;
      const path = join(this.#pictures, `${state.replaceAll(/\W+/g, '-')}.${name}.${lang}.${scheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }

  /** What axe finds, once for each size and scheme: the same elements in another language take as long again. */
  async #examine(state: string): Promise<AxeResults> {
    const { name, scheme, hasScript } = this.device;
    const key = `${state} ${name} ${scheme}`;
    if (this.#examined.has(key)) return { violations: [] };
    this.#examined.add(key);
    return hasScript ? runAxe(this.page) : this.#examineCopy();
  }

  /** What axe finds in a copy of the page in a browser with script: without, its timers never end. */
  async #examineCopy(): Promise<AxeResults> {
    const { width, height, scheme } = this.device;
    const context = await this.#browser.newContext({ viewport: { width, height }, colorScheme: scheme });
    try {
      const copy = await context.newPage();
      const body = (await this.page.content()).replace(/<script[^>]*><\/script>/g, '');
      await copy.route(this.page.url(), (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }));
      await copy.goto(this.page.url());
      return await runAxe(copy);
    } finally {
      await context.close();
    }
  }

  /** The button of the form that does `action`. */
  button = (action: string) =>
    this.page.locator(`form:has(input[name="action"][value="${action}"]) button:not([type="button"])`);

  /** Goes on with the keyboard alone until the focus is on what the selector names. */
  async tabTo(selector: string): Promise<void> {
    for (let count = 0; count < 80; count++) {
      await this.page.keyboard.press('Tab');
      if (await this.page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
    }
    throw new Error(`The keyboard does not reach ${selector}.`);
  }

  async openDetails(index = 0): Promise<void> {
    await this.page.locator('details > summary').nth(index).click();
  }

  /** Ends the visit; what the browser reported is a finding too. */
  async leave(): Promise<void> {
    // Chromium reports every answer of 400 or more as an error of the console.
    const messages = this.#unwanted.messages.filter(
      (text) => !text.includes('the server responded with a status of 4'),
    );
    this.expect(messages.length === 0, `console: ${messages.join(' | ')}`);
    const outside = this.#unwanted.outside.filter((url) => !this.#origins.includes(new URL(url).origin));
    this.expect(outside.length === 0, `requests to other hosts: ${outside.join(' ')}`);
    await this.#context.close();
  }
}
