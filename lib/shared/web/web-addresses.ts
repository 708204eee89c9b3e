import { BlockList, isIP, isIPv4 } from 'node:net';
import type { FieldError } from '../failure.ts';
import { isPublicHost } from './public-hosts.ts';

/** Web addresses of pages and callbacks; IP addresses, their ranges and networks. */

const MAX_CHARACTERS = 2048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * The URL parser drops tabs and line breaks and reads a backslash as a slash, so it would not read what was written.
 */
// eslint-disable-next-line no-control-regex
const MISLEADING = /[\s\u0000-\u001f\u007f-\u009f"'<>\\]/;

/** A URL as the URL standard writes it, or what is wrong with it. */
export type WebAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly error: string };

const failed = (error: string): WebAddress => ({ ok: false, error });

interface AddressRules {
  readonly schemes: readonly ('https:' | 'http:')[];
  /** How an error describes `schemes`. */
  readonly schemeError: string;
  /** Whether hosts of this machine are allowed, also over http. */
  readonly allowLoopback?: boolean;
  readonly allowPrivate?: boolean;
}

function parseAddress(text: string, { schemes, schemeError, allowLoopback, allowPrivate }: AddressRules): WebAddress {
  if (text.length > MAX_CHARACTERS) return failed(`must have at most ${MAX_CHARACTERS} characters`);
  if (MISLEADING.test(text) || !URL.canParse(text)) return failed('must be a URL such as https://example.com/page');
  const { protocol, username, password, hostname, href } = new URL(text);
  if (username || password) return failed('must not contain a user name or password');
  const isLoopback = allowLoopback === true && LOOPBACK.has(hostname);
  if (!schemes.includes(protocol as 'https:') && !(isLoopback && protocol === 'http:')) return failed(schemeError);
  if (!allowPrivate && !isLoopback && !isPublicHost(hostname))
    return failed(`must have a host of the public internet; ${hostname} is not one`);
  return { ok: true, address: href };
}

/** People click these links: only https and http are safe. */
const page: AddressRules = { schemes: ['https:', 'http:'], schemeError: 'must begin with https:// or http://' };

/**
 * The address of a page on the public internet. With `allowPrivate` it may be on a private network, as recordings of
 * phone systems often are; nothing of ours ever requests it.
 */
export const parseWebAddress = (text: string, { allowPrivate = false } = {}): WebAddress =>
  parseAddress(text, { ...page, allowPrivate });

/** An address that receives events: https only. A local stack may call programs on its own machine. */
export const parseCallbackAddress = (
  text: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): WebAddress =>
  parseAddress(text, {
    schemes: ['https:'],
    schemeError: `must begin with https://${allowLoopback ? ', or with http:// and a host on this machine' : ''}`,
    allowLoopback,
  });

interface CallbackAddresses<Name extends string> {
  /** As the URL standard writes them. */
  readonly addresses: Partial<Record<Name, string>>;
  readonly errors: readonly FieldError[];
}

/**
 * The callback addresses of a request by field name; `""` clears one. The IP addresses of the host are checked at each
 * call instead of here, because names change their addresses.
 */
export function parseCallbackAddresses<Name extends string>(
  input: Readonly<Partial<Record<Name, string | null | undefined>>>,
  options: { readonly allowLoopback: boolean },
): CallbackAddresses<Name> {
  const addresses: Partial<Record<Name, string>> = {};
  const errors: FieldError[] = [];
  for (const [field, value] of Object.entries(input) as [Name, string | null | undefined][]) {
    if (value === undefined) continue;
    const text = value?.trim() ?? '';
    const result = text === '' ? { ok: true as const, address: '' } : parseCallbackAddress(text, options);
    if (result.ok) addresses[field] = result.address;
    else errors.push({ field, code: 'format', message: result.error });
  }
  return { addresses, errors };
}

/** A web address as the URL standard writes it; any other text is left to `webAddressError`. */
export function normalizeWebAddress(text: string): string {
  const result = parseWebAddress(text);
  return result.ok ? result.address : text;
}

/** What is wrong with an optional web address, if anything. */
export function webAddressError(text: string): string | false {
  const result = text === '' || parseWebAddress(text);
  return result !== true && !result.ok && result.error;
}

/**
 * Whether a text is the address of a website, with or without a scheme: `www.example.com/denver`. With a port it needs
 * the scheme, because browsers read `javascript:1` as a script.
 */
export const isWebsite = (text: string): boolean =>
  parseWebAddress(text).ok || (/^[^:/?#]+([/?#]|$)/.test(text) && parseWebAddress(`https://${text}`).ok);

/** Whether a text is an IPv4 address (four numbers) or an IPv6 address (without a zone). */
export const isIpAddress = (text: string): boolean => isIP(text) > 0 && !text.includes('%');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** A range of IP addresses: `203.0.113.0/24`, or a single address. `undefined` for any other text. */
export function parseRange(text: string): { readonly network: string; readonly prefix: number } | undefined {
  const [network = '', bits, ...others] = text.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  const prefix = bits === undefined ? longest : Number(bits);
  const isValid = longest > 0 && !others.length && /^\d{1,3}$/.test(bits ?? '0') && prefix <= longest;
  return isValid ? { network, prefix } : undefined;
}

/** Builds a test whether an IP address is in one of the ranges. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { network, prefix } of ranges.flatMap((range) => parseRange(range) ?? []))
    list.addSubnet(network, prefix, familyOf(network));
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address));
}

/**
 * The network of an IP address, which identifies no household or desk: `203.0.113.0/24`, `2001:db8:1::/48`; else empty.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIP(address)) return '';
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]/`);
  const [start = ''] = hostname.slice(1, -1).split('::');
  const groups = [...start.split(':'), '0', '0', '0'].slice(0, 3).map((group) => group || '0');
  return `${groups.join(':')}::/48`;
}
