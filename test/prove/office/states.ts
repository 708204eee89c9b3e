import type { Worker } from './worker.ts';

/** Every page and state of the office, as somebody who may do everything meets them. */
export async function walkStates(worker: Worker): Promise<void> {
  const { page, visitor } = worker;
  const look = (state: string) => visitor.look(`office ${state}`);
  await worker.open('');
  await worker.toWorkingDay();
  await look('day');
  await page.locator('.steps-of-days a[href^="/office/week"]').click();
  await look('week');

  await worker.open('');
  await worker.toWorkingDay();
  await page.locator('.visit.scheduled > a').first().click();
  await look('visit');
  const visit = page.url();
  await page.goto(`${visit}?move=1`);
  await page.locator('input[name="time"]').first().waitFor();
  await look('visit with times');
  await page.goto(visit);
  await visitor.button('start').click();
  await worker.done();
  await look('visit started');
  await visitor.button('finish').click();
  await worker.done();
  await look('visit done');

  await worker.open('');
  await worker.toWorkingDay();
  await page.locator('.visit.scheduled > a').first().click();
  await visitor.openDetails();
  await look('visit with its cancellation');
  await visitor.button('cancel').click();
  await worker.done();
  await look('visit canceled');
  await worker.open('');
  await worker.toWorkingDay();
  await look('day with a canceled visit');

  await worker.open('/clients');
  await look('clients');
  await page.locator('#q').fill('a');
  await page.locator('form.search button').click();
  await look('clients found');
  await worker.open('/clients?q=qqqqqq');
  await look('no client');
  await walkClient(worker, look);

  await worker.open('/tasks');
  await look('tasks');
  await worker.open('/money');
  await look('money');
  await worker.open('/nothing');
  await look('page that is not there');
}

async function walkClient(worker: Worker, look: (state: string) => Promise<void>): Promise<void> {
  const { page, visitor } = worker;
  await worker.open('/money');
  await page.locator('tbody a[href^="/office/client/"]').first().click();
  await look('client');
  for (let index = 0; index < (await page.locator('details > summary').count()); index++)
    await visitor.openDetails(index);
  await look('client with all forms');
  await page.locator('textarea[name="body"]').fill('The gate code is 4711.\n\nThe dog is friendly.');
  await visitor.button('note').click();
  await worker.done();
  await look('client with a note');
  const client = page.url();
  await visitor.openDetails(0);
  await page.goto(client);
  const summary = page.locator('summary:has(+ form input[value="pay"])');
  await summary.click();
  await page.locator('input[name="amount"]').fill('not a number');
  await visitor.button('pay').click();
  await page.locator('.notice.bad').waitFor();
  await look('payment refused');
  await page.locator('summary:has(+ form input[value="pay"])').click();
  await page.locator('input[name="amount"]').fill('1.50');
  await visitor.button('pay').click();
  await worker.done();
  await page.locator('summary:has(+ form input[value="task"])').click();
  await page.locator('input[name="description"]').fill('Call back about the deck');
  await visitor.button('task').click();
  await worker.done();
  await look('client with a task');
  await visitor.button('complete').first().click();
  await worker.done();

  await page.locator('a[href^="/office/book/"]').click();
  await look('new visit');
  await page.locator('select[name="service"]').selectOption({ index: 1 });
  await page.locator('form.search button').click();
  await look('new visit with times');
  if ((await page.locator('input[name="time"]').count()) === 0) return;
  await page.locator('label:has(input[name="time"])').first().click();
  await visitor.button('book').click();
  await worker.done();
  await look('client with a new visit');
}

/** The pages around a session: the sign-in, the choice of the local stack, and the end. */
export async function walkDoor(worker: Worker): Promise<void> {
  const { page, visitor } = worker;
  await worker.open('/sign-in');
  await visitor.look('office sign-in');
  await worker.open('');
  await page.locator('form[action="/office/sign-out"] button').click();
  // The local stack asks, where Amazon Cognito does not.
  await page.locator('button[name="logout"]').click();
  await page.waitForURL((url) => url.pathname === '/office/sign-in');
  await worker.open('');
  visitor.expect(new URL(page.url()).pathname === '/office/sign-in', 'the session goes on after signing out');
  await page.locator('a.button').click();
  visitor.expect(page.url().includes('/interaction/'), 'the user pool signs the next person in without asking');
}
