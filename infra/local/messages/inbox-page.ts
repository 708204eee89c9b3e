import type { APIGatewayProxyResultV2 } from 'aws-lambda';
import { type Content, html } from '../../../lib/pages/html.ts';
import type { HttpHandler } from '../http-server.ts';
import type { InboxEntry } from './inbox.ts';

const STYLE = `
  :root { color-scheme: light; }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 1rem; color: #1a1a1a;
    background: #f4f4f2; }
  h1 { font-size: 1.4rem; }
  article { background: #fff; border: 1px solid #ddd; border-radius: 0.5rem; margin: 1rem 0; padding: 1rem; }
  header { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9rem; color: #555; }
  h2 { font-size: 1.1rem; margin: 0.25rem 0 0.75rem; }
  iframe {
    width: 100%; height: 28rem; border: 1px solid #ddd; border-radius: 0.25rem; resize: vertical; background: #fff;
  }
  .kind { font-weight: 700; color: #1a1a1a; }
  .bubble { background: #dff1e3; border-radius: 1rem 1rem 1rem 0.2rem; display: inline-block; margin: 0.5rem 0 0;
    max-width: 24rem; overflow-wrap: anywhere; padding: 0.6rem 0.9rem; white-space: pre-line; }
  pre { white-space: pre-wrap; }
`;

/**
 * A frame inherits these rules: nothing in an e-mail runs, sends or loads from elsewhere. Its links open in new tabs.
 */
const SECURITY = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const withLinks = (text: string): Content =>
  text.split(/(https?:\/\/\S+)/).map((part, index) =>
    // Every second part is an address.
    index % 2 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : part,
  );

const attachmentLink = ({ Filename, ContentType, Content: base64 }: InboxEntry['Attachments'][number]): Content =>
  html`<li><a download="${Filename}" href="data:${ContentType};base64,${base64}">${Filename}</a></li>`;

const emailBody = ({ Html, Text, Subject }: InboxEntry): Content =>
  Html
    ? html`<iframe sandbox="${SANDBOX}" srcdoc="${`<base target="_blank">${Html}`}" title="${Subject}"></iframe>
        <details>
          <summary>As plain text</summary>
          <pre>${Text}</pre>
        </details>`
    : html`<pre>${Text}</pre>`;

const articleOf = (entry: InboxEntry): Content =>
  html`<article>
    <header>
      <span class="kind">${entry.Kind || 'Test'}</span><span>${entry.Channel} to ${entry.To}</span
      ><time datetime="${entry.At}">${entry.At.slice(0, 19).replace('T', ' ')} UTC</time>
    </header>
    ${
      entry.Channel === 'Email'
        ? html`<h2>${entry.Subject}</h2>
            ${emailBody(entry)}`
        : html`<p class="bubble">${withLinks(entry.Text)}</p>`
    }
    ${
      entry.Attachments.length > 0 &&
      html`<ul>
        ${entry.Attachments.map(attachmentLink)}
      </ul>`
    }
  </article>`;

/** The inbox as a person sees it. */
const inboxPage = (entries: readonly InboxEntry[]): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Inbox</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>What clients got</h1>
        <p>E-mails and texts of your local stack since it started, newest first. None of them was sent.</p>
        <main>${entries.length ? entries.map(articleOf) : html`<p>Nothing yet: book a visit.</p>`}</main>
      </body>
    </html>`.text;

/** `/inbox` for people and `/inbox.json` for programs; only the local stack has them. */
export const inboxGroup = (list: () => Promise<readonly InboxEntry[]>) => ({
  name: 'inbox',
  paths: ['/inbox', '/inbox.json'],
  handler: (async ({ rawPath }): Promise<APIGatewayProxyResultV2> => {
    const entries = await list();
    return rawPath === '/inbox'
      ? {
          statusCode: 200,
          headers: { ...SECURITY, 'Content-Type': 'text/html; charset=utf-8' },
          body: inboxPage(entries),
        }
      : {
          statusCode: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
          body: JSON.stringify(entries),
        };
  }) satisfies HttpHandler,
});
