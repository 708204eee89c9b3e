import { createHash } from 'node:crypto';

/** Addresses that are secrets: whoever has one can read what is there. */

/** The name of an address: eight characters of its hash, which do not lead back to it. */
export const addressId = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 8);

/** What people see of an address: its host, and its name. */
export const shownAddress = (address: string): string => `https://${new URL(address).host}/…${addressId(address)}`;
