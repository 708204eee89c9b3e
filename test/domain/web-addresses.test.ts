import { describe, expect, test } from 'vitest';
import { isPublicIp } from '../../lib/shared/web/public-hosts.ts';
import { isWebsite, parseCallbackAddress, parseWebAddress } from '../../lib/shared/web/web-addresses.ts';

describe('what people click on', () => {
  test.each([
    ['https://www.example.com/a?b=c#d', true, true],
    ['http://example.com:8080', true, true],
    ['www.example.com', false, true],
    ['example.com:8080/denver', false, false],
    ['example.com?campaign=1', false, true],
    ['localhost', false, false],
    ['192.168.1.10/denver', false, false],
    ['javascript:alert(1)', false, false],
    ['javascript:1', false, false],
    ['data:text/html,hello', false, false],
    ['mailto:info@example.com', false, false],
    ['ftp://example.com', false, false],
    ['https://', false, false],
    ['//example.com', false, false],
    ['https://example.com/"onclick', false, false],
    ['see our page', false, false],
    ['', false, false],
    [`https://example.com/${'a'.repeat(2029)}`, false, false],
  ])('%s is an address: %s, a website: %s', (text, address, website) => {
    expect([parseWebAddress(text).ok, isWebsite(text)]).toEqual([address, website]);
  });
});

/** Spellings of addresses that no caller may have us request, by what they have in common. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  'this machine': [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.255.255.254/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0x7F.1/',
    'https://017700000001/',
    'https://0177.0.0.01/',
    'https://127.0.0.1./',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://ⓛocalhost/',
    'https://a.localhost/',
    'https://localhost.localdomain/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  ],
  'private networks': [
    'https://10.0.0.1/',
    'https://0x0a.0.0.1/',
    'https://167772161/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://3232235521/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://[fc00::1]/',
    'https://[fd12:3456:789a::1]/',
    'https://[fec0::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://printer.local/',
    'https://db.internal/',
    'https://nas.home.arpa/',
    'https://router.lan/',
    'https://intranet/',
  ],
  'metadata and link-local addresses': [
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://metadata.google.internal/',
    'https://169.254.170.2/v2/credentials',
  ],
  'networks without a server': [
    'https://192.0.2.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[100::1]/',
  ],
  'credentials and misleading characters': [
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://example.com@127.0.0.1/',
    'https://user:@example.com/',
    'https://exam\tple.com/',
    'https://example.com/\r\nX-Header: 1',
    'https://example.com/\0',
    'https://example.com/\u0085',
    'https://example.com\\@127.0.0.1/',
    'https://example.com/ path',
  ],
  'other schemes': [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    '//x.com',
  ],
};

describe.each(Object.entries(forbidden))('a callback address must not lead to %s', (_, addresses) => {
  test.each(addresses)('%j', (address) => {
    expect(parseCallbackAddress(address, { allowLoopback: false }).ok).toBe(false);
  });
});

test.each([
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://Example.COM:443/Path?b=1#c', 'https://example.com/Path?b=1#c'],
  ['https://example.com/a/../b', 'https://example.com/b'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
  ['https://134744072/hook', 'https://8.8.8.8/hook'],
  ['https://[2001:4860:4860:0:0:0:0:8888]/', 'https://[2001:4860:4860::8888]/'],
  ['https://local.example.com/', 'https://local.example.com/'],
])('the callback address %s is stored as %s', (text, address) => {
  expect(parseCallbackAddress(text, { allowLoopback: false })).toEqual({ ok: true, address });
});

test.each(['http://localhost:3000/hook', 'http://127.0.0.1:3000/', 'https://[::1]/', 'http://0x7f.1:80/'])(
  'a local stack may call %s, a deployed one may not',
  (address) => {
    expect(parseCallbackAddress(address, { allowLoopback: true }).ok).toBe(true);
    expect(parseCallbackAddress(address, { allowLoopback: false }).ok).toBe(false);
  },
);

test.each(['http://10.0.0.1/', 'https://169.254.169.254/', 'http://example.com/', 'https://printer.local/'])(
  'a local stack may not call %s either',
  (address) => {
    expect(parseCallbackAddress(address, { allowLoopback: true }).ok).toBe(false);
  },
);

test.each([
  ['8.8.8.8', true],
  ['2606:4700:4700::1111', true],
  ['127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['fe80::1%eth0', false],
  ['example.com', false],
])('the resolved address %s is public: %s', (address, isPublic) => {
  expect(isPublicIp(address)).toBe(isPublic);
});
