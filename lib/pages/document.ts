import { type Content, html } from './html.ts';

/** What a document names besides its content. */
interface Head {
  readonly language: string;
  readonly title: string;
  /** The paths of the style sheets and the script. */
  readonly styles: readonly string[];
  readonly script: string;
  /** The class of its body. */
  readonly className: string;
}

/** A whole HTML document, without the line breaks of our templates. */
export const htmlDocument = ({ language, title, styles, script, className }: Head, body: Content): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        <script type="module" src="${script}"></script>
      </head>
      <body class="${className}">
        ${body}
      </body>
    </html> `.text
    .replaceAll(/\n\s+/g, '\n')
    .trim();
