import type { Worker } from './worker.ts';

/** The name in the heading, and a phone number by which it is found. */
interface Known {
  readonly name: string;
  readonly phone: string;
}

/** The five jobs of a day in an office. */
export async function playJobs(worker: Worker, { name, phone }: Known): Promise<void> {
  const { page, visitor } = worker;
  await worker.job('see the day by technician', async () => {
    await worker.toWorkingDay();
    visitor.expect((await page.locator('.agent h2').count()) > 1, 'the day has no technicians');
  });
  await worker.job('answer a call', async () => {
    await worker.click('nav a[href="/office/clients"]');
    await page.locator('#q').fill(phone);
    await worker.click('form.search button');
    await page.locator('h1', { hasText: name }).waitFor();
  });
  await worker.job('move a visit', async () => {
    await worker.toWorkingDay();
    await worker.openVisit(page.locator('.visit.scheduled > a').last());
    await worker.click('a[href$="?move=1"]');
    await worker.click(page.locator('label:has(input[name="time"])').nth(1));
    await worker.click(visitor.button('move'));
    await worker.done();
  });
  await worker.job('see who owes', async () => {
    await worker.click('nav a[href="/office/money"]');
    await page.locator('tbody tr a[href^="tel:"]').first().waitFor();
  });
  await worker.job('find a duplicate', async () => {
    await worker.click('nav a[href="/office/tasks"]');
    await page.locator('li:has(> a[href^="/office/client/"] ~ a)').first().waitFor();
  });
}

/** A visit is moved with the keyboard alone. */
export async function moveByKeyboard(worker: Worker): Promise<void> {
  const { page, visitor } = worker;
  await worker.open('');
  await worker.toWorkingDay();
  await visitor.tabTo('.visit.scheduled > a');
  await page.keyboard.press('Enter');
  await page.locator('a[href$="?move=1"]').waitFor();
  await visitor.tabTo('a[href$="?move=1"]');
  await page.keyboard.press('Enter');
  await page.locator('input[name="time"]').first().waitFor();
  await visitor.tabTo('input[name="time"]');
  await page.keyboard.press('ArrowDown');
  await visitor.tabTo('form:has(input[name="action"][value="move"]) button');
  await page.keyboard.press('Enter');
  await worker.done();
}
