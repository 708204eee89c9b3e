/**
 * Elements that an article may have and their attributes. None of them changes how the text in it is read, so that what
 * is written here is what browsers see.
 */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  hr: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  div: [],
  span: [],
  blockquote: ['cite'],
  pre: [],
  code: [],
  kbd: [],
  b: [],
  strong: [],
  i: [],
  em: [],
  u: [],
  s: [],
  del: [],
  ins: [],
  sub: [],
  sup: [],
  small: [],
  mark: [],
  abbr: ['title'],
  cite: [],
  q: ['cite'],
  ul: [],
  ol: ['start'],
  li: [],
  dl: [],
  dt: [],
  dd: [],
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  figure: [],
  figcaption: [],
  table: [],
  caption: [],
  thead: [],
  tbody: [],
  tfoot: [],
  tr: [],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
};
const EMPTY = new Set(['br', 'hr', 'img']);
/** Elements that go with all that is in them: what they hold is no text for readers. */
const HIDDEN = [
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'embed',
  'svg',
  'math',
  'textarea',
  'title',
  'head',
  'xmp',
  'noembed',
  'noframes',
  'select',
];
const ADDRESSES = new Set(['href', 'src', 'cite']);
const NUMBERS = new Set(['width', 'height', 'colspan', 'rowspan', 'start']);
const MAX_DEPTH = 100;

const REFERENCE = /&(?!(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][\da-fA-F]{1,6});)/g;
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/y;
const ATTRIBUTE = /([a-zA-Z][a-zA-Z0-9-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Text as HTML shows it: character references stay, everything else that HTML would read is escaped. */
const shown = (text: string): string =>
  text.replace(REFERENCE, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const NAMED: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'" };
const plain = (value: string): string =>
  value.replaceAll(/&(amp|quot|apos|lt|gt|#39);/g, (_, name: string) => NAMED[name] ?? '');
const quoted = (value: string): string =>
  `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;

/** Whether a link or picture may lead there: the web, mail, telephone, or a place on the page's own site. */
function isAddress(value: string, name: string): boolean {
  // Browsers drop control characters and read \ as /: an address that has them is not what it looks like.
  if (/[\p{Cc}\s\\]/u.test(value)) return false;
  if (/^(?:#|\/(?!\/))/.test(value)) return true;
  const schemes = name === 'href' ? /^(?:https?:\/\/|mailto:|tel:)/i : /^https?:\/\//i;
  return schemes.test(value) && URL.canParse(value);
}

function attributesOf(element: string, text: string): string {
  const taken = new Set<string>();
  const kept = [...text.matchAll(ATTRIBUTE)].flatMap(([, input = '', double, single, bare]) => {
    const name = input.toLowerCase();
    const value = plain(double ?? single ?? bare ?? '').trim();
    if (!ELEMENTS[element]?.includes(name) || taken.has(name)) return [];
    if (ADDRESSES.has(name) ? !isAddress(value, name) : NUMBERS.has(name) && !/^\d{1,5}$/.test(value)) return [];
    taken.add(name);
    return [` ${name}=${quoted(value)}`];
  });
  return kept.join('');
}

/** Where the reading goes on behind an element that goes with all that is in it. */
function behind(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?:[\\s/][^>]*)?>`, 'gi');
  end.lastIndex = from;
  return end.exec(html) ? end.lastIndex : html.length;
}

/**
 * HTML from outside made harmless: nothing is let through, all is written anew. Of tags only those of the listed
 * elements are written, with the listed attributes, quoted, and addresses of the web only; each is closed in its order.
 * Scripts and the like go with all that is in them, other tags go and their text stays, and what is no tag is text.
 * Made harmless again, it is the same. Time grows with the length alone.
 */
export function sanitizeHtml(html: string): string {
  const written: string[] = [];
  const open: string[] = [];
  const close = (name: string) => {
    while (open.length) {
      const last = open.pop() ?? '';
      written.push(`</${last}>`);
      if (last === name) return;
    }
  };
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    written.push(shown(html.slice(at, start < 0 ? html.length : start)));
    if (start < 0) break;
    if (html.startsWith('<!', start) || html.startsWith('<?', start)) {
      const comment = html.startsWith('<!--', start);
      const end = html.indexOf(comment ? '-->' : '>', start);
      at = end < 0 ? html.length : end + (comment ? 3 : 1);
      continue;
    }
    TAG.lastIndex = start;
    const [tag, slash, input = '', attributes = ''] = TAG.exec(html) ?? [];
    if (tag === undefined) {
      written.push('&lt;');
      at = start + 1;
      continue;
    }
    at = start + tag.length;
    const name = input.toLowerCase();
    if (HIDDEN.includes(name)) at = slash ? at : behind(html, name, at);
    else if (!Object.hasOwn(ELEMENTS, name)) continue;
    else if (slash) {
      if (open.includes(name)) close(name);
    } else if (EMPTY.has(name) || open.length < MAX_DEPTH) {
      written.push(`<${name}${attributesOf(name, attributes)}>`);
      if (!EMPTY.has(name)) open.push(name);
    }
  }
  close('');
  return written.join('');
}
