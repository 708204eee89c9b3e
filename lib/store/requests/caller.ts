import type { Role } from '../../shared/roles.ts';
import type { CallerScope } from '../store.ts';

/** How string-typed moments are written: ISO 8601 with offset, or `3/8/2026 9:00:00 AM` for older clients. */
export type DateStyle = 'iso' | 'us';

/** The caller, according to the API key. */
export interface Caller extends CallerScope {
  readonly role: Role;
  /** The name of the queue position that `datasubscriber` operations use. */
  readonly subscriber: string;
  readonly keyName: string;
  /** The public part of the key. */
  readonly keyId: string;
  readonly dateStyle: DateStyle;
  /** Names of the channel and the campaign for new contacts that come without them; `''` for none. */
  readonly leadSource?: { readonly Channel: string; readonly Campaign: string };
  /** The shape of events in datasubscriber/fetch; standard if absent. */
  readonly feed?: 'standard' | 'flat';
}

/** The account itself as the caller, for work that no key asks for. Its events show `keyName` and `keyId`. */
export const accountCaller = (
  account: string,
  { role = 'ReadOnly', keyName = '', keyId = '' }: Partial<Pick<Caller, 'role' | 'keyName' | 'keyId'>> = {},
): Caller => ({ account, organizationId: null, role, subscriber: '', keyName, keyId, dateStyle: 'iso' });
