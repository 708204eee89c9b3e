import { describe, expect, test } from 'vitest';
import { decodeText } from '../../lib/shared/text/charset.ts';
import { parseForm } from '../../lib/shared/web/multipart.ts';

const invalidBody = expect.objectContaining({ code: 'invalid_body' });

describe('a text', () => {
  test.each([
    ['utf-8', 'é€', [0xc3, 0xa9, 0xe2, 0x82, 0xac]],
    ['windows-1252', 'é€’', [0xe9, 0x80, 0x92]],
    ['iso-8859-1', 'é', [0xe9]],
    ['utf-16le', 'é', [0xe9, 0x00]],
    ['shift_jis', '窓', [0x91, 0x8b]],
  ])('is decoded by its charset: %s', (charset, text, bytes) => {
    expect(decodeText(Uint8Array.from(bytes), charset)).toBe(text);
  });

  test.each([
    ['utf-8', [0xe9]],
    ['shift_jis', [0x91]],
    ['utf-77', [0x41]],
  ])('that is not valid in its charset, or of an unknown one, is 400: %s %j', (charset, bytes) => {
    expect(() => decodeText(Uint8Array.from(bytes), charset)).toThrow(invalidBody);
  });
});

describe('a part of a form', () => {
  /** Sends `Ren\xe9e \x80`, or `text`, as a field and as the name of a file. */
  const parse = (type: string, text = 'Ren\xe9e \x80', partType = 'text/plain') => {
    const part = (head: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const field = part(`name="Note"\r\nContent-Type: ${partType}`, text);
    const file = part(`name="files"; filename="${text}.txt"`, 'content \xef\xbf\xbd');
    const body = Buffer.from(`${field}${file}--x--\r\n`, 'latin1').toString('base64');
    return parseForm({ contentType: `${type}; boundary=x`, body, isBase64Encoded: true }, { files: 5, bytes: 1_000 });
  };
  const read = (text: string) => ({
    kind: 'form',
    form: { fields: [['Note', text]], files: [{ filename: `${text}.txt` }] },
  });
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');

  test('is read in UTF-8, or in the charset of the form', async () => {
    expect(await parse('multipart/form-data', utf8('Renée €'))).toMatchObject(read('Renée €'));
    expect(await parse('multipart/form-data; charset=windows-1252')).toMatchObject(read('Renée €'));
  });

  test('that has U+FFFD keeps it', async () => {
    expect(await parse('multipart/form-data', utf8('Ren\uFFFDe'))).toMatchObject(read('Ren\uFFFDe'));
  });

  test('that is not valid in its charset is refused, in a field and in the name of a file', async () => {
    for (const type of ['multipart/form-data', 'multipart/form-data; charset=utf-77'])
      expect(await parse(type)).toMatchObject({ kind: 'malformed' });
    expect(await parse('multipart/form-data', 'Ren\xe9e', 'text/plain; charset=utf-8')).toMatchObject({
      kind: 'malformed',
    });
    expect(await parse('multipart/form-data', utf8('Renée'), 'text/plain; charset=shift_jis')).toMatchObject({
      kind: 'malformed',
    });
  });
});
