import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { sourceAddress } from '../../lib/api/http/source-address.ts';

afterEach(() => vi.unstubAllEnvs());

const event = (headers: Record<string, string>) =>
  ({ headers, requestContext: { http: { sourceIp: '198.51.100.1' } } }) as unknown as APIGatewayProxyEventV2;

test('the address of a caller is that of its connection: a header that it sends is not believed', () => {
  expect(sourceAddress(event({ 'x-viewer-address': '203.0.113.7' }))).toBe('198.51.100.1');
});

test('behind CloudFront it is what CloudFront writes', () => {
  vi.stubEnv('VIEWER_ADDRESS_HEADER', 'x-viewer-address');
  expect(sourceAddress(event({ 'x-viewer-address': '203.0.113.7' }))).toBe('203.0.113.7');
  expect(sourceAddress(event({}))).toBe('198.51.100.1');
});
