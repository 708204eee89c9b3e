import { Parser } from 'htmlparser2';

export interface ParsedHtml {
  /** Elements with the names of their attributes, in order. */
  readonly structure: string;
  /** Texts, and the values of attributes in which a person's text stands. */
  readonly texts: string;
  readonly addresses: readonly string[];
}

/** A page as a parser of HTML reads it. */
export function parseHtml(html: string): ParsedHtml {
  const elements: string[] = [];
  const texts: string[] = [];
  const addresses: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.push(`${name}[${Object.keys(attributes).join(' ')}]`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (['href', 'src', 'action'].includes(attribute)) addresses.push(value);
        if (attribute === 'value') texts.push(` ${value} `);
      }
      texts.push(' ');
    },
    onclosetag(name) {
      elements.push(`/${name}`);
      texts.push(' ');
    },
    ontext: (text) => texts.push(text),
    oncomment: () => elements.push('comment'),
    onprocessinginstruction: (name) => elements.push(name),
  });
  parser.end(html);
  return { structure: elements.join('\n'), texts: texts.join(''), addresses };
}

/** Texts are compared without the line breaks and indents of the page. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
