const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** IPv6 in brackets is part of a URL, whose parser knows every form of it. */
const isIpv6 = (text: string): boolean => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** Whether a text is an IPv4 address (four numbers) or an IPv6 address (without zone). */
export const isIpAddress = (text: string): boolean => IPV4.test(text) || isIpv6(text);
