/** The pages that a client opens by a link. A link opens one of them, of one record. */
export const CLIENT_PAGES = [
  'proposal',
  'invoice',
  'visit',
  // The visit without its confirmation: for whoever booked it, who need not be who reads the e-mail.
  'booked',
  'feedback',
  'preferences',
  'booking',
  // The booking page for one contact.
  'rebook',
  'card',
  // What a contact has with the company: its visits, what is open, its papers.
  'overview',
] as const;
export type ClientPage = (typeof CLIENT_PAGES)[number];

/** What a link opens, and until when. */
export interface LinkTarget {
  readonly page: ClientPage;
  readonly account: string;
  /** Of the proposal, invoice, appointment, contact or organization. */
  readonly id: number;
  /** How often the links of the record were revoked when the link was made. */
  readonly generation: number;
  /** Of a link of a contact that was merged into that of `id`: that contact, and its generation, as the link has them. */
  readonly merged?: Pick<LinkTarget, 'id' | 'generation'>;
  /** Days since 1970; the link is good to the end of that day, UTC. 0 of a page that shows nobody's data: no end. */
  readonly lastDay: number;
}

/** Whose link it is: its page leads on by links of that contact, so that they reach no more than it does. */
export const ownLink = ({ id, generation, merged }: LinkTarget): Pick<LinkTarget, 'id' | 'generation'> =>
  merged ?? { id, generation };

/** Makes the address of a client page of a record; `""` for a caller that gets no links. */
export type ClientLink = (page: ClientPage, id: number, generation: number) => string;

export const NO_LINKS: ClientLink = () => '';

/** Whether clients of an organization can pay on pages: it or its company has a provider. */
export type TakesPayments = (organization: number) => boolean;

export const NO_PAYMENTS: TakesPayments = () => false;
