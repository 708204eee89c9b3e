import { DAY } from '../../lib/shared/time/time.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { openForms } from './booking-forms.ts';
import type { OpenedPage } from './pages.ts';
import type { Bookable } from './scheduling.ts';
import { onStack, testTable } from './stack/stack.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/** The booking page of a company, as clients see it. */

/** A service that clients book themselves. */
export const offered = { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true };

export const linkContext = ({ accountId }: Bookable) =>
  callerContext(testTable(), accountCaller(accountId, { role: 'Owner' }), new Date());

export const bookingLink = async (of: Bookable): Promise<string> => {
  const { booking = '' } = await listLinks(linkContext(of), 'organization', of.organizationId);
  return onStack(booking);
};

export const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** The link with which whoever booked follows the visit. */
export const visitLinkIn = ({ text }: OpenedPage): string =>
  /href="([^"]*\/c\/(?:visit|booked)\/[^"]+)"/.exec(text)?.[1] ?? '';

/** The forms of a company in Springfield, Illinois. */
export const bookingForms = async (company: Bookable, service = company.services['Lawn care'] ?? 0) =>
  openForms(await bookingLink(company), { service, zip: '62701' });
