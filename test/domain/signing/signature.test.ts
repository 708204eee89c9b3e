import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SIGNATURE_BYTES, readSignature } from '../../../lib/domain/signing/signature.ts';
import {
  pngChunk,
  pngEnd,
  pngHeader,
  pngMagic,
  pngPixels,
  pngUri,
  somePng,
  someSvg,
  svgUri,
} from '../../support/signatures.ts';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');
const png = (...parts: Uint8Array[]) => base64(Buffer.concat(parts));
const svg = (text: string) => `data:image/svg+xml;utf8,${text}`;
const drawing = (inner: string, attributes = XMLNS) => svg(`<svg ${attributes}>${inner}</svg>`);
const damaged = Buffer.from(somePng);
damaged[20] = 9;

const refusalOf = (text: string): string => {
  const read = readSignature(text);
  return read.kind === 'refused' ? read.message : 'taken';
};

describe('a signature that is taken', () => {
  test.each([
    ['a data URI of a PNG', pngUri, somePng],
    ['scheme and type in capitals', pngUri.replace('data:image/png', 'DATA:Image/PNG'), somePng],
    ['the bare base64 of a PNG', base64(somePng), somePng],
    ['base64 in lines', ` ${base64(somePng).replaceAll(/(.{20})/g, '$1\r\n')} `, somePng],
  ])('is %s', (_, text, bytes) => {
    expect(readSignature(text)).toEqual({
      kind: 'signature',
      signature: { type: 'image/png', bytes: new Uint8Array(bytes) },
    });
  });

  test.each([
    ['percent-encoded', svgUri],
    ['percent-encoded without a charset', svgUri.replace(';utf8', '')],
    ['as it is, with a % and a # that stand for themselves', svg(someSvg)],
    ['in base64', `data:image/svg+xml;base64,${base64(someSvg)}`],
    ['in base64 with a charset', `data:image/svg+xml;charset=utf-8;base64,${base64(someSvg)}`],
  ])('is an SVG %s', (_, text) => {
    const bytes = new Uint8Array(Buffer.from(someSvg));
    expect(readSignature(text)).toEqual({ kind: 'signature', signature: { type: 'image/svg+xml', bytes } });
  });

  test.each([
    ['a declaration and comments', svg(`<?xml version="1.0" encoding="UTF-8"?><!-- by hand -->${someSvg}<!-- end -->`)],
    ['references to characters', drawing('<text>A &amp; B &#233; &#x2713;</text>')],
    ['names beside it', svg(`<svg ${XMLNS} ${LINK}><path d="M0 0" xml:space="preserve"/></svg>`)],
    [
      'a gradient of its own',
      drawing(
        '<defs><linearGradient id="a"/></defs><rect width="9" height="9" fill="url(#a)" style="stroke:url(\'#a\')"/>',
      ),
    ],
    ['groups', drawing('<g><g transform="scale(2)"><polyline points="0,0 4,5"/></g></g>')],
  ])('is an SVG with %s', (_, text) => {
    expect(refusalOf(text)).toBe('taken');
  });
});

describe('a signature that is refused', () => {
  test.each([
    ['words', 'Ana Diaz', 'must be a PNG or SVG'],
    ['a JPEG', 'data:image/jpeg;base64,/9j/4AAQ', 'this is "image/jpeg"'],
    ['a JPEG in bare base64', '/9j/4AAQSkZJRg==', 'must be a PNG or SVG'],
    ['a JPEG that says it is a PNG', 'data:image/png;base64,/9j/4AAQSkZJRg==', 'is no PNG'],
    ['a page', 'data:text/html,<script>1</script>', 'this is "text/html"'],
    ['an address', 'https://example.com/signature.png', 'must be a PNG or SVG'],
    ['nothing', 'data:image/png;base64,', 'is no PNG'],
    ['no base64', 'data:image/png;base64,%%%', 'is not base64'],
    ['a PNG in percents', 'data:image/png,%89PNG', 'must be base64'],
    ['too many characters', `data:image/svg+xml,${'x'.repeat(MAX_SIGNATURE_BYTES)}`, 'at most 262144 characters'],
    ['too many bytes', drawing(`<text>${'é'.repeat(140_000)}</text>`), 'it may have 262144'],
    ['Latin-1', 'data:image/svg+xml,<svg>%E9</svg>', 'is not UTF-8'],
  ])('is %s', (_, text, reason) => {
    expect(refusalOf(text)).toContain(reason);
  });

  test.each([
    ['cut off', base64(somePng.subarray(0, 50)), 'ends within its chunk IDAT'],
    ['cut off between chunks', png(pngMagic, pngHeader(), pngPixels), 'ends before its end'],
    ['damaged', base64(damaged), 'whose chunk IHDR is damaged'],
    ['followed by something', png(somePng, Buffer.from('<script>')), 'something behind its end'],
    ['without a header', png(pngMagic, pngPixels, pngEnd), 'without a header'],
    ['with two headers', png(pngMagic, pngHeader(), pngHeader(), pngPixels, pngEnd), 'two headers'],
    ['without image data', png(pngMagic, pngHeader(), pngEnd), 'without image data'],
    ['with a chunk of no name', png(pngMagic, pngHeader(), pngChunk('1234'), pngPixels, pngEnd), 'no name'],
    ['of no width', png(pngMagic, pngHeader({ width: 0 }), pngPixels, pngEnd), '0 × 2 pixels'],
    [
      'of too many pixels',
      png(pngMagic, pngHeader({ width: 8_000, height: 2_001 }), pngPixels, pngEnd),
      'it may have 16000000',
    ],
    [
      'of what no one can decode',
      png(pngMagic, pngHeader({}), pngChunk('IDAT', Buffer.from('scribble')), pngEnd),
      'is not deflated',
    ],
    ['of a mile', png(pngMagic, pngHeader({ height: 2 ** 31 - 1 }), pngPixels, pngEnd), 'a side may have 10000'],
    [
      'of an unknown colour',
      png(pngMagic, pngHeader({ colour: 5 }), pngPixels, pngEnd),
      'a form that PNG does not have',
    ],
    ['of a depth its colour has not', png(pngMagic, pngHeader({ colour: 2, depth: 4 }), pngPixels, pngEnd), 'a form'],
    ['of an unknown compression', png(pngMagic, pngHeader({ compression: 1 }), pngPixels, pngEnd), 'a form'],
  ])('is a PNG %s', (_, text, reason) => {
    expect(refusalOf(text)).toContain(reason);
  });

  test.each([
    ['that is no XML', svg('M 0 0 L 5 5'), 'text outside of svg'],
    ['with another root', svg('<html></html>'), 'html where only one svg may be'],
    ['with two roots', svg(someSvg + someSvg), 'only one svg may be'],
    ['that does not end', svg(`<svg ${XMLNS}><path d="M0 0"/>`), 'svg does not end'],
    ['that ends crosswise', drawing('<g><path></g></path>'), 'g ends where path is open'],
    ['with attributes without quotes', drawing('<path d=M0/>'), 'not well-formed'],
    ['with an attribute twice', drawing('<path d="M0" d="M1"/>'), 'd twice'],
    ['with -- in a comment', drawing('<!-- a -- b --><path/>'), 'comment'],
    ['with a control character', drawing('<path d="M0\u0001"/>'), 'a character that XML has not'],
    ['with a number that is no character', drawing('<text>&#0;</text>'), 'a reference to an entity'],
    ['with nothing drawn', drawing('<g></g><defs><path d="M0 0"/></defs>'), 'nothing drawn'],
    ['that is empty', svg(`<svg ${XMLNS}/>`), 'nothing drawn'],
    ['of another namespace', drawing('<path/>', 'xmlns="http://www.w3.org/1999/xhtml"'), 'xmlns'],
    ['with a script', drawing('<path/><script>alert(1)</script>'), 'an element script'],
    ['with foreign content', drawing('<foreignObject><path/></foreignObject>'), 'an element foreignObject'],
    ['with a picture', drawing('<path/><image href="https://example.com/a.png"/>'), 'an element image'],
    ['with an animation', drawing('<path><set attributeName="href" to="x"/></path>'), 'an element set'],
    ['with a style sheet', drawing('<style>@import "https://example.com"</style><path/>'), 'an element style'],
    ['with copies of copies', drawing('<g id="a"><path/></g><use href="#a"/>'), 'an element use'],
    ['with a link', drawing('<a href="https://example.com"><path/></a>'), 'an element a'],
    ['with an attribute that runs', drawing('<path onload="alert(1)"/>'), 'onload, which would run a script'],
    ['with one in capitals', drawing('<path ONCLICK="alert(1)"/>'), 'ONCLICK'],
    [
      'with a foreign reference',
      drawing('<linearGradient href="https://example.com/a#b"/><path/>'),
      'refers with href',
    ],
    [
      'with one by another name',
      drawing('<linearGradient x:href="//example.com"/><path/>', `${XMLNS} xmlns:x="http://www.w3.org/1999/xlink"`),
      'refers with x:href',
    ],
    ['with javascript', drawing('<path fill="java&#x73;cript:alert(1)"/>'), 'refers with fill'],
    ['with javascript in pieces', drawing('<path fill="java&#9;script:alert(1)"/>'), 'refers with fill'],
    ['with data', drawing('<path style="fill:url(data:image/png;base64,AA)"/>'), 'refers with style'],
    ['with a foreign paint', drawing('<path fill="url(https://example.com/a#b)"/>'), 'refers with fill'],
    [
      'with a foreign paint beside its own',
      drawing('<path style="fill:url(#a);stroke:url( \'b.svg#c\')"/>'),
      'refers with style',
    ],
    ['with a hidden url', drawing('<path style="fill:u\\72l(b.svg)"/>'), 'refers with style'],
    ['with a set of pictures', drawing('<path style="background:image-set(\'a.png\' 1x)"/>'), 'refers with style'],
    ['with another base', drawing('<path xml:base="https://example.com/" fill="url(#a)"/>'), 'refers with xml:base'],
    ['with a document type', svg(`<!DOCTYPE svg [<!ENTITY a "b">]>${someSvg}`), 'DOCTYPE'],
    ['with an entity', drawing('<text>&a;</text>'), 'a reference to an entity'],
    ['with a name of every object as an entity', drawing('<text>&constructor;</text>'), 'a reference to an entity'],
    ['with CDATA', drawing('<text><![CDATA[<script>]]></text>'), 'CDATA'],
    ['with an instruction', drawing('<?xml-stylesheet href="a.css"?><path/>'), 'a processing instruction'],
    ['that is a well without bottom', drawing('<g>'.repeat(60_000)), 'nests more than 50 deep'],
  ])('is an SVG %s', (_, text, reason) => {
    expect(refusalOf(text)).toContain(reason);
  });

  test('is a PNG with any one byte changed, cut off anywhere, or with anything behind it', () => {
    const bytes = [...somePng];
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const other = bytes.with(place, (bytes[place] ?? 0) ^ change);
        expect(refusalOf(base64(Uint8Array.from(other)))).not.toBe('taken');
        expect(refusalOf(base64(somePng.subarray(0, place)))).not.toBe('taken');
        expect(refusalOf(png(somePng, Buffer.from([change])))).not.toBe('taken');
      }),
    );
  });

  test('is told in a sentence whatever is sent, and at once', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.string().map((text) => `data:image/svg+xml,${text}`),
      fc
        .array(fc.constantFrom('<', '>', '/', 'svg', 'path', ' d="M0"', '&', ';', '#', '%', '"', '<!--', '-->', '<?'))
        .map((parts) => svg(parts.join(''))),
    );
    fc.assert(
      fc.property(odd, (text) => {
        expect(refusalOf(text)).toMatch(/^(taken$|must |is |has )/);
      }),
    );
    for (const endless of ['<path ', '<path a=""', '<!--', '<path a="', '&', '</', '<path a'])
      expect(refusalOf(drawing(endless.repeat(Math.floor(200_000 / endless.length))))).not.toBe('taken');
  });
});
