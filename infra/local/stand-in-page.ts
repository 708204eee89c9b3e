import { type Content, html } from '../../lib/pages/html.ts';

/** The document of a page of a stand-in on the local stack. */
export const standInPage = (title: string, body: Content, stylesheet = ''): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${stylesheet && html`<link rel="stylesheet" href="${stylesheet}" />`}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
