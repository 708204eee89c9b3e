import { DAY } from '../shared/time/time.ts';

/** The pages that a client opens by a link. A link opens one of them, of one record. */
const CLIENT_PAGES = ['proposal', 'invoice', 'visit', 'feedback', 'preferences', 'booking', 'card'] as const;
export type ClientPage = (typeof CLIENT_PAGES)[number];

/** What a link opens, and until when. */
export interface LinkTarget {
  readonly page: ClientPage;
  readonly account: string;
  /** Of the proposal, invoice, appointment, contact or organization. */
  readonly id: number;
  /** How often the links of the record were revoked when the link was made. */
  readonly generation: number;
  /** Days since 1970; the link is good to the end of that day, UTC. 0 of a page that shows nobody's data: no end. */
  readonly lastDay: number;
}

/**
 * The last day of links that are made at a moment: the same for 30 days, so that two answers of a month have the same
 * link, and 61 to 90 days ahead.
 */
const lastDayOfLinks = (now: number): number => (Math.floor(now / DAY / 30) + 3) * 30;

/** A booking link stands on the site of the company, and opens no record of a client: it ends only when revoked. */
const isEndless = (page: ClientPage): boolean => page === 'booking';

/** The last day of a link to a page that is made at a moment. */
export const lastDayOf = (page: ClientPage, now: number): number => (isEndless(page) ? 0 : lastDayOfLinks(now));

export const isExpired = ({ page, lastDay }: LinkTarget, now: number): boolean =>
  !isEndless(page) && Math.floor(now / DAY) > lastDay;

/** What is signed of a link: the page is part of it, so that no link opens another page of its record. */
export const signedText = ({ page, account, id, generation, lastDay }: LinkTarget): string =>
  `${page}/${account}-${id.toString(36)}-${generation.toString(36)}-${lastDay.toString(36)}`;

/** The path of a link with its signature, 22 characters of base64url. */
export const linkPath = (target: LinkTarget, signature: string): string => `/c/${signedText(target)}-${signature}`;

const HANDLE = /^([a-z0-9]{1,64})-([0-9a-z]{1,8})-([0-9a-z]{1,5})-([0-9a-z]{1,5})-([\w-]{22})$/;

/**
 * The parts of `/c/{page}/{handle}`; `undefined` for what is no link of ours. Whether it is signed is another matter.
 */
export function parseLink(page = '', handle = ''): { target: LinkTarget; signature: string } | undefined {
  const known = CLIENT_PAGES.find((each) => each === page);
  const [, account, id, generation, lastDay, signature] = HANDLE.exec(handle) ?? [];
  if (!known || !account || !id || !generation || !lastDay || !signature) return undefined;
  const number = (digits: string) => Number.parseInt(digits, 36);
  const target = { page: known, account, id: number(id), generation: number(generation), lastDay: number(lastDay) };
  return { target, signature };
}

/** Makes the address of a client page of a record; `""` for a caller that gets no links. */
export type ClientLink = (page: ClientPage, id: number, generation: number) => string;

export const NO_LINKS: ClientLink = () => '';
