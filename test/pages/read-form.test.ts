import { expect, test } from 'vitest';
import { readForm } from '../../lib/api/http/read-form.ts';

const read = (body: string): URLSearchParams => readForm({ body, headers: {}, isBase64Encoded: false });

const asBytes = (body: Buffer, type = 'application/x-www-form-urlencoded') => ({
  body: body.toString('base64'),
  headers: { 'content-type': type },
  isBase64Encoded: true,
});

const tooLarge = expect.objectContaining({ status: 413 });

test('a form has at most 100 fields and 16 KB, and a signature of up to 512 KB as it is sent', () => {
  expect(() => read('a&'.repeat(100))).toThrow(tooLarge);
  expect([...read('a=1&'.repeat(99))]).toHaveLength(99);
  expect(() => read(`a=${'x'.repeat(16 * 1024)}`)).toThrow(tooLarge);
  expect(read(`action=accept&drawing=${'x'.repeat(500_000)}`).get('drawing')).toHaveLength(500_000);
  expect(() => read(`drawing=${'x'.repeat(512 * 1024)}`)).toThrow(tooLarge);
});

test('4,000 characters of any script fit into a form', () => {
  const note = '窓'.repeat(4000);
  const body = new URLSearchParams({ action: 'feedback', note }).toString();
  expect(read(body).get('note')).toBe(note);
  expect(readForm(asBytes(Buffer.from(body))).get('note')).toBe(note);
});

test('the fields of a form are read in its charset, encoded or not, and what is not valid in it is 400', () => {
  const type = 'application/x-www-form-urlencoded; charset=windows-1252';
  for (const body of ['name=Ren\xe9e+\x80', 'name=Ren%E9e+%80'])
    expect(readForm(asBytes(Buffer.from(body, 'latin1'), type)).get('name')).toBe('Renée €');
  expect(readForm(asBytes(Buffer.from('a%3D=b%26c&=d&e&%zz=100%'))).toString()).toBe(
    new URLSearchParams('a%3D=b%26c&=d&e&%zz=100%').toString(),
  );
  const invalid = expect.objectContaining({ code: 'invalid_body' });
  for (const body of ['name=Ren\xe9e', 'name=Ren%E9e'])
    expect(() => readForm(asBytes(Buffer.from(body, 'latin1')))).toThrow(invalid);
});
