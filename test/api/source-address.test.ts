import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { startLog } from '../../lib/api/respond.ts';

afterEach(() => vi.unstubAllEnvs());

const sourceOf = (headers: Record<string, string>, authorizer?: object): string =>
  startLog({
    headers,
    requestContext: { http: { sourceIp: '198.51.100.1' }, authorizer },
  } as unknown as APIGatewayProxyEventV2).source;

test('the address of a caller is that of its connection: a header that it sends is not believed', () => {
  expect(sourceOf({ 'x-viewer-address': '203.0.113.7' })).toBe('198.51.100.1');
});

test('behind CloudFront it is what CloudFront writes', () => {
  vi.stubEnv('VIEWER_ADDRESS_HEADER', 'x-viewer-address');
  expect(sourceOf({ 'x-viewer-address': '203.0.113.7' })).toBe('203.0.113.7');
  expect(sourceOf({})).toBe('198.51.100.1');
});

test('of a call to the old address beside CloudFront it is that of the connection', () => {
  vi.stubEnv('VIEWER_ADDRESS_HEADER', 'x-viewer-address');
  const header = { 'x-viewer-address': '203.0.113.7' };
  expect(sourceOf(header, { lambda: { isFromEdge: false } })).toBe('198.51.100.1');
  expect(sourceOf(header, { lambda: { isFromEdge: true } })).toBe('203.0.113.7');
});
