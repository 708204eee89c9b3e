import sanitize from 'sanitize-html';

/** Attributes that elements of an article may have besides the plain ones. */
const ATTRIBUTES = {
  blockquote: ['cite'],
  q: ['cite'],
  abbr: ['title'],
  ol: ['start'],
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
};
const PLAIN_ELEMENTS =
  'p br hr h1 h2 h3 h4 h5 h6 div span pre code kbd b strong i em u s del ins sub sup small mark cite ul li dl dt dd ' +
  'figure figcaption table caption thead tbody tfoot tr';
/** Elements that are removed with their content, because readers do not see it as text. */
const HIDDEN_ELEMENTS =
  'script style template noscript iframe object embed svg math textarea option title head xmp noembed noframes select';

/** Whether a link or picture may point there: to the web, e-mail, a phone number, or a place on the page's own site. */
function isSafeAddress(value: string, attribute: string): boolean {
  // Browsers drop control characters and read \ as /.
  if (/[\p{Cc}\s\\]/u.test(value)) return false;
  if (/^(?:#|\/(?!\/))/.test(value)) return true;
  const schemes = attribute === 'href' ? /^(?:https?:\/\/|mailto:|tel:)/i : /^https?:\/\//i;
  return schemes.test(value) && URL.canParse(value);
}

function isSafeAttribute(name: string, value: string): boolean {
  if (['href', 'src', 'cite'].includes(name)) return isSafeAddress(value, name);
  return !['width', 'height', 'colspan', 'rowspan', 'start'].includes(name) || /^\d{1,5}$/.test(value);
}

const sanitizeOnce = (html: string): string =>
  sanitize(html, {
    allowedTags: [...PLAIN_ELEMENTS.split(' '), ...Object.keys(ATTRIBUTES)],
    allowedAttributes: ATTRIBUTES,
    nonTextTags: HIDDEN_ELEMENTS.split(' '),
    nestingLimit: 100,
    allowProtocolRelative: false,
    transformTags: {
      '*': (tagName, attributes) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attributes)
            .map(([name, value]): [string, string] => [name, value.trim()])
            .filter(([name, value]) => isSafeAttribute(name, value)),
        ),
      }),
    },
  });

/**
 * `<li><script<ul><li>` takes two passes: the first removes the script, the second closes the elements it left open.
 */
const MAX_PASSES = 10;

/**
 * The HTML of an article without anything that could run, load or restyle: only listed elements and attributes stay.
 * Sanitizing is idempotent, so importing an exported article changes nothing.
 */
export function sanitizeHtml(html: string): string {
  let sanitized = sanitizeOnce(html);
  for (let pass = 1; pass < MAX_PASSES; pass++) {
    const again = sanitizeOnce(sanitized);
    if (again === sanitized) return sanitized;
    sanitized = again;
  }
  return sanitized;
}
