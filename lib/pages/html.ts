/** HTML that is written by our own templates or escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function toText(content: Content): string {
  if (content === false || content === null || content === undefined) return '';
  if (content instanceof Html) return content.text;
  return typeof content === 'object' ? content.map(toText).join('') : escapeHtml(String(content));
}

/**
 * A template of HTML: what is put in is escaped, unless it is HTML itself. Attributes are always written in quotes; an
 * address in one must be checked before (`webAddress`).
 */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(parts.reduce((text, part, index) => `${text}${toText(contents[index - 1])}${part}`));

/** Lines of a text of a person, with the breaks that it has. */
export const paragraphs = (text: string): Content =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split('\n').flatMap((line, index) => (index ? [html`<br />`, line] : [line]))}</p>`,
    );

/** The address if it is one of the web, else `undefined`: nothing else may become a link. */
export const webAddress = (text: string): string | undefined =>
  /^https?:\/\/[^\s"'<>]+$/i.test(text) ? text : undefined;
