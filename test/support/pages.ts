import { request } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A page as a browser without script sees it. */
export interface OpenedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function openPage(address: string, headers: Record<string, string> = {}): Promise<OpenedPage> {
  const answer = await fetch(address, { headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** The event of a page that a link opens, as API Gateway sends it. */
export function pageEvent(link: string): APIGatewayProxyEventV2 {
  const [page, handle] = link.replace(/^.*\/c\//, '').split('/');
  return { headers: {}, rawQueryString: '', pathParameters: { page, handle } } as unknown as APIGatewayProxyEventV2;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The hidden fields of the form of a page that does `action`. */
export function hiddenFields(text: string, action: string): Record<string, string> {
  const [, form = ''] = new RegExp(`value="${action}"([\\s\\S]*?)</form>`).exec(text) ?? [];
  const fields = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return { action, ...Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)])) };
}

/** Sends the form of a page that does `action`, with what a client filled in. */
export async function sendForm(
  address: string,
  page: Pick<OpenedPage, 'text'>,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<OpenedPage> {
  const body = new URLSearchParams({ ...hiddenFields(page.text, action), ...fields });
  const answer = await fetch(address, {
    method: 'POST',
    body,
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Sends a form from an address of this machine, like 127.0.5.1: limits count by network. */
export const sendFrom = (localAddress: string, address: string, fields: Readonly<Record<string, string>>) =>
  new Promise<OpenedPage>((resolve, reject) => {
    const body = new URLSearchParams(fields).toString();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
      'Sec-Fetch-Site': 'same-origin',
    };
    const sent = request(address, { method: 'POST', localAddress, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: new Headers(), text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
