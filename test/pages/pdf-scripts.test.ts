import { PDFiumLibrary } from '@hyzyla/pdfium';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { wordingOf } from '../../lib/pages/language.ts';
import { ClientDocument, type ClientPdf } from '../../lib/pages/pdf/document.ts';
import { invoiceViewOf } from '../support/page-views.ts';

const { company } = invoiceViewOf('Green Lawn');

async function pdfOf(text: string): Promise<ClientPdf> {
  const document = await ClientDocument.open(wordingOf('en', 'US'), {
    title: 'Title',
    date: new Date(0),
    company,
    logo: undefined,
  });
  return document.text(text).end();
}

/** What Chromium's reader of PDFs reads in a document of a text, and the letters that it has no font for. */
async function readBack(text: string): Promise<{ read: string; missing: readonly string[] }> {
  const { content, missing } = await pdfOf(text);
  const library = await PDFiumLibrary.init();
  const opened = await library.loadDocument(content);
  const read = opened.getPage(0).getText();
  opened.destroy();
  library.destroy();
  return { read: read.split('Title')[1]?.replaceAll(/\s+/g, ' ').trim().normalize('NFC') ?? '', missing };
}

test.each([
  ['Latin', 'Façade in Łódź, Ægir & Co. — 50 €'],
  ['Cyrillic', 'Анна Ковальчук, ЩЁ'],
  ['Greek', 'Ωμέγα Παπαδόπουλος'],
  ['Arabic', 'شركة النور للتنظيف'],
  ['Hebrew', 'שלום עולם (חברה)'],
  ['simplified Han', '汉语简体，清洁服务。'],
  ['traditional Han', '漢語繁體清潔服務'],
  ['kana', 'カタカナとひらがな、日本語'],
  ['Hangul', '한국어 이름 김민수'],
  ['Thai', 'ทำความสะอาดน้ำตู้'],
  ['Devanagari', 'हिन्दी क्षत्रिय किताब श्री'],
  ['Tamil', 'தமிழ் கொழும்பு'],
  ['Bengali', 'বাংলা কোলকাতা ক্ষেত্র'],
  ['emoji', 'Trees 🌳 and 🏠 👍'],
  ['several', 'Zoë 李明 Анна 김 🌿'],
])('a PDF has %s as it was stored', async (_, text) => {
  expect(await readBack(text)).toEqual({ read: text, missing: [] });
});

test.each(['For שלום עולם Ltd', 'Invoice for شركة النور'])(
  'a line of two directions is read in its order: %s',
  async (text) => {
    const { text: read } = await extractText(await getDocumentProxy(new Uint8Array((await pdfOf(text)).content)), {
      mergePages: true,
    });
    expect(read.split('\n').at(-1)).toBe(text);
  },
);

test('a letter that no font has is a box, reads as it was stored, and is reported', async () => {
  expect(await readBack('Name ᚠ 1ꡀ!')).toEqual({ read: 'Name ᚠ 1ꡀ!', missing: ['ᚠ', 'ꡀ'] });
});

test('a text in a script without spaces, or of one word, is broken at the edge', async () => {
  const text = `${'清潔服務'.repeat(60)} ${'wordswithoutend'.repeat(20)} ${'ทำความสะอาด'.repeat(20)}`;
  const { read, missing } = await readBack(text);
  expect([read.replaceAll(' ', ''), missing]).toEqual([text.replaceAll(' ', ''), []]);
});
