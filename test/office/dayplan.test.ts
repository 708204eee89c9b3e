import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserRecord } from '../../lib/entities/users.ts';
import { type CrossTown, DAY, crossTown } from '../support/day-plans.ts';
import { type OfficeBrowser, makeUser, signedIn } from '../support/office.ts';
import { hiddenFields } from '../support/pages.ts';
import { slotIn } from '../support/scheduling.ts';

let company: CrossTown;
let user: UserRecord;
let browser: OfficeBrowser;
beforeEach(async () => {
  company = await crossTown();
  user = await makeUser(company, { role: 'Office', name: 'Olive Office' });
  browser = await signedIn(company, user);
});

const PAGE = `/office/dayplan?date=${DAY}`;

const times = () =>
  Promise.all(
    company.visits.map(async (AppointmentId) =>
      slotIn(await company.call('appointments/find', { AppointmentId })).DateTime.slice(11, 16),
    ),
  );
const BOOKED = ['09:00', '11:00', '13:00', '15:00'];
const PLANNED = ['09:00', '15:00', '13:00', '16:00'];

describe('the order of the day', () => {
  test('is linked from the day, shows both orders, and changes nothing', async () => {
    expect((await browser.open(`/office?date=${DAY}`)).text).toContain(`href="${PAGE}"`);
    const { status, text } = await browser.open(PAGE);
    expect(status).toBe(200);
    expect(text).toContain('188 min of driving, then 94');
    expect(text).toContain('Driving: 94 minutes less.');
    expect(text.match(/<span class="mark">moves<\/span>/g)).toHaveLength(2);
    expect(await times()).toEqual(BOOKED);
  });

  test('is applied as it was shown, once, and undone from any page of it within the hour', async () => {
    const { text } = await browser.open(PAGE);
    const fields = hiddenFields(text, 'apply');
    const [first, again] = [
      await browser.post('/office/dayplan', fields),
      await browser.post('/office/dayplan', fields),
    ];
    for (const answer of [first, again])
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${PAGE}&done=applied`]);
    expect(await times()).toEqual(PLANNED);
    const applied = await browser.open(`${PAGE}&done=applied`);
    expect(applied.text).toContain('The plan is applied.');
    expect(applied.text).toContain('No order of this day costs less driving.');
    expect((await browser.open('/office/dayplan?date=2035-03-06')).text).not.toContain('value="undo"');

    const undone = await browser.send(PAGE, 'undo');
    expect([undone.status, undone.headers.get('location')]).toEqual([303, `${PAGE}&done=undone`]);
    expect(await times()).toEqual(BOOKED);
    expect((await browser.open(PAGE)).text).not.toContain('value="undo"');
  });

  test('says why it is not applied once a visit has changed, and shows the plan of now', async () => {
    const { text } = await browser.open(PAGE);
    const [AppointmentId] = company.visits;
    await company.call('appointments/update', { AppointmentId, UpdateNote: 'Ring twice.' });
    const refused = await browser.post('/office/dayplan', hiddenFields(text, 'apply'));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`appointment ${AppointmentId} was changed`);
    expect(refused.text).toContain('188 min of driving, then 94');
    expect(await times()).toEqual(BOOKED);
  });

  test('keeps what was chosen, and speaks Spanish', async () => {
    const { text } = await browser.open(`${PAGE}&queue=1&across=1&lang=es`);
    expect(text).toContain('Orden del día');
    expect(text.match(/type="checkbox" name="(across|queue)" value="1" {2}checked/g)?.length).toBe(2);
    expect(hiddenFields(text, 'apply')).toMatchObject({ queue: '1', across: '1', date: DAY });
  });
});

describe('a user who may not plan', () => {
  let other: OfficeBrowser;
  beforeAll(async () => {
    company = await crossTown();
    other = await signedIn(company, await makeUser(company, { role: 'ServiceAgent', name: 'Ann' }));
  });

  test('finds neither the page nor its link', async () => {
    expect((await other.open(PAGE)).status).toBe(404);
    expect((await other.open(`/office?date=${DAY}`)).text).not.toContain('/office/dayplan');
  });
});
