import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { USER_AGENT } from './user-agent.ts';

export interface JsonAnswer {
  readonly status: number;
  /** The JSON object; empty if the response has none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Posts JSON and reads JSON, without following redirects. Uses Node's own modules, because `fetch` loads undici, which
 * takes 15 ms. Throws if no complete response arrives in time.
 */
export function postJson(
  url: string,
  body: object,
  { headers, timeoutMilliseconds }: { headers: Readonly<Record<string, string>>; timeoutMilliseconds: number },
): Promise<JsonAnswer> {
  const text = JSON.stringify(body);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'user-agent': USER_AGENT,
          ...headers,
        },
        signal: AbortSignal.timeout(timeoutMilliseconds),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parseObject(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
