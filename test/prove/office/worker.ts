import type { Locator } from 'playwright-core';
import type { Visitor } from '../pages/visitor.ts';

/** What a job of an office may take, from the page of today on. */
const CLICKS = 5;
const SECONDS = 30;

/** Somebody of the office, whose clicks and seconds are counted. */
export class Worker {
  readonly visitor: Visitor;
  readonly baseUrl: string;
  /** What each job took. */
  readonly figures: string[] = [];
  #clicks = 0;

  constructor(visitor: Visitor, baseUrl: string) {
    this.visitor = visitor;
    this.baseUrl = baseUrl;
  }

  get page() {
    return this.visitor.page;
  }

  open = (path: string): Promise<void> => this.visitor.open(`${this.baseUrl}/office${path}`);

  async click(target: string | Locator): Promise<void> {
    this.#clicks++;
    await (typeof target === 'string' ? this.page.locator(target).first() : target).click();
  }

  /** Clicks where a visit begins: the next one on the board covers the end of a short one. */
  async openVisit(link: Locator): Promise<void> {
    this.#clicks++;
    await link.click({ position: { x: 12, y: 12 } });
  }

  /** Plays a job from the page of today on. */
  async job(name: string, play: () => Promise<void>): Promise<void> {
    await this.open('');
    this.#clicks = 0;
    const since = performance.now();
    await play().catch((error: unknown) => this.visitor.findings.push(`${name}: ${String(error)}`));
    const seconds = (performance.now() - since) / 1_000;
    this.figures.push(`${name} ${this.#clicks} clicks, ${seconds.toFixed(1)} s`);
    this.visitor.expect(this.#clicks <= CLICKS, `${name}: ${this.#clicks} clicks`);
    this.visitor.expect(seconds <= SECONDS, `${name}: ${seconds.toFixed(1)} seconds`);
  }

  /** Goes on until a day has visits: nobody works on a Sunday. */
  async toWorkingDay(): Promise<void> {
    while ((await this.page.locator('.agent .visit').count()) === 0) await this.click('a[rel="next"]');
  }

  /** Waits for the notice that something is done. */
  done = (): Promise<void> => this.page.locator('.notice.good').waitFor();
}
