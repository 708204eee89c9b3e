/** The pages that clients open by links. A link opens one page of one record. */
export const CLIENT_PAGES = [
  'proposal',
  'invoice',
  'visit',
  // The visit without its confirmation: for whoever booked it, who may not be the reader of the e-mail.
  'booked',
  'feedback',
  'preferences',
  'booking',
  // The booking page for one contact.
  'rebook',
  'card',
  // Everything between a contact and the company: visits, open matters, documents.
  'overview',
  // A feed of visits for calendars: of a service agent, or of a whole organization.
  'calendar',
] as const;
export type ClientPage = (typeof CLIENT_PAGES)[number];

/** What a link opens, and until when. */
export interface LinkTarget {
  readonly page: ClientPage;
  readonly account: string;
  /** The id of the proposal, invoice, appointment, contact, organization or service agent; 0: WHOLE_ORGANIZATION. */
  readonly id: number;
  /** The organization of a calendar: service agents are stored under theirs. */
  readonly organization?: number | undefined;
  /** How many times the record's links had been revoked when the link was made. */
  readonly generation: number;
  /** The contact of the link, with its generation, if it has since been merged into the contact `id`. */
  readonly merged?: Pick<LinkTarget, 'id' | 'generation'>;
  /**
   * Days since 1970; the link works until the end of that day in UTC. 0 means no end, for a page that shows nobody's
   * data, and for a calendar, which asks again for years.
   */
  readonly lastDay: number;
}

/** The owner of a link: links on its page are that contact's, so that they reach no more than the link itself. */
export const ownLink = ({ id, generation, merged }: LinkTarget): Pick<LinkTarget, 'id' | 'generation'> =>
  merged ?? { id, generation };

/** Makes the address of a record's client page; `""` for a caller who must not get links. */
export type ClientLink = (page: ClientPage, id: number, generation: number, organization?: number) => string;

/** The calendar of a whole organization, as the id of a service agent. */
export const WHOLE_ORGANIZATION = 0;

/** The file of a calendar's address. */
export const FEED_FILE = 'visits.ics';

export const NO_LINKS: ClientLink = () => '';

/** Whether clients of an organization can pay on pages: it or its company has a provider. */
export type TakesPayments = (organization: number) => boolean;

export const NO_PAYMENTS: TakesPayments = () => false;
