import { type OpenedPage, hiddenFields, openPage, sendFrom } from './pages.ts';

/** Forms of a booking page, which are sent without opening one for each. */

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

/** Random marks of forms. */
const marks = function* () {
  for (let count = 0; ; count++) yield `${String(Date.now()).slice(-10)}${String(count).padStart(12, '0')}`;
};
const mark = marks();

/** The free starts of a service at a postal code, and what sends forms; `network` is the third number of 127.0.x.1. */
export async function openForms(link: string, { service, zip }: { readonly service: number; readonly zip: string }) {
  const chosen = `${link}?service=${service}&zip=${zip}`;
  const starts = startsIn(await openPage(chosen));
  const fields = hiddenFields((await openPage(`${chosen}&slot=${starts[0]}`)).text, 'book');
  const send = (network: number, more: Record<string, string>): Promise<OpenedPage> =>
    sendFrom(`127.0.${network}.1`, link, { ...fields, ...someone(), form: mark.next().value ?? '', ...more });
  return { link, starts, send };
}
