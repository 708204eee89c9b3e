import type { Locator, Page } from 'playwright-core';

/** A phone, where the answer of a call is below the request. */
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };
/** The narrowest screen that has the jobs in two columns beside the key. */
const LAPTOP = { width: 1280, height: 900 };

/** How much of the welcome a reader sees without scrolling: jobs on a phone, and jobs and code at a desk. */
export async function firstScreenOf(page: Page): Promise<Readonly<Record<'phone' | 'desk', FirstScreen>>> {
  const seenAt = async (size: typeof DESK): Promise<FirstScreen> => {
    await page.setViewportSize(size);
    const welcome = page.locator('main .introduction-description');
    const sentence = welcome.getByText('as one HTTP and JSON interface');
    await sentence.scrollIntoViewIfNeeded();
    const inView = (locator: Locator) =>
      locator.evaluateAll(
        (all, { width, height }) =>
          all.filter((each) => {
            const { top, right, bottom } = each.getBoundingClientRect();
            return (
              top >= 0 && right <= width && bottom > top && bottom <= height && each.scrollWidth <= each.clientWidth
            );
          }).length,
        size,
      );
    return {
      sentence: (await inView(sentence)) === 1,
      jobs: await inView(welcome.locator('ol').first().locator('li')),
      code: await inView(welcome.locator('.markdown').nth(1).locator('pre')),
    };
  };
  return { phone: await seenAt(PHONE), desk: await seenAt(DESK) };
}

interface FirstScreen {
  readonly sentence: boolean;
  readonly jobs: number;
  /** In how many languages the first call is there. */
  readonly code: number;
}

/** The jobs whose text reaches the number of the one beside it. A number is two letters wide, and outside its box. */
export async function jobsThatTouch(page: Page): Promise<string[]> {
  await page.setViewportSize(LAPTOP);
  const jobs = page.locator('main .introduction-description ol').first().locator('li');
  return await jobs.evaluateAll((all) => {
    const placed = all.map((job) => {
      const text = job.ownerDocument.createRange();
      text.selectNodeContents(job);
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const letter = parseFloat(job.ownerDocument.defaultView?.getComputedStyle(job).fontSize ?? '');
      return { name: job.textContent?.trim() ?? '', number: left - 2 * letter, left, right, top, bottom };
    });
    const isTouched = (job: (typeof placed)[number]) =>
      placed.some(
        ({ number, left, top, bottom }) =>
          left > job.left && number < job.right && top < job.bottom && bottom > job.top,
      );
    return placed.filter(isTouched).map(({ name }) => name);
  });
}
