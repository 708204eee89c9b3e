/** HTML that our templates wrote or escaped. */
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
 * A template of HTML that escapes its values, unless they are HTML already. Attributes must be quoted; an address in
 * one must be checked first (`webAddress`).
 */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(parts.reduce((text, part, index) => `${text}${toText(contents[index - 1])}${part}`));

/** A person's text with its line breaks. */
export const paragraphs = (text: string): Content =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split('\n').flatMap((line, index) => (index ? [html`<br />`, line] : [line]))}</p>`,
    );

/** The address if it is a web address, else `undefined`: nothing else may become a link. */
export const webAddress = (text: string): string | undefined =>
  /^https?:\/\/[^\s"'<>]+$/i.test(text) ? text : undefined;
