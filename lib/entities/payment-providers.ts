import { type RecordOf, entity } from './entity.ts';
import { flag, id, moment, text, word } from './fields.ts';

/** How clients of a company, or of one organization, pay: the provider, and our keys there. */
export const paymentProviderEntity = entity('PaymentProvider', {
  /** 0 for all organizations that have no provider of their own. */
  OrganizationId: id(),
  Provider: word(['Stripe']),
  /** The secret key and the signing secret of the webhook, sealed (lib/shared/web/sealed-text.ts). */
  Keys: text({ required: true }),
  /** Whether the key is one for tests, with which no money moves. */
  IsTest: flag(),
  /** The last 4 characters of the secret key, by which people recognize it. */
  KeyEnd: text(),
  ConnectedAt: moment({ required: true }),
});
export type PaymentProviderRecord = RecordOf<typeof paymentProviderEntity>;
