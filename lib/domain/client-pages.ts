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
] as const;
export type ClientPage = (typeof CLIENT_PAGES)[number];

/** What a link opens, and until when. */
export interface LinkTarget {
  readonly page: ClientPage;
  readonly account: string;
  /** The id of the proposal, invoice, appointment, contact or organization. */
  readonly id: number;
  /** How many times the record's links had been revoked when the link was made. */
  readonly generation: number;
  /** The contact of the link, with its generation, if it has since been merged into the contact `id`. */
  readonly merged?: Pick<LinkTarget, 'id' | 'generation'>;
  /**
   * Days since 1970; the link works until the end of that day in UTC. 0 means no end, for a page that shows nobody's
   * data.
   */
  readonly lastDay: number;
}

/** The owner of a link: links on its page are that contact's, so that they reach no more than the link itself. */
export const ownLink = ({ id, generation, merged }: LinkTarget): Pick<LinkTarget, 'id' | 'generation'> =>
  merged ?? { id, generation };

/** Makes the address of a record's client page; `""` for a caller who must not get links. */
export type ClientLink = (page: ClientPage, id: number, generation: number) => string;

export const NO_LINKS: ClientLink = () => '';

/** Whether clients of an organization can pay on pages: it or its company has a provider. */
export type TakesPayments = (organization: number) => boolean;

export const NO_PAYMENTS: TakesPayments = () => false;
