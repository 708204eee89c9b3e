import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { MAX_SIGNATURE_BYTES, readSignature } from '../../../lib/domain/signing/evidence.ts';
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
damaged[45] = 9;

/** A PNG of RGBA of 3 × 2 pixels. */
const pngOf = (data: Buffer): string => {
  const picture = new PNG({ width: 3, height: 2 });
  data.copy(picture.data);
  return base64(PNG.sync.write(picture));
};

const readError = async (text: string): Promise<string> => {
  const result = readSignature(text);
  return result.kind === 'refused' ? result.message : 'accepted';
};

describe('an accepted signature', () => {
  test.each([
    ['a data URI of a PNG', pngUri, somePng],
    ['scheme and type in capitals', pngUri.replace('data:image/png', 'DATA:Image/PNG'), somePng],
    ['the bare base64 of a PNG', base64(somePng), somePng],
    ['base64 in lines', ` ${base64(somePng).replaceAll(/(.{20})/g, '$1\r\n')} `, somePng],
  ])('is %s', async (_, text, bytes) => {
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
  ])('is an SVG %s', async (_, text) => {
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
  ])('is an SVG with %s', async (_, text) => {
    expect(await readError(text)).toBe('accepted');
  });
});

describe('a refused signature', () => {
  test.each([
    ['words', 'Ana Diaz', 'must be a PNG or SVG'],
    ['a JPEG', 'data:image/jpeg;base64,/9j/4AAQ', 'this is "image/jpeg"'],
    ['a JPEG in bare base64', '/9j/4AAQSkZJRg==', 'must be a PNG or SVG'],
    ['a JPEG that says it is a PNG', 'data:image/png;base64,/9j/4AAQSkZJRg==', 'is not a PNG'],
    ['a page', 'data:text/html,<script>1</script>', 'this is "text/html"'],
    ['an address', 'https://example.com/signature.png', 'must be a PNG or SVG'],
    ['nothing', 'data:image/png;base64,', 'is not a PNG'],
    ['no base64', 'data:image/png;base64,%%%', 'is not base64'],
    ['a PNG in percents', 'data:image/png,%89PNG', 'must be base64'],
    ['too many characters', `data:image/svg+xml,${'x'.repeat(MAX_SIGNATURE_BYTES)}`, 'at most 262144 characters'],
    ['too many bytes', drawing(`<text>${'é'.repeat(140_000)}</text>`), 'the maximum is 262144'],
    ['Latin-1', 'data:image/svg+xml,<svg>%E9</svg>', 'is not UTF-8'],
  ])('is %s', async (_, text, reason) => {
    expect(await readError(text)).toContain(reason);
  });

  test.each([
    ['cut off', base64(somePng.subarray(0, 50)), 'does not end with its IEND'],
    ['cut off between chunks', png(pngMagic, pngHeader(), pngPixels), 'does not end with its IEND'],
    ['damaged', base64(damaged), 'image data is damaged'],
    ['followed by something', png(somePng, Buffer.from('<script>')), 'does not end with its IEND'],
    ['without exactly one header', png(pngMagic, pngPixels, pngEnd), 'without exactly one header'],
    ['with two headers', png(pngMagic, pngHeader(), pngHeader(), pngPixels, pngEnd), 'without exactly one header'],
    ['without image data', png(pngMagic, pngHeader(), pngEnd), 'without image data'],
    [
      'with a chunk of no name',
      png(pngMagic, pngHeader(), pngChunk('1234'), pngPixels, pngEnd),
      'a chunk of invalid type',
    ],
    ['of no width', png(pngMagic, pngHeader({ width: 0 }), pngPixels, pngEnd), '0 × 2 pixels'],
    [
      'of too many pixels',
      png(pngMagic, pngHeader({ width: 8_000, height: 2_001 }), pngPixels, pngEnd),
      'the maximum is 4000000 pixels',
    ],
    [
      'of too many bytes when decoded',
      png(pngMagic, pngHeader({ width: 2_000, height: 2_000, depth: 16, colour: 6 }), pngPixels, pngEnd),
      'the maximum is 10000000',
    ],
    ['that is transparent', pngOf(Buffer.alloc(4 * 3 * 2)), 'draws nothing'],
    [
      'of what no one can decode',
      png(pngMagic, pngHeader({}), pngChunk('IDAT', Buffer.from('scribble')), pngEnd),
      'image data is damaged',
    ],
    [
      'of a mile',
      png(pngMagic, pngHeader({ height: 2 ** 31 - 1 }), pngPixels, pngEnd),
      'the maximum is 10000 per side',
    ],
    ['of an unknown colour', png(pngMagic, pngHeader({ colour: 5 }), pngPixels, pngEnd), 'which PNG does not define'],
    [
      'of a depth its colour has not',
      png(pngMagic, pngHeader({ colour: 2, depth: 4 }), pngPixels, pngEnd),
      'which PNG does not define',
    ],
    [
      'with too little image data',
      png(pngMagic, pngHeader({ height: 99 }), pngPixels, pngEnd),
      'too little image data',
    ],
    [
      'with too little interlaced data',
      png(pngMagic, pngHeader({ height: 99, interlace: 1 }), pngPixels, pngEnd),
      'is a damaged PNG',
    ],
    [
      'that needs a palette and has none',
      png(pngMagic, pngHeader({ colour: 3 }), pngPixels, pngEnd),
      'is a damaged PNG',
    ],
    [
      'that inflates to far more than its size',
      png(pngMagic, pngHeader({ interlace: 1 }), pngChunk('IDAT', deflateSync(Buffer.alloc(50_000_000))), pngEnd),
      'image data is damaged',
    ],
    [
      'with a damaged checksum',
      png(pngMagic, pngHeader(), Buffer.from(pngPixels).fill(7, pngPixels.length - 1), pngEnd),
      'is a damaged PNG',
    ],
    ['of an unknown compression', png(pngMagic, pngHeader({ compression: 1 }), pngPixels, pngEnd), 'is a damaged PNG'],
  ])('is a PNG %s', async (_, text, reason) => {
    expect(await readError(text)).toContain(reason);
  });

  test.each([
    ['that is no XML', svg('M 0 0 L 5 5'), 'text data outside of root node'],
    ['with another root', svg('<html></html>'), 'the root element html instead of svg'],
    ['with two roots', svg(someSvg + someSvg), 'only one root'],
    ['that does not end', svg(`<svg ${XMLNS}><path d="M0 0"/>`), 'unclosed tag: svg'],
    ['that ends crosswise', drawing('<g><path></g></path>'), 'unexpected close tag'],
    ['with attributes without quotes', drawing('<path d=M0/>'), 'not well-formed XML'],
    ['with an attribute twice', drawing('<path d="M0" d="M1"/>'), 'duplicate attribute: d'],
    ['with -- in a comment', drawing('<!-- a -- b --><path/>'), 'malformed comment'],
    ['with a control character', drawing('<path d="M0\u0001"/>'), 'disallowed character'],
    ['with a number that is no character', drawing('<text>&#0;</text>'), 'entity'],
    ['with nothing drawn', drawing('<g></g><defs><path d="M0 0"/></defs>'), 'draws nothing'],
    ['that is empty', svg(`<svg ${XMLNS}/>`), 'draws nothing'],
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
      'outside itself in its attribute href',
    ],
    [
      'with one by another name',
      drawing('<linearGradient x:href="//example.com"/><path/>', `${XMLNS} xmlns:x="http://www.w3.org/1999/xlink"`),
      'outside itself in its attribute x:href',
    ],
    ['with javascript', drawing('<path fill="java&#x73;cript:alert(1)"/>'), 'outside itself in its attribute fill'],
    [
      'with javascript in pieces',
      drawing('<path fill="java&#9;script:alert(1)"/>'),
      'outside itself in its attribute fill',
    ],
    [
      'with data',
      drawing('<path style="fill:url(data:image/png;base64,AA)"/>'),
      'outside itself in its attribute style',
    ],
    [
      'with a foreign paint',
      drawing('<path fill="url(https://example.com/a#b)"/>'),
      'outside itself in its attribute fill',
    ],
    [
      'with a foreign paint beside its own',
      drawing('<path style="fill:url(#a);stroke:url( \'b.svg#c\')"/>'),
      'outside itself in its attribute style',
    ],
    ['with a hidden url', drawing('<path style="fill:u\\72l(b.svg)"/>'), 'outside itself in its attribute style'],
    [
      'with a set of pictures',
      drawing('<path style="background:image-set(\'a.png\' 1x)"/>'),
      'outside itself in its attribute style',
    ],
    [
      'with another base',
      drawing('<path xml:base="https://example.com/" fill="url(#a)"/>'),
      'outside itself in its attribute xml:base',
    ],
    ['with a document type', svg(`<!DOCTYPE svg [<!ENTITY a "b">]>${someSvg}`), 'DOCTYPE'],
    ['with an entity', drawing('<text>&a;</text>'), 'entity'],
    ['with a name of every object as an entity', drawing('<text>&constructor;</text>'), 'entity'],
    ['with CDATA', drawing('<text><![CDATA[<script>]]></text>'), 'CDATA'],
    ['with an instruction', drawing('<?xml-stylesheet href="a.css"?><path/>'), 'a processing instruction'],
    ['that is a well without bottom', drawing('<g>'.repeat(60_000)), 'nests elements more than 50 deep'],
  ])('is an SVG %s', async (_, text, reason) => {
    expect(await readError(text)).toContain(reason);
  });

  test('is stored without chunks that draw nothing', () => {
    const texts = [pngChunk('tEXt', Buffer.from('Author\0Ana')), pngChunk('eXIf', Buffer.from('place'))];
    const result = readSignature(png(pngMagic, pngHeader(), ...texts, pngPixels, ...texts, pngEnd));
    expect(result).toEqual({ kind: 'signature', signature: { type: 'image/png', bytes: new Uint8Array(somePng) } });
  });

  test('is a PNG with any one byte changed, cut off anywhere, or followed by anything', async () => {
    const bytes = [...somePng];
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const other = bytes.with(place, (bytes[place] ?? 0) ^ change);
        expect(await readError(base64(Uint8Array.from(other)))).not.toBe('accepted');
        expect(await readError(base64(somePng.subarray(0, place)))).not.toBe('accepted');
        expect(await readError(png(somePng, Buffer.from([change])))).not.toBe('accepted');
      }),
    );
  });

  test('is answered with a reason, whatever is sent, and without delay', async () => {
    const odd = fc.oneof(
      fc.string(),
      fc.string().map((text) => `data:image/svg+xml,${text}`),
      fc
        .array(fc.constantFrom('<', '>', '/', 'svg', 'path', ' d="M0"', '&', ';', '#', '%', '"', '<!--', '-->', '<?'))
        .map((parts) => svg(parts.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (text) => {
        expect(await readError(text)).toMatch(/^(accepted$|must |is |has )/);
      }),
    );
    for (const endless of ['<path ', '<path a=""', '<!--', '<path a="', '&', '</', '<path a'])
      expect(await readError(drawing(endless.repeat(Math.floor(200_000 / endless.length))))).not.toBe('accepted');
  });
});
