import fc from 'fast-check';
import { PNG } from 'pngjs';
import { anyCharacter } from './random/characters.ts';

/** A picture of one color. */
export function pngPicture(width: number, height: number): Buffer {
  const picture = new PNG({ width, height });
  picture.data.fill(0x80);
  return PNG.sync.write(picture);
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Beginnings of many types, of which the rest is random. */
const beginnings = [
  '',
  '\xff\xd8\xff\xe0\0\x10JFIF\0',
  '\xff\xd8\xff\xe1\0\x08Exif\0\0',
  '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'GIF89a',
  'RIFF\x10\0\0\0WEBPVP8 ',
  'RIFF\x10\0\0\0WEBPVP8X',
  '%PDF-1.4',
  'PK\x03\x04',
  '\0\0\0\x18ftypheic',
  'II*\0',
  'BM',
  'MZ',
  '\x7fELF',
  '#!/bin/sh\n',
  '<html>',
  ' <svg xmlns="http://www.w3.org/2000/svg">',
  '<?xml version="1.0"?>',
  '\x1f\x8b\x08',
  'ID3',
  'OggS',
].map(latin1);

const names = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }).filter((name) => !name.includes('\0')),
  fc.constantFrom(
    'photo.jpg',
    'a.pdf',
    '../../etc/passwd',
    'CON',
    'a\u202egpj.exe',
    '.',
    'x'.repeat(900),
    'a"b\r\nc.txt',
  ),
);

/** A file with a name and a type that say nothing of its content. */
export const randomFile = fc.record({
  name: names,
  type: fc.constantFrom('image/png', 'text/html', 'image/svg+xml', 'application/x-msdownload', '', 'x'),
  content: fc
    .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 400 }))
    .map(([start, rest]) => new Uint8Array([...start, ...rest]))
    .filter((content) => content.length > 0),
});
