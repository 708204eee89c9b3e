import { describe, expect, test } from 'vitest';
import { type HttpRequest, gatewayEvent } from '../../../infra/local/api-gateway.ts';

const now = new Date('2020-03-12T19:03:58.390Z');
const request = (change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  target: '/api/contacts/locate',
  protocol: 'HTTP/1.1',
  rawHeaders: ['Host', 'api.example.com:4000'],
  body: Buffer.alloc(0),
  sourceIp: '192.0.2.1',
  port: 4000,
  now,
  ...change,
});
const route = { routeKey: 'ANY /api/contacts/{operation}', pathParameters: { operation: 'locate' } };
const eventOf = (change: Partial<HttpRequest>) => gatewayEvent(request(change), route);
const withType = (type: string | undefined, body: string | Buffer = '{"a":"é"}') =>
  eventOf({ rawHeaders: type === undefined ? [] : ['Content-Type', type], body: Buffer.from(body) });

describe('the event of a request', () => {
  test("has the fields of API Gateway's payload format 2.0, and no other", () => {
    const rawHeaders = [
      'Host',
      'api.example.com:4000',
      'Header1',
      'value1',
      'Cookie',
      'cookie1=a; cookie2=b',
      'header1',
      'value2',
      'User-Agent',
      'agent',
      'Content-Type',
      'application/json',
      'Connection',
      'keep-alive',
    ];
    const event = eventOf({
      target: '/api/contacts/locate?parameter1=value1&parameter1=value2&parameter2=a%20b',
      rawHeaders,
      body: Buffer.from('{"a":1}'),
    });
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'ANY /api/contacts/{operation}',
      rawPath: '/api/contacts/locate',
      rawQueryString: 'parameter1=value1&parameter1=value2&parameter2=a%20b',
      cookies: ['cookie1=a', 'cookie2=b'],
      headers: {
        host: 'api.example.com:4000',
        header1: 'value1,value2',
        'user-agent': 'agent',
        'content-type': 'application/json',
        'content-length': '7',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-5e6a879e-[0-9a-f]{24}$/),
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-port': '4000',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { parameter1: 'value1,value2', parameter2: 'a b' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'api.example.com',
        domainPrefix: 'api',
        http: {
          method: 'POST',
          path: '/api/contacts/locate',
          protocol: 'HTTP/1.1',
          sourceIp: '192.0.2.1',
          userAgent: 'agent',
        },
        requestId: expect.stringMatching(/^[0-9A-Za-z]{15}=$/),
        routeKey: 'ANY /api/contacts/{operation}',
        stage: '$default',
        time: '12/Mar/2020:19:03:58 +0000',
        timeEpoch: 1584039838390,
      },
      pathParameters: { operation: 'locate' },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  test('leaves out what a bare request does not have', () => {
    const event = eventOf({ method: 'GET', rawHeaders: [] });
    expect(Object.keys(event)).toEqual([
      'version',
      'routeKey',
      'rawPath',
      'rawQueryString',
      'headers',
      'requestContext',
      'pathParameters',
      'isBase64Encoded',
    ]);
    expect(event).toMatchObject({ rawQueryString: '', isBase64Encoded: false, headers: { 'content-length': '0' } });
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/plain',
    'text/csv;header=present',
    'application/xml',
    'application/javascript',
  ])('hands a body of type %s over as text', (type) => {
    expect(withType(type)).toMatchObject({ body: '{"a":"é"}', isBase64Encoded: false });
  });

  test.each([
    undefined,
    '',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/vnd.api+json',
    'image/png',
    'application/jsonx',
    'application/json; charset=windows-1252',
  ])('hands a body of type %s over as base64', (type) => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b]);
    expect(withType(type, bytes)).toMatchObject({ body: bytes.toString('base64'), isBase64Encoded: true });
  });

  test('decodes the path but not the query string, and keeps malformed encodings', () => {
    expect(eventOf({ target: '/api/contacts/a%20b?c=%20d' })).toMatchObject({
      rawPath: '/api/contacts/a b',
      rawQueryString: 'c=%20d',
    });
    expect(eventOf({ target: '/api/contacts/%zz' })).toMatchObject({ rawPath: '/api/contacts/%zz' });
  });

  test('adds the caller to the addresses of earlier proxies, and trusts none of them', () => {
    const event = eventOf({ rawHeaders: ['X-Forwarded-For', '203.0.113.9'] });
    expect(event.headers['x-forwarded-for']).toBe('203.0.113.9, 192.0.2.1');
    expect(event.requestContext.http.sourceIp).toBe('192.0.2.1');
  });
});
