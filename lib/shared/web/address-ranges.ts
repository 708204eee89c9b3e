import { BlockList, isIP, isIPv4 } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** A range of addresses: `203.0.113.0/24`, or one address. `undefined` for another text. */
export function parseRange(text: string): { readonly network: string; readonly prefix: number } | undefined {
  const [network = '', bits, ...others] = text.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  const prefix = bits === undefined ? longest : Number(bits);
  const isValid = longest > 0 && !others.length && /^\d{1,3}$/.test(bits ?? '0') && prefix <= longest;
  return isValid ? { network, prefix } : undefined;
}

/** Whether an address is in one of some ranges. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { network, prefix } of ranges.flatMap((range) => parseRange(range) ?? []))
    list.addSubnet(network, prefix, familyOf(network));
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address));
}

/** The network of an address, which names no household or desk: `203.0.113.0/24`, `2001:db8:1::/48`; else empty. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIP(address)) return '';
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]/`);
  const [start = ''] = hostname.slice(1, -1).split('::');
  const groups = [...start.split(':'), '0', '0', '0'].slice(0, 3).map((group) => group || '0');
  return `${groups.join(':')}::/48`;
}
