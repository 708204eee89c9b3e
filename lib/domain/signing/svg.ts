import { SaxesParser } from 'saxes';

/** Elements that draw something by themselves. */
const DRAWING = new Set(['path', 'line', 'polyline', 'polygon', 'rect', 'circle', 'ellipse', 'text']);
/** Elements whose content is drawn only if something refers to it. */
const DEFINING = new Set(['defs', 'clipPath', 'title', 'desc']);
/**
 * All other elements are refused: they could load, run or animate something, or, like `use`, multiply a few elements
 * into a billion.
 */
const ALLOWED = new Set([...DRAWING, ...DEFINING, 'svg', 'g', 'tspan', 'linearGradient', 'radialGradient', 'stop']);

const MAX_DEPTH = 50;
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** What a value of CSS, or of an attribute unknown here, would load or run by; a `\` could hide any of it. */
const EXTERNAL = /(?:javascript|vbscript|data):|\/\/|@import|(?:expression|image|image-set|src|attr)\(|\\/;

/** What is wrong with an attribute; its entities are resolved. */
function attributeError(name: string, value: string): string | undefined {
  const localName = name.slice(name.indexOf(':') + 1).toLowerCase();
  const compact = value.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase();
  if (localName.startsWith('on')) return `has an attribute ${name}, which would run a script`;
  if (name === 'xmlns') return value === SVG_NAMESPACE ? undefined : `has an xmlns other than ${SVG_NAMESPACE}`;
  if (name.startsWith('xmlns:')) return undefined;
  const urls = compact.match(/url\(.?/g) ?? [];
  const ownUrls = compact.match(/url\(['"]?#/g) ?? [];
  const isOwn =
    localName === 'href' || localName === 'src'
      ? compact.startsWith('#')
      : !EXTERNAL.test(compact) && urls.length === ownUrls.length;
  return isOwn ? undefined : `refers to something outside itself in its attribute ${name}`;
}

class SvgError extends Error {}

function refuse(message: string): never {
  throw new SvgError(message);
}

/** Reads a text from beginning to end; throws at the first content that a signature may not have. */
function checkSvg(text: string): void {
  const parser = new SaxesParser({ xmlns: false, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const open: string[] = [];
  let isDrawn = false;
  parser.on('doctype', () => refuse('has a document type (DOCTYPE), which may declare entities'));
  parser.on('cdata', () => refuse('has a CDATA section'));
  parser.on('processinginstruction', () => refuse('has a processing instruction'));
  parser.on('opentagstart', ({ name }) => {
    if (!open.length && name !== 'svg') refuse(`has the root element ${name} instead of svg`);
    if (!ALLOWED.has(name)) refuse(`has an element ${name}, which is not allowed in a signature`);
    if (open.length === MAX_DEPTH) refuse(`nests elements more than ${MAX_DEPTH} deep`);
    isDrawn ||= DRAWING.has(name) && !open.some((outer) => DEFINING.has(outer));
    open.push(name);
  });
  parser.on('attribute', ({ name, value }) => {
    const error = attributeError(name, value);
    if (error) refuse(error);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', ({ message }) => refuse(`is not well-formed XML: ${message.replace(/\.$/, '')}`));
  parser.write(text).close();
  if (!isDrawn) refuse('draws nothing');
}

/**
 * What is wrong with the text of an SVG, as the end of a sentence that begins with the field; `undefined` if it is
 * well-formed, draws something and can neither run nor load anything, wherever it is displayed.
 */
export function svgError(text: string): string | undefined {
  try {
    checkSvg(text.trim());
    return undefined;
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    return `is an SVG that ${error.message}`;
  }
}
