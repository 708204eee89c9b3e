import { BlockList, isIP } from 'node:net';

/**
 * IPv4 addresses that no server on the public internet has (IANA special-purpose registry), including cloud metadata.
 */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * No IPv6 address outside this range is global unicast. Those excluded inside it are not either, or map to any IPv4
 * address.
 */
const GLOBAL_IPV6 = '2000::/3';
const PRIVATE_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

const privateIpv4 = listOf(PRIVATE_IPV4, 'ipv4');
const globalIpv6 = listOf([GLOBAL_IPV6], 'ipv6');
const privateIpv6 = listOf(PRIVATE_IPV6, 'ipv6');

/** Whether an IP address is on the public internet. Ask again for the address that a name resolves to. */
export function isPublicIp(address: string): boolean {
  if (isIP(address) === 4) return !privateIpv4.check(address, 'ipv4');
  return isIP(address) === 6 && globalIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6');
}

/** Top-level labels that no public server has (RFC 6761, 6762, 8375, and cloud metadata). */
const PRIVATE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|onion)$/;

/**
 * Whether the host of a parsed URL may be on the public internet. The URL parser has normalized the spelling: `0x7f.1`,
 * `2130706433` and full-width digits are `127.0.0.1`, and `[::ffff:7f00:1]` is an IPv6 address that is not global.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return isPublicIp(host.slice(1, -1));
  if (isIP(host)) return isPublicIp(host);
  return host.includes('.') && !PRIVATE_NAMES.test(host);
}
