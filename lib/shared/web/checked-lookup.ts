import { lookup as lookupHost } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicIp } from './public-hosts.ts';

/** Connections to hosts that somebody else chose: only to the public internet. */

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly { readonly address: string; readonly family: number }[]) => void,
) => void;

export const resolveByDns: Resolve = (hostname, done) =>
  lookupHost(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));

class ForbiddenAddress extends Error {}

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * Checks the addresses of a name while connecting, and connects to one of those. A name with any address that is not
 * public is refused.
 */
export const checkedLookup =
  (allowLoopback: boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, (error, addresses) => {
      const isAllowed = ({ address }: { address: string }) =>
        isPublicIp(address) || (allowLoopback && hostname === 'localhost' && isLoopback(address));
      const forbidden = addresses.find((found) => !isAllowed(found));
      const [first] = addresses;
      if (error) return done(error, '', 4);
      if (forbidden || !first) return done(new ForbiddenAddress(), '', 4);
      return options.all ? done(null, [...addresses]) : done(null, first.address, first.family);
    });

const FORBIDDEN = 'The host is not on the public internet.';

/** Why a connection failed, as a sentence. */
export function connectionError(error: Error): string {
  if (error instanceof ForbiddenAddress) return FORBIDDEN;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND') return 'The host was not found.';
  return code ? `No answer: ${code}.` : 'No answer.';
}
