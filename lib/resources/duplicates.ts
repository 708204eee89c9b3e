import { type Output, described, id, list, nested, resource, text, numbered } from './fields.ts';

/** Reasons why two contacts are probably the same. */
export const pairReasons = ['phone', 'address', 'email'] as const;
export type PairReason = (typeof pairReasons)[number];

/** What distinguishes two contacts; contacts/locate has the rest. */
export const PairedContact = resource('PairedContact', () => ({
  Id: id(),
  OrganizationId: id(),
  Name: text(200),
  Company: text(200),
  Email: text(254),
  Phone: text(50),
  AltPhone: text(50),
  Address1: text(200),
  City: text(200),
  Zip: text(50),
}));
export type PairedContact = Output<typeof PairedContact>;

/** Two contacts that are probably the same person. */
export const DuplicatePair = resource('DuplicatePair', () => ({
  Contact: nested(PairedContact),
  Duplicate: nested(PairedContact),
  Reasons: described(
    list(numbered(pairReasons)),
    'phone: the same phone and name; address: the same address and last name; email: one mailbox, by case, alias, ' +
      'dots of Gmail or a misspelt domain, and names that agree.',
  ),
  Why: described(text(500), 'The reasons in words.'),
}));
export type DuplicatePair = Output<typeof DuplicatePair>;
