/** Elements that draw something by themselves. */
const DRAWN = new Set(['path', 'line', 'polyline', 'polygon', 'rect', 'circle', 'ellipse', 'text']);
/** Elements whose content is drawn only where something refers to it. */
const ASIDE = new Set(['defs', 'clipPath', 'title', 'desc']);
/**
 * All there may be: what is not named here could load, run or animate something, or, like `use`, make a billion things
 * of a few.
 */
const KNOWN = new Set([...DRAWN, ...ASIDE, 'svg', 'g', 'tspan', 'linearGradient', 'radialGradient', 'stop']);

const DEEPEST = 50;
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const VALUE = '"[^"<]*"|\'[^\'<]*\'';
const OPENING = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:${VALUE}))*)\\s*(/?)>`, 'y');
const CLOSING = new RegExp(`</(${NAME})\\s*>`, 'y');
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(${VALUE})`, 'g');
const TEXT = /[^<]+/y;
const COMMENT = /<!--([^]*?)-->/y;
const DECLARATION = /^<\?xml\s[^?<>]*\?>/;

/** What XML has no place for, written as itself or by its number. */
const NO_CHARACTER = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u;
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const ENTITY = 'has a reference to an entity, or an & that is none';

/** What `#65`, `#x41` or `amp` stands for. */
function characterOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return NAMED.get(reference);
  const code = Number(`0${reference.slice(1)}`);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
  return NO_CHARACTER.test(character) ? undefined : character;
}

/** A text with its references to characters put in; `undefined` where it refers to anything else. */
function resolved(text: string): string | undefined {
  let isSound = true;
  const plain = text.replaceAll(/&(?:(#\d{1,7}|#x[\dA-Fa-f]{1,6}|\w{1,32});)?/g, (_, reference = '') => {
    const character = characterOf(String(reference));
    isSound &&= character !== undefined;
    return character ?? '';
  });
  return isSound ? plain : undefined;
}

/** What a value of CSS, or of an attribute nobody has thought of, would load or run by; no `\\` hides it. */
const FOREIGN = /(?:javascript|vbscript|data):|\/\/|@import|(?:expression|image|image-set|src|attr)\(|\\/;

/** What is wrong with an attribute, its references resolved. */
function attributeFault(name: string, value: string): string | undefined {
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  const pressed = value.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase();
  if (local.startsWith('on')) return `has an attribute ${name}, which would run a script`;
  if (name === 'xmlns') return value === SVG_NAMESPACE ? undefined : `has an xmlns that is not ${SVG_NAMESPACE}`;
  if (name.startsWith('xmlns:')) return undefined;
  if (local === 'href' || local === 'src') {
    return pressed.startsWith('#') ? undefined : `refers with ${name} to something outside of it`;
  }
  const isForeign = FOREIGN.test(pressed);
  const urls = pressed.match(/url\(.?/g) ?? [];
  const points = pressed.match(/url\(['"]?#/g) ?? [];
  return isForeign || urls.length !== points.length ? `refers with ${name} to something outside of it` : undefined;
}

/** What is wrong with the attributes of an element. */
function attributesFault(attributes: string): string | undefined {
  const names = new Set<string>();
  for (const [, name = '', quoted = ''] of attributes.matchAll(ATTRIBUTE)) {
    if (names.has(name)) return `is not well-formed: it has an attribute ${name} twice`;
    names.add(name);
    const value = resolved(quoted.slice(1, -1));
    if (value === undefined) return ENTITY;
    const fault = attributeFault(name, value);
    if (fault) return fault;
  }
  return undefined;
}

/** What is wrong at a place where neither element, text nor comment begins. */
function strangerAt(text: string, at: number): string {
  const rest = text.slice(at, at + 40);
  if (/^<!doctype/i.test(rest)) return 'has a document type (DOCTYPE), which may declare entities';
  if (rest.startsWith('<![CDATA[')) return 'has a CDATA section';
  if (rest.startsWith('<?')) return 'has a processing instruction';
  return `is not well-formed at ${JSON.stringify(rest.slice(0, 20))}`;
}

/** Reads an SVG from its beginning to its end, once. */
class SvgReader {
  readonly #text: string;
  #at = 0;
  readonly #open: string[] = [];
  #hasRoot = false;
  #isDrawn = false;

  constructor(text: string) {
    this.#text = text;
    this.#at = DECLARATION.exec(text)?.[0].length ?? 0;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }

  #begin([, name = '', attributes = '', isEmpty = '']: RegExpExecArray): string | undefined {
    if (!this.#open.length && (this.#hasRoot || name !== 'svg')) return `has ${name} where only one svg may be`;
    if (!KNOWN.has(name)) return `has an element ${name}, which no signature needs`;
    if (this.#open.length === DEEPEST) return `nests more than ${DEEPEST} deep`;
    this.#hasRoot = true;
    this.#isDrawn ||= DRAWN.has(name) && !this.#open.some((outer) => ASIDE.has(outer));
    if (!isEmpty) this.#open.push(name);
    return attributesFault(attributes);
  }

  #end([, name = '']: RegExpExecArray): string | undefined {
    const open = this.#open.pop();
    return open === name ? undefined : `is not well-formed: ${name} ends where ${open ?? 'nothing'} is open`;
  }

  #words([text]: RegExpExecArray): string | undefined {
    if (!this.#open.length && text.trim()) return 'is not well-formed: it has text outside of svg';
    return resolved(text) === undefined ? ENTITY : undefined;
  }

  #next(): string | undefined {
    const text = this.#take(TEXT);
    if (text) return this.#words(text);
    const comment = this.#take(COMMENT);
    if (comment) return comment[1]?.includes('--') ? 'is not well-formed: a comment has -- within' : undefined;
    const closing = this.#take(CLOSING);
    if (closing) return this.#end(closing);
    const opening = this.#take(OPENING);
    return opening ? this.#begin(opening) : strangerAt(this.#text, this.#at);
  }

  fault(): string | undefined {
    while (this.#at < this.#text.length) {
      const fault = this.#next();
      if (fault) return fault;
    }
    if (!this.#hasRoot) return 'has no svg';
    if (this.#open.length) return `is not well-formed: ${this.#open.at(-1)} does not end`;
    return this.#isDrawn ? undefined : 'has nothing drawn in it';
  }
}

/**
 * What is wrong with the text of an SVG, after the name of the field; `undefined` for a well-formed one that draws
 * something and can neither run nor load anything, wherever it is shown.
 */
export function svgError(text: string): string | undefined {
  const fault = NO_CHARACTER.test(text)
    ? 'is not well-formed: it has a character that XML has not'
    : new SvgReader(text.trim()).fault();
  return fault && `is an SVG that ${fault}`;
}
