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
  await worker.openVisit(page.locator('.visit.scheduled > a').first());
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
  await worker.openVisit(page.locator('.visit.scheduled > a').first());
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
  await walkMoney(worker, look);
  await worker.open('/numbers');
  await look('numbers');
  for (let index = 0; index < (await page.locator('details > summary').count()); index++)
    await visitor.openDetails(index);
  await look('numbers as tables');
  await walkDayPlan(worker, look);
  await worker.open('/switch');
  await look('organizations');
  await worker.open('/nothing');
  await look('page that is not there');
}

type Look = (state: string) => Promise<void>;

/** The order of tomorrow; on a day with visits it is applied and undone. */
async function walkDayPlan(worker: Worker, look: Look): Promise<void> {
  const { visitor } = worker;
  await worker.open('/dayplan');
  await look('order of the day');
  if (!(await visitor.button('apply').count())) return;
  await visitor.button('apply').click();
  await worker.done();
  await look('order of the day as applied');
  await visitor.button('undo').click();
  await worker.done();
  await look('order of the day as before');
}

async function walkMoney(worker: Worker, look: Look): Promise<void> {
  const { page, visitor } = worker;
  await worker.open('/money');
  await look('money');
  await page.locator('a[href="/office/payments"]').click();
  await look('payments');
  await worker.open('/payments?from=2020-01-01&through=2020-01-31');
  await look('no payments');
  await worker.open('/payments?from=2020-02-01&through=2020-01-01');
  await look('payments of no period');
  await worker.open('/money');
  await page.locator('a[href="/office/remind"]').click();
  await visitor.openDetails();
  await look('reminders');
  await visitor.button('remind').click();
  await page.locator('main [role="status"]').waitFor();
  await look('reminded');
}

/** What is done for a client on pages of its own. */
async function walkClientPages(worker: Worker, look: Look, client: string): Promise<void> {
  const { page, visitor } = worker;
  const invoice = page.locator('summary:has(+ form input[value="invoice"])');
  const fillInvoice = async (rate: string) => {
    await invoice.click();
    await page.locator('input[name="what1"]').fill('Gutter guard');
    await page.locator('input[name="rate1"]').fill(rate);
    await visitor.button('invoice').click();
  };
  await page.goto(client);
  await fillInvoice('not a number');
  await page.locator('.notice.bad').waitFor();
  await look('invoice refused');
  await fillInvoice('120');
  await worker.done();
  await page.locator('summary:has(+ form input[value="pay"])').click();
  await page.locator('select[name="invoice"]').selectOption('');
  await page.locator('input[name="amount"]').fill('15');
  await visitor.button('pay').click();
  await worker.done();
  await look('client with an invoice and credit');

  await page.locator('a[href^="/office/propose/"]').click();
  await look('new proposal');
  await page.locator('select[name="template"]').selectOption({ index: 1 });
  await page.locator('form.search button').click();
  await visitor.button('propose').waitFor();
  await look('new proposal with its price');
  await visitor.button('propose').click();
  await worker.done();

  await page.locator('a[href^="/office/message/"]').click();
  await look('new message');
  await page.locator('select[name="about"]').focus();
  await visitor.tabTo('form.search button');
  await page.keyboard.press('Enter');
  await page.locator('blockquote').waitFor();
  await look('new message as it is sent');
  await visitor.tabTo('form:has(input[name="action"][value="send"]) button');
  await page.keyboard.press('Enter');
  await worker.done();
  await look('client with a message');
}

async function walkClient(worker: Worker, look: Look): Promise<void> {
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
  if ((await page.locator('input[name="time"]').count()) > 0) {
    await page.locator('label:has(input[name="time"])').first().click();
    await visitor.button('book').click();
    await worker.done();
    await look('client with a new visit');
  }
  await walkClientPages(worker, look, client);
}

/** What an owner does besides: merging clients. */
export async function walkMerge(worker: Worker): Promise<void> {
  const { page, visitor } = worker;
  const look = (state: string) => visitor.look(`office ${state}`);
  await worker.open('/money');
  await page.locator('tbody a[href^="/office/client/"]').first().click();
  await page.locator('a[href^="/office/merge/"]').click();
  await look('merge');
  await page.locator('#q').fill('an');
  await page.locator('form.search button').click();
  await visitor.button('merge').first().waitFor();
  await look('merge with clients found');
  await visitor.button('merge').first().click();
  await worker.done();
  await look('client who is merged');
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
