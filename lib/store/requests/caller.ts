import type { Role } from '../../shared/roles.ts';
import type { CallerScope } from '../store.ts';

/** How string-typed moments are written: ISO 8601 with offset, or `3/8/2026 9:00:00 AM` for older clients. */
export type DateStyle = 'iso' | 'us';

/** Who calls, by the API key. */
export interface Caller extends CallerScope {
  readonly role: Role;
  /** The name of the queue position that `datasubscriber` operations use. */
  readonly subscriber: string;
  readonly keyName: string;
  /** The public part of the key. */
  readonly keyId: string;
  readonly dateStyle: DateStyle;
  /** Names of the channel and the campaign of new contacts that come without; `''` for none. */
  readonly leadSource?: { readonly Channel: string; readonly Campaign: string };
  /** What events look like in datasubscriber/fetch; standard if absent. */
  readonly feed?: 'standard' | 'flat';
}

/** The account itself as the caller, for work that no key asks for. `keyName` and `keyId` stand in its events. */
export const accountCaller = (
  account: string,
  { role = 'ReadOnly', keyName = '', keyId = '' }: Partial<Pick<Caller, 'role' | 'keyName' | 'keyId'>> = {},
): Caller => ({ account, organizationId: null, role, subscriber: '', keyName, keyId, dateStyle: 'iso' });
