const MAX_CHARACTERS = 2048;

/** Whether a text is an address of the web, scheme and all. People click on it, so that no other scheme will do. */
export const isWebAddress = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && /^https?:\/\/[^\s"'<>\\]+$/.test(text) && URL.canParse(text);

/**
 * Whether a text is the address of a website, which people also write without its scheme: `www.example.com/denver`. A
 * port needs the scheme, since `javascript:1` is no port to a browser.
 */
export const isWebsite = (text: string): boolean =>
  isWebAddress(text) || (/^[^:/?#]+([/?#]|$)/.test(text) && isWebAddress(`https://${text}`));

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** IPv6 in brackets is part of a URL, whose parser knows every form of it. */
const isIpv6 = (text: string): boolean => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** Whether a text is an IPv4 address (four numbers) or an IPv6 address (without zone). */
export const isIpAddress = (text: string): boolean => IPV4.test(text) || isIpv6(text);
