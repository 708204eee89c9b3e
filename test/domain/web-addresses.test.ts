import { describe, expect, test } from 'vitest';
import { isWebAddress, isWebsite } from '../../lib/shared/web-addresses.ts';

describe('what people click on', () => {
  test.each([
    ['https://www.example.com/a?b=c#d', true, true],
    ['http://example.com:8080', true, true],
    ['www.example.com', false, true],
    ['example.com:8080/denver', false, false],
    ['example.com?campaign=1', false, true],
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
    expect([isWebAddress(text), isWebsite(text)]).toEqual([address, website]);
  });
});
