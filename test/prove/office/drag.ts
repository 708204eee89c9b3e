import type { Worker } from './worker.ts';

/** A free time for a visit on the day of the board: `09:15` and the id of its technician. */
interface Target {
  readonly time: string;
  readonly agent: string;
}

const MOVABLE = '.board [data-visit]:not([data-visit=""])';
/** The board is from here on, in pixels; on narrower screens the day is a list. */
const BOARD_WIDTH = 1024;

/** The free times of a technician on the day for a visit, by the form that does the same without a script. */
async function freeTimes({ page, baseUrl }: Worker, id: string, asked: { date: string; agent: string }) {
  const { date, agent } = asked;
  const answer = await page.request.get(`${baseUrl}/office/visit/${id}?move=1&from=${date}&agent=${agent}`);
  const values = [...(await answer.text()).matchAll(/name="time" value="([^"]+)"/g)].map(([, value = '']) => value);
  return values
    .filter((value) => value.startsWith(date))
    .map((value): Target => ({ time: value.slice(11, 16), agent: value.split(' ')[1] ?? '' }));
}

/** Quarters of an hour since midnight at which a visit of some quarters ends. */
function ends(time: string, length: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 4 + Math.floor(minutes / 15) + length;
}

/** Of the board, in the same quarters: no visit is dropped beyond it. */
async function boardEnd({ page }: Worker): Promise<number> {
  const board = page.locator('.board');
  const [first, quarters] = await Promise.all(['data-first', 'data-quarters'].map((name) => board.getAttribute(name)));
  return Number(first) * 4 + Number(quarters);
}

/** A visit that can be dragged, and a free time of another technician on its day. */
async function findVisit(worker: Worker): Promise<{ id: string; target: Target }> {
  const { page } = worker;
  for (let days = 0; days < 10; days++) {
    const date = (await page.locator('.board').getAttribute('data-date')) ?? '';
    const end = await boardEnd(worker);
    const rows = page.locator('.agent[data-agent]');
    const agents = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-agent') ?? ''));
    for (const item of await page.locator(MOVABLE).all()) {
      const id = (await item.getAttribute('data-visit')) ?? '';
      const home = await rowOf(worker, id);
      const length = Number(/\bspan-(\d+)/.exec((await item.getAttribute('class')) ?? '')?.[1]);
      for (const agent of agents.filter((each) => each !== home)) {
        const free = await freeTimes(worker, id, { date, agent });
        const target = free.find(({ time }) => ends(time, length) <= end);
        if (target) return { id, target };
      }
    }
    await page.locator('a[rel="next"]').click();
  }
  throw new Error('no visit has a free time with another technician on its day');
}

const itemOf = ({ page }: Worker, id: string) => page.locator(`.board [data-visit="${id}"]`);
const rowOf = (worker: Worker, id: string): Promise<string | null> =>
  worker.page.locator(`.agent:has([data-visit="${id}"])`).getAttribute('data-agent');
const placeOf = async (worker: Worker, id: string): Promise<string> =>
  `${await rowOf(worker, id)} ${/\bat-\d+/.exec((await itemOf(worker, id).getAttribute('class')) ?? '')?.[0]}`;

/** Drags a visit to a time of a technician, by the mouse. */
async function drop(worker: Worker, id: string, { time, agent }: Target): Promise<void> {
  const { page } = worker;
  const board = page.locator('.board');
  const [first, quarters] = await Promise.all(['data-first', 'data-quarters'].map((name) => board.getAttribute(name)));
  const from = await itemOf(worker, id).boundingBox();
  const row = await page.locator(`.agent[data-agent="${agent}"] .visits`).boundingBox();
  if (!from || !row) throw new Error('the board has no such visit or row');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const column = hours * 4 + Math.floor(minutes / 15) - Number(first) * 4;
  await page.mouse.move(from.x + 6, from.y + 6);
  await page.mouse.down();
  await page.mouse.move(row.x + (column * row.width) / Number(quarters) + 6, row.y + 8, { steps: 6 });
  await page.mouse.up();
}

/** A visit is dragged on the board: put back by Escape and by the link, refused on a taken time, and moved by Enter. */
export async function dragVisits(worker: Worker): Promise<void> {
  const { page, visitor } = worker;
  const { width, height, hasScript } = visitor.device;
  if (!hasScript || width < BOARD_WIDTH) return;
  // The whole board, as on a large screen.
  await page.setViewportSize({ width, height: 2_400 });
  await worker.open('');
  await worker.toWorkingDay();
  const { id, target } = await findVisit(worker);
  const home = await placeOf(worker, id);
  const dialog = page.locator('dialog');

  await drop(worker, id, target);
  await dialog.waitFor();
  visitor.expect((await placeOf(worker, id)) !== home, 'the board does not show where a visit would be');
  await visitor.look('office move by drag');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  visitor.expect((await placeOf(worker, id)) === home, 'Escape does not put the visit back');
  await drop(worker, id, target);
  await dialog.locator('a').click();
  await dialog.waitFor({ state: 'detached' });
  visitor.expect((await placeOf(worker, id)) === home, 'the link does not put the visit back');

  const taken = await takenTime(worker, id);
  await drop(worker, id, taken);
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[role="alert"]').waitFor();
  await visitor.look('office move that is refused');
  visitor.expect((await placeOf(worker, id)) === home, 'a refused visit is not where it was');

  await drop(worker, id, target);
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.notice.good, .notice.bad').waitFor();
  const notice = await page.locator('.notice').innerText();
  visitor.expect(notice.includes('moved'), `a visit that is dragged to a free time: ${notice}`);
  visitor.expect((await rowOf(worker, id)) === target.agent, 'the visit has not moved to the technician');
  visitor.expect((await itemOf(worker, id).getAttribute('data-time')) === target.time, 'the visit has another time');
  await worker.openVisit(itemOf(worker, id).locator('a').first());
  await page.waitForURL((url) => url.pathname === `/office/visit/${id}`);
  await page.setViewportSize({ width, height });
}

/** The time of another visit, when its technician is not free. */
async function takenTime(worker: Worker, id: string): Promise<Target> {
  const other = worker.page.locator(`${MOVABLE}:not([data-visit="${id}"])`).last();
  const agent = (await rowOf(worker, (await other.getAttribute('data-visit')) ?? '')) ?? '';
  return { agent, time: (await other.getAttribute('data-time')) ?? '' };
}
