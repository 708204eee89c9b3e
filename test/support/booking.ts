import { DAY } from '../../lib/shared/time/time.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { type OpenedPage, hiddenFields, openPage, sendFrom } from './pages.ts';
import type { Bookable } from './scheduling.ts';
import { onStack, testTable } from './stack/stack.ts';

/** The booking page of a company, as clients see it. */

/** A service that clients book themselves. */
export const offered = { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true };

export const linkContext = ({ accountId }: Bookable) => ({
  table: testTable(),
  caller: accountCaller(accountId, { role: 'Owner' }),
  now: new Date(),
});

export const bookingLink = async (of: Bookable): Promise<string> => {
  const { booking = '' } = await listLinks(linkContext(of), 'organization', of.organizationId);
  return onStack(booking);
};

export const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

export const startsIn = ({ text }: OpenedPage): number[] =>
  [...text.matchAll(/name="slot" value="(\d+)"/g)].map(([, start]) => Number(start));

let clients = 0;
/** What another person types. */
export const someone = (more: object = {}): Record<string, string> => {
  const name = `Client ${++clients}`;
  return {
    name,
    email: `client${clients}@example.com`,
    phone: `217-555-${String(1000 + clients)}`,
    address: '5 Elm St',
    city: 'Springfield',
    ...more,
  };
};

/** The link with which whoever booked follows the visit. */
export const visitLinkIn = ({ text }: OpenedPage): string =>
  /href="([^"]*\/c\/(?:visit|booked)\/[^"]+)"/.exec(text)?.[1] ?? '';

/** Random marks of forms that are sent without being opened one by one. */
const marks = function* () {
  for (let count = 0; ; count++) yield `${String(Date.now()).slice(-10)}${String(count).padStart(12, '0')}`;
};
const mark = marks();

/** Sends booking forms of a page without opening one for each; `network` is the third number of 127.0.x.1. */
export async function bookingForms(company: Bookable, service = company.services['Lawn care']) {
  const link = await bookingLink(company);
  const chosen = `${link}?service=${service}&zip=62701`;
  const starts = startsIn(await openPage(chosen));
  const fields = hiddenFields((await openPage(`${chosen}&slot=${starts[0]}`)).text, 'book');
  const send = (network: number, more: Record<string, string>): Promise<OpenedPage> =>
    sendFrom(`127.0.${network}.1`, link, { ...fields, ...someone(), form: mark.next().value ?? '', ...more });
  return { link, starts, send };
}
