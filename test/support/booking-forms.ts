import { type OpenedPage, hiddenFields, openPage, sendFrom } from './pages.ts';

/** Forms of a booking page, which are sent without opening one for each. */

export const startsIn = ({ text }: OpenedPage): number[] =>
  [...text.matchAll(/name="slot" value="(\d+)"/g)].map(([, start]) => Number(start));

/** The links of a page whose addresses have a part, in order. */
export const linksIn = ({ text }: OpenedPage, part: string): string[] =>
  [...text.matchAll(/href="([^"]*)"/g)].flatMap(([, path = '']) =>
    path.includes(part) ? [path.replaceAll('&amp;', '&')] : [],
  );

/** The first free starts of a page with a service and a postal code, in order, as a client finds them: day by day. */
export async function freeStarts(chosen: string, count: number): Promise<number[]> {
  const starts: number[] = [];
  let month = await openPage(chosen);
  for (;;) {
    for (const day of linksIn(month, 'day=')) {
      starts.push(...startsIn(await openPage(new URL(day, chosen).href)));
      if (starts.length >= count) return starts.slice(0, count);
    }
    const next = linksIn(month, 'month=').at(-1);
    if (next === undefined || !month.text.includes('rel="next"')) return starts;
    month = await openPage(new URL(next, chosen).href);
  }
}

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

/** As many starts as forms of a test choose from. */
const OFFERED = 40;

/** The first free starts of a service at a postal code, and what sends forms; `network` is the third number of 127.0.x.1. */
export async function openForms(link: string, { service, zip }: { readonly service: number; readonly zip: string }) {
  const chosen = `${link}?service=${service}&zip=${zip}`;
  const starts = await freeStarts(chosen, OFFERED);
  const fields = hiddenFields((await openPage(`${chosen}&slot=${starts[0]}`)).text, 'book');
  const send = (network: number, more: Record<string, string>): Promise<OpenedPage> =>
    sendFrom(`127.0.${network}.1`, link, { ...fields, ...someone(), form: mark.next().value ?? '', ...more });
  return { link, starts, send };
}
