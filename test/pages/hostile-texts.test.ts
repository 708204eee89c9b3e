import ICAL from 'ical.js';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { blankLine } from '../../lib/domain/invoices/record.ts';
import { visitCalendar } from '../../lib/pages/visit-calendar.ts';
import { visitsFeed } from '../../lib/pages/visits-feed.ts';
import { invoicePdf } from '../../lib/pages/pdf/invoice.ts';
import { feedViewOf } from '../support/feed-views.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { frame, invoiceViewOf, pagesWith, visitViewOf } from '../support/page-views.ts';
import { parseHtml, plain } from '../support/parsed-html.ts';

/** Elements that no text of a page makes; the page itself has one script and two style sheets. */
const DANGEROUS =
  /^(iframe|svg|style|base|math|template|script\[(?!type src\])|img\[(?!src alt( width height loading)?\])|\w+\[[^\]]*\bon)/m;
const KNOWN_ADDRESS = /^(data:,$|https:\/\/|\/c\/|#content|tel:[\d+]*$|mailto:)/;

test('hostile texts change no element of any page, open no other address, and stand there as they are', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(100);
  const benign = Object.entries(pagesWith('Ana Diaz')).map(([name, html]) => [name, parseHtml(html)] as const);
  // A list of what is wrong: an assertion for each of thousands of pages would take as long as the pages.
  const wrong: unknown[] = [];
  for (const text of hostileTexts) {
    // Lines of a text become paragraphs and breaks: of such texts only what is dangerous is looked for.
    const isOneLine = !/[\r\n]/.test(text);
    const parts = text.split(/[\r\n]+/).map(plain);
    const shown = pagesWith(text);
    for (const [name, expected] of benign) {
      const { structure, texts, addresses } = parseHtml(shown[name] ?? '');
      const said = plain(texts);
      const isSame = isOneLine ? structure === expected.structure : !DANGEROUS.test(structure);
      const survives = parts.every((part) => said.includes(part));
      if (!isSame || !survives || !addresses.every((address) => KNOWN_ADDRESS.test(address)))
        wrong.push({ name, text, isSame, survives, addresses });
    }
  }
  expect(wrong).toEqual([]);
});

test('hostile texts add no line to a calendar file', () => {
  const lines = (text: string): string[] =>
    visitCalendar([{ ...visitViewOf(text), uid: 'visit-1@example.com' }], { method: 'PUBLISH', now: 0 })
      .replaceAll('\r\n ', '')
      .split('\r\n');
  const names = (text: string): string[] => lines(text).map((line) => line.split(/[:;]/, 1)[0] ?? '');
  const expected = names('Ana Diaz');
  for (const text of hostileTexts) {
    expect(names(text), JSON.stringify(text)).toEqual(expected);
    const summary = lines(text).find((line) => line.startsWith('SUMMARY:')) ?? '';
    // eslint-disable-next-line no-control-regex
    expect(summary).not.toMatch(/[\u0000-\u001f]/);
  }
});

test('hostile texts add no line to a feed, and a calendar reads them as they are', () => {
  for (const text of hostileTexts) {
    const feed = visitsFeed(frame.wording, feedViewOf(text));
    const names = (of: string) =>
      of
        .replaceAll('\r\n ', '')
        .split('\r\n')
        .map((line) => line.split(/[:;]/, 1)[0]);
    expect(names(feed), JSON.stringify(text)).toEqual(names(visitsFeed(frame.wording, feedViewOf('Ana Diaz'))));
    for (const line of feed.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const event = new ICAL.Component(ICAL.parse(feed)).getFirstSubcomponent('vevent');
    const shown = text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/(?!\n)\p{Cc}/gu, '')
      .toWellFormed();
    expect(event?.getFirstPropertyValue('location')).toBe(shown);
  }
});

test('hostile texts are text in a PDF, and nothing that a reader runs', async () => {
  const view = invoiceViewOf('Ana Diaz');
  const Lines = hostileTexts.map((Description, index) => blankLine({ Id: index + 1, Description, Rate: 1 }));
  const { content } = await invoicePdf(frame.wording, { ...view, invoice: { ...view.invoice, Lines } });
  const document = await getDocumentProxy(new Uint8Array(content));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  const found = text.replaceAll(/\s+/g, '');
  expect(totalPages).toBeGreaterThan(1);
  const inFont = hostileTexts.filter((each) => /^[\x20-\x7e]+$/.test(each));
  expect(inFont.length).toBeGreaterThan(hostileTexts.length / 2);
  expect(inFont.filter((each) => !found.includes(each.replaceAll(/\s+/g, '')))).toEqual([]);
  expect(await document.getJSActions()).toBe(null);
  expect(await document.getOpenAction()).toBe(null);
  const annotations = await Promise.all(
    Array.from({ length: totalPages }, async (_, page) => (await document.getPage(page + 1)).getAnnotations()),
  );
  expect(annotations.flat()).toEqual([]);
});
