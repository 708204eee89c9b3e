import type { Company } from './company.ts';
import type { Visitor } from './visitor.ts';

export type Journey = (visitor: Visitor, company: Company) => Promise<void>;

const text = async ({ page }: Visitor, selector: string): Promise<string> => page.locator(selector).innerText();

/** Chooses the better option, forgets the name, draws where that is possible, and signs. */
const sign: Journey = async (visitor, company) => {
  const { page, device } = visitor;
  const { Id, ClientUrl } = await company.proposal();
  await visitor.open(ClientUrl);
  await visitor.look('proposal open');
  await page.locator('input[name="option"][type="radio"]').nth(1).check();
  if (!device.hasScript) await page.locator('form[data-live] button').click();
  await page.locator('.option.chosen', { hasText: 'Best' }).waitFor();
  const name = page.locator('input[name="name"]');
  await name.fill('  ');
  await page.evaluate('document.querySelectorAll("form").forEach((form) => (form.noValidate = true))');
  await visitor.button('accept').click();
  await page.locator('#name-error').waitFor();
  await visitor.look('proposal without a name');
  await name.fill('Ana María Díaz');
  if (device.hasScript) {
    const box = await page.locator('canvas').boundingBox();
    if (!box) throw new Error('There is nowhere to draw.');
    await page.locator('canvas').scrollIntoViewIfNeeded();
    const at = (await page.locator('canvas').boundingBox()) ?? box;
    await page.mouse.move(at.x + 20, at.y + 60);
    await page.mouse.down();
    for (const [x, y] of [
      [60, 20],
      [90, 80],
      [130, 30],
      [180, 70],
    ] as const)
      await page.mouse.move(at.x + x, at.y + y, { steps: 4 });
    await page.mouse.up();
  }
  await visitor.button('accept').click();
  await page.locator('.proof').waitFor();
  await visitor.look('proposal accepted');
  const after = await company.details(Id);
  visitor.expect(after.Status === 'Accepted', `signing leaves the proposal ${after.Status}`);
  visitor.expect(after.SelectedSolution?.Name === 'Best', 'the option that was chosen is not the one that was signed');
  await page.locator('a.button:not(.quiet)').click();
  await page.locator('.totals').waitFor();
  await visitor.look('deposit invoice');
};

const signByKeyboard: Journey = async (visitor, company) => {
  const { page } = visitor;
  const { Id, ClientUrl } = await company.proposal();
  await visitor.open(ClientUrl);
  await visitor.tabTo('input[name="name"]');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Ana Keyboard');
  await visitor.tabTo('form:has(input[name="action"][value="accept"]) button:not([type="button"])');
  await page.keyboard.press('Enter');
  await page.locator('.proof').waitFor();
  visitor.expect((await company.details(Id)).Status === 'Accepted', 'the keyboard alone does not sign');
};

const decline: Journey = async (visitor, company) => {
  const { Id, ClientUrl } = await company.proposal();
  await visitor.open(ClientUrl);
  await visitor.openDetails();
  await visitor.page.locator('textarea[name="reason"]').fill('Too expensive');
  await visitor.look('proposal to decline');
  await visitor.button('decline').click();
  await visitor.page.locator('.notice').waitFor();
  await visitor.look('proposal declined');
  visitor.expect((await company.details(Id)).Status === 'Declined', 'declining does not decline');
};

/** Opens proposals that cannot be signed any more, and goes on to the one that replaces them. */
const tooLate: Journey = async (visitor, company) => {
  await visitor.open((await company.endedProposal(false)).ClientUrl);
  await visitor.look('proposal expired');
  visitor.expect((await visitor.button('accept').count()) === 0, 'an expired proposal can be signed');
  await visitor.open((await company.endedProposal(true)).ClientUrl);
  await visitor.look('proposal replaced');
  await visitor.page.locator('a.button:not(.quiet)').click();
  await visitor.button('accept').waitFor();
};

/** Presses a button of the stand-in of Stripe's page, and comes back. */
async function payThere({ page }: Visitor): Promise<void> {
  await page.locator('button[value="card"]').click();
  await page.locator('footer').waitFor();
}

const pay: Journey = async (visitor, company) => {
  const { ClientPayUrl } = await company.invoice();
  await visitor.open(ClientPayUrl);
  await visitor.look('invoice open');
  await visitor.button('pay').click();
  await payThere(visitor);
  await visitor.look('invoice paid');
  visitor.expect((await visitor.button('pay').count()) === 0, 'a paid invoice can be paid again');
};

const saveCard: Journey = async (visitor, company) => {
  const { UpdatePaymentOnFileUrl } = await company.contact();
  await visitor.open(UpdatePaymentOnFileUrl);
  await visitor.look('no card on file');
  await visitor.button('save-card').click();
  await payThere(visitor);
  await visitor.look('card on file');
  visitor.expect((await text(visitor, 'main')).includes('4242'), 'the card that was saved is not shown');
};

const follow: Journey = async (visitor, company) => {
  const { page } = visitor;
  const { TrackingUrl, AppointmentId } = await company.visit();
  await visitor.open(TrackingUrl);
  await visitor.look('visit booked');
  await visitor.openDetails();
  await page.locator('details form[method="get"] button').click();
  await page.locator('input[name="slot"]').first().check();
  await visitor.look('visit to move');
  await visitor.button('move').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('visit moved');
  await visitor.openDetails();
  await page.locator('textarea[name="message"]').fill('Could you come in the afternoon?');
  await visitor.button('another-time').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('visit asked for another time');
  await visitor.openDetails(1);
  await page.locator('select[name="cancelReason"]').selectOption({ index: 1 });
  await visitor.look('visit to cancel');
  await visitor.button('cancel').click();
  await page.locator('.state.canceled').waitFor();
  await visitor.look('visit canceled');
  visitor.expect((await company.statusOf(AppointmentId)) === 4, 'canceling does not cancel');
};

let callers = 0;

const book: Journey = async (visitor, company) => {
  const { page, device } = visitor;
  await visitor.open(`${company.bookingLink}?utm_source=proof`);
  await visitor.look('booking service');
  await page.locator(`input[name="service"][value="${company.service.Id}"]`).check();
  await page.locator('input[name="zip"]').fill(company.zip);
  await page.locator('main form button').click();
  await page.locator('input[name="slot"]').first().waitFor();
  await page.locator('a[rel="next"]').click();
  const day = page.locator('.month a').nth(2);
  const name = await day.getAttribute('aria-label');
  await day.click();
  visitor.expect((await text(visitor, '.day legend')) === name, 'a day of the month does not show its times');
  await visitor.look('booking times');
  await page.locator('input[name="slot"]').first().check();
  await page.locator('main form button').first().click();
  await page.locator('input[name="email"]').waitFor();
  await visitor.look('booking details');
  const email = `${device.name}.${device.language}.${device.scheme}@example.com`;
  // Each device is another person.
  const phone = `(804) 555-${String(2000 + ++callers)}`;
  const fields = { name: 'Luis Ortega', email, phone, address: '5 Elm Street', city: 'Richmond' };
  for (const [name, value] of Object.entries(fields)) await page.locator(`input[name="${name}"]`).fill(value);
  await visitor.button('book').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('booking done');
  const contact = await company.contactOf(email);
  visitor.expect(contact?.['UtmSource'] === 'proof', 'booking loses the marketing source');
  const link = await page.locator('a.button:not(.quiet)').getAttribute('href');
  await visitor.open(link ?? '');
  visitor.expect((await text(visitor, 'main')).includes(company.service.Name), 'the booked visit is not followed');
};

/** Mistypes the postal code, then gives one where nobody comes, and leaves who it is. */
const leaveLead: Journey = async (visitor, company) => {
  const { page, device } = visitor;
  const search = async (zip: string): Promise<void> => {
    await page.locator(`input[name="service"][value="${company.service.Id}"]`).check();
    await page.locator('input[name="zip"]').fill(zip);
    await page.locator('main form button').click();
  };
  await visitor.open(company.bookingLink);
  await search('ABC');
  await page.locator('#zip-error').waitFor();
  await visitor.look('booking with a wrong postal code');
  await search(company.zipOutside);
  await visitor.button('lead').waitFor();
  await visitor.look('booking outside the area');
  const email = `lead.${device.name}.${device.language}.${device.scheme}@example.com`;
  await page.locator('input[name="name"]').fill('Lea Outside');
  await visitor.button('lead').click();
  await page.locator('#phone-error').waitFor();
  await visitor.look('booking outside the area without a phone');
  await page.locator('input[name="email"]').fill(email);
  await visitor.button('lead').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('booking lead left');
  visitor.expect((await company.contactOf(email))?.['Zip'] === company.zipOutside, 'a lead is not stored');
};

const overview: Journey = async (visitor, company) => {
  const { page } = visitor;
  const { ContactId, ClientPayUrl } = await company.invoice();
  const { ClientUrl } = await company.proposal({ ContactId });
  await company.visit({ ContactId });
  const signed = await company.proposal({ ContactId });
  await company.sign(signed.Id);
  await visitor.open(ClientPayUrl);
  await page.locator('footer a[href*="/c/overview/"]').click();
  await page.locator('main a[href*="/c/visit/"]').waitFor();
  await visitor.look('overview');
  visitor.expect((await page.locator('main a[href*="/pdf"]').count()) === 1, 'the overview lacks the signed proposal');
  await page.locator(`main a[href*="${ClientUrl.replace(/^.*(?=\/c\/)/, '')}"]`).click();
  await page.locator('footer a[href*="/c/overview/"]').click();
  await page.locator('main a[href*="/c/preferences/"]').click();
  await page.locator('input[name="byEmail"]').waitFor();
  const idle = await company.contact();
  await visitor.open(idle.ClientUrl);
  await visitor.look('overview of one without anything');
};

const unsubscribe: Journey = async (visitor, company) => {
  const { page } = visitor;
  const { ClientUrl } = await company.proposal();
  await visitor.open(ClientUrl);
  await page.locator('footer a[href*="/c/preferences/"]').click();
  await visitor.look('preferences');
  await page.locator('input[name="byEmail"]').uncheck();
  await visitor.button('save-preferences').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('preferences saved');
  visitor.expect(!(await page.locator('input[name="byEmail"]').isChecked()), 'unsubscribing is not shown');
};

const feedback: Journey = async (visitor, company) => {
  const { page } = visitor;
  const { TipUrl, TrackingUrl } = await company.finishedVisit();
  await visitor.open(TrackingUrl);
  await visitor.look('visit finished');
  await visitor.open(TipUrl);
  await visitor.look('feedback');
  await page.locator('input[name="score"][value="9"]').check();
  await page.locator('textarea[name="note"]').fill('On time and friendly');
  await visitor.button('feedback').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('feedback given');
  await page.locator('input[name="tip"][value="other"]').check();
  await page.locator('input[name="amount"]').fill('0,20');
  await visitor.button('tip').click();
  await page.locator('#amount-error').waitFor();
  await visitor.look('tip out of range');
  await page.locator('input[name="amount"]').fill('7,50');
  await visitor.button('tip').click();
  await payThere(visitor);
  await visitor.look('tip given');
  visitor.expect(/7[.,]50/.test(await text(visitor, 'main')), 'the tip that was given is not shown');
};

const askAgain: Journey = async (visitor, company) => {
  const { page } = visitor;
  await visitor.open(await company.expiredLink());
  await visitor.look('link over');
  await page.locator('input[name="from"]').fill('Ana, 804 555 0100');
  await page.locator('textarea[name="message"]').fill('Please send me a new link.');
  await visitor.button('ask').click();
  await page.locator('.notice.good').waitFor();
  await visitor.look('link over and asked');
};

/** What clients do, by name. */
export const journeys: Readonly<Record<string, Journey>> = {
  sign,
  signByKeyboard,
  decline,
  tooLate,
  pay,
  saveCard,
  follow,
  book,
  leaveLead,
  overview,
  unsubscribe,
  feedback,
  askAgain,
};
