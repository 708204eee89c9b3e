const MAX_CHARACTERS = 2048;

/** Whether a text is an https or http URL. People click on it, so no other scheme is safe. */
export const isWebAddress = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && /^https?:\/\/[^\s"'<>\\]+$/.test(text) && URL.canParse(text);

/** What is wrong with an optional web address, if anything. */
export const webAddressError = (text: string): string | false =>
  text !== '' && !isWebAddress(text) && 'must be an https or http address of at most 2048 characters';

/**
 * Whether a text is the address of a website, with or without scheme: `www.example.com/denver`. With a port it needs
 * the scheme, since browsers read `javascript:1` as a script.
 */
export const isWebsite = (text: string): boolean =>
  isWebAddress(text) || (/^[^:/?#]+([/?#]|$)/.test(text) && isWebAddress(`https://${text}`));

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** The URL parser knows every form of an IPv6 address, which stands in brackets there. */
const isIpv6 = (text: string): boolean => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** Whether a text is an IPv4 address (four numbers) or an IPv6 address (without zone). */
export const isIpAddress = (text: string): boolean => IPV4.test(text) || isIpv6(text);
