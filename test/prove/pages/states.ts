import { getDocumentProxy } from 'unpdf';
import { script } from '../../../lib/pages/script.ts';
import { style } from '../../../lib/pages/style.ts';
import { DAY } from '../../../lib/shared/time/time.ts';
import { evergreen, pageStates } from '../../support/page-states.ts';
import { pngPicture } from '../../support/uploads.ts';
import type { Company } from './company.ts';
import type { Visitor } from './visitor.ts';

/** Looks at every state of every page, as the pages render it. */
export async function walkStates(visitor: Visitor, baseUrl: string): Promise<void> {
  const { page, device } = visitor;
  const picture = pngPicture(640, 360);
  await page.route('**/c/assets/style.css', (route) => route.fulfill({ body: style, contentType: 'text/css' }));
  await page.route('**/c/assets/script.js', (route) => route.fulfill({ body: script, contentType: 'text/javascript' }));
  await page.route('**/picture-*', (route) => route.fulfill({ body: picture, contentType: 'image/png' }));
  let shown = '';
  await page.route('**/c/state', (route) => route.fulfill({ body: shown, contentType: 'text/html; charset=utf-8' }));
  for (const [name, html] of Object.entries(pageStates(device.language, evergreen))) {
    shown = html;
    await visitor.open(`${baseUrl}/c/state`);
    await visitor.look(`state: ${name}`);
    if (name.startsWith('invoice')) visitor.expect((await sheetsOf(visitor)) === 1, `state: ${name}: several sheets`);
  }
  await page.unrouteAll();
}

/** Sheets of paper that a page takes. */
async function sheetsOf({ page }: Visitor): Promise<number> {
  const printed = await page.pdf({ format: 'Letter' });
  return (await getDocumentProxy(new Uint8Array(printed))).numPages;
}

/** The links of records in states that no journey brings about, and a part of the way on from each. */
export async function recordStates(company: Company): Promise<(readonly [name: string, link: string, way: string])[]> {
  const line = { LineDescription: 'Mulch, 3 yards', Quantity: 3, UnitPrice: 60 };
  const option = (Name: string) => ({ ...line, ProposalOption: { Name } });
  const [plain, unchosen, partlyPaid, paid, voided, overdue, large, tentative, onTheWay, arrived] = await Promise.all([
    company.proposal({ ProposalLines: [line], DepositRequired: false }),
    company.proposal({ ProposalLines: [option('Good'), option('Best')] }),
    company.paidInvoice(100),
    company.paidInvoice(372.06),
    company.voidedInvoice(),
    company.invoice({ Date: new Date(Date.now() - 60 * DAY).toISOString().slice(0, 10), Terms: 'Net 15' }),
    company.invoice({ Lines: [{ Description: 'Stadium', Rate: 999_989_000, Qty: 1 }] }),
    company.tentativeVisit(),
    company.startedVisit(DAY / 24),
    company.startedVisit(-DAY / 24),
  ]);
  const pay = '[value="pay"]';
  return [
    ['record: proposal without options', plain.ClientUrl, '[value="accept"]'],
    ['record: proposal with an option to choose', unchosen.ClientUrl, 'input[name="option"]'],
    ['record: invoice partly paid', partlyPaid.ClientPayUrl, pay],
    ['record: invoice paid by the office', paid.ClientPayUrl, '.notice.good'],
    ['record: invoice voided', voided.ClientPayUrl, '[value="ask"]'],
    ['record: invoice overdue', overdue.ClientPayUrl, '.error'],
    ['record: invoice of more than can be paid', large.ClientPayUrl, 'main a[href^="tel:"]'],
    ['record: visit tentative', tentative.TrackingUrl, '[value="confirm"]'],
    ['record: visit on the way', onTheWay.TrackingUrl, 'main a[href^="tel:"]'],
    ['record: visit in progress', arrived.TrackingUrl, 'main a[href^="tel:"]'],
    ['record: link of nobody', `${company.baseUrl}/c/proposal/unknown`, 'main p'],
    ['record: booking elsewhere', `${company.bookingLink}?service=${company.service.Id}&zip=99501`, 'main a'],
  ];
}

/** Opens each record, and looks for its way on. */
export async function walkRecords(visitor: Visitor, states: Awaited<ReturnType<typeof recordStates>>): Promise<void> {
  for (const [name, link, way] of states) {
    await visitor.open(link);
    await visitor.look(name);
    visitor.expect((await visitor.page.locator(way).count()) > 0, `${name}: lacks ${way}`);
  }
}
