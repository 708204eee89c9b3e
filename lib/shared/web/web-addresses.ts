import { isPublicHost } from './public-hosts.ts';

const MAX_CHARACTERS = 2048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * The URL parser drops tabs and line breaks, and reads a backslash as a slash: what it reads is not what was written.
 */
// eslint-disable-next-line no-control-regex
const MISLEADING = /[\s\u0000-\u001f\u007f-\u009f"'<>\\]/;

/** A URL as the URL standard writes it, or what is wrong with the text. */
export type WebAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly error: string };

const failed = (error: string): WebAddress => ({ ok: false, error });

interface AddressRules {
  readonly schemes: readonly ('https:' | 'http:')[];
  /** How the error describes `schemes`. */
  readonly schemeError: string;
  /** Whether a host of this machine is allowed, with http too. */
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

/** People click on it: no other scheme than https and http is safe. */
const page: AddressRules = { schemes: ['https:', 'http:'], schemeError: 'must begin with https:// or http://' };

/**
 * The address of a page of the public internet. With `allowPrivate` the page may be on a private network, as the
 * recordings of a telephone system often are; nothing of ours ever requests it.
 */
export const parseWebAddress = (text: string, { allowPrivate = false } = {}): WebAddress =>
  parseAddress(text, { ...page, allowPrivate });

/** An address that is called with events: https only. A local stack may call programs on its own machine. */
export const parseCallbackAddress = (
  text: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): WebAddress =>
  parseAddress(text, {
    schemes: ['https:'],
    schemeError: `must begin with https://${allowLoopback ? ', or with http:// and a host on this machine' : ''}`,
    allowLoopback,
  });

/** A web address as the URL standard writes it; any other text stays as it is, for `webAddressError`. */
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
 * Whether a text is the address of a website, with or without scheme: `www.example.com/denver`. With a port it needs
 * the scheme, since browsers read `javascript:1` as a script.
 */
export const isWebsite = (text: string): boolean =>
  parseWebAddress(text).ok || (/^[^:/?#]+([/?#]|$)/.test(text) && parseWebAddress(`https://${text}`).ok);

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** The URL parser knows every form of an IPv6 address, which stands in brackets there. */
const isIpv6 = (text: string): boolean => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** Whether a text is an IPv4 address (four numbers) or an IPv6 address (without zone). */
export const isIpAddress = (text: string): boolean => IPV4.test(text) || isIpv6(text);
