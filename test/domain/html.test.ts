import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitizeHtml } from '../../lib/domain/html.ts';

describe('HTML made harmless', () => {
  test.each([
    [
      'what is allowed stays',
      '<h2>Spring</h2><p>Seed <b>early</b> &amp; water.<br>Then <a href="https://a.example/x?a=1&amp;b=2" title="More">rest</a></p>',
      '<h2>Spring</h2><p>Seed <b>early</b> &amp; water.<br>Then <a href="https://a.example/x?a=1&amp;b=2" title="More">rest</a></p>',
    ],
    [
      'pictures with sizes stay',
      "<IMG SRC='https://a.example/p.png' WIDTH=40 height='5em' alt='A \"lawn\"'/>",
      '<img src="https://a.example/p.png" width="40" alt="A &quot;lawn&quot;">',
    ],
    ['other tags go and their text stays', '<section><font color=red>Red</font></section>', 'Red'],
    ['scripts go with all that is in them', 'a<script>alert("<b>1</b>")</script >b<style>p{}</style>c', 'abc'],
    ['an open script takes the rest', 'a<ScRiPt >alert(1)<b>x</b>', 'a'],
    ['handlers go', '<p onclick="alert(1)" onmouseover=alert(2)>a</p>', '<p>a</p>'],
    ['styles and classes go', '<p style="background:url(javascript:1)" class="x" id="y">a</p>', '<p>a</p>'],
    [
      'links that run go',
      '<a href="javascript:alert(1)">a</a><a href=" java\nscript:alert(1)">b</a><a href="&#106;avascript:alert(1)">c</a><a href="java&Tab;script:alert(1)">d</a>',
      '<a>a</a><a>b</a><a>c</a><a>d</a>',
    ],
    [
      'data and protocol-relative addresses go',
      '<img src="data:image/svg+xml,x"><img src="//a.example/x"><a href="\\\\a.example">x</a><a href="/\\a.example">y</a>',
      '<img><img><a>x</a><a>y</a>',
    ],
    [
      'places on the own site stay',
      '<a href="/contact">a</a><a href="#top">b</a><a href="mailto:a@b.example">c</a>',
      '<a href="/contact">a</a><a href="#top">b</a><a href="mailto:a@b.example">c</a>',
    ],
    ['pictures are not mailed', '<img src="mailto:a@b.example">', '<img>'],
    [
      'comments and declarations go',
      '<!DOCTYPE html><!-- <b> --><p>a</p><!--[if IE]><script>1</script><![endif]--><?php x ?>b',
      '<p>a</p>b',
    ],
    ['an open comment takes the rest', 'a<!-- <p>b</p>', 'a'],
    ['what is no tag is text', '1 < 2 & 3 > 2 <3 </ > <>', '1 &lt; 2 &amp; 3 &gt; 2 &lt;3 &lt;/ &gt; &lt;&gt;'],
    ['a tag that never ends is text', '<p>a<img src="x', '<p>a&lt;img src="x</p>'],
    ['tags are closed in order', '<ul><li>a<li>b</ul></p><i>c', '<ul><li>a<li>b</li></li></ul><i>c</i>'],
    ['svg and math go', '<svg><p><style><!--</style><img src=x onerror=alert(1)></svg>a<math><mi>x</mi></math>b', 'ab'],
    [
      'quotes in attributes do not get out',
      '<a title="&quot;&gt;<script>alert(1)</script>">a</a>',
      '<a title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a</a>',
    ],
    [
      'a doubled attribute counts once',
      '<a href="https://a.example/" href="https://b.example/">a</a>',
      '<a href="https://a.example/">a</a>',
    ],
    ['names of objects are no elements', '<constructor>a</constructor><__proto__>b', 'a&lt;__proto__&gt;b'],
  ])('%s', (_, html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected);
    expect(sanitizeHtml(expected)).toBe(expected);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      ';',
      '/',
      '=',
      ' ',
      '\n',
      '<!--',
      '-->',
      '<script',
      '</script>',
      '<p',
      '<a href=',
      '<img src=',
      ' onerror=alert(1)',
      'javascript:',
      'https://a.example/',
      '&lt',
      '&lt;',
      '&amp;',
      '&#60;',
      '&#x3c;',
      '<b>',
      '</b>',
      '<ul>',
      '<li>',
      '</ul>',
      '<svg>',
      '<style>',
      '<title>',
      '<![CDATA[',
      ']]>',
      '\\',
      '\u0000',
      'x',
    ),
    fc.string({ maxLength: 5 }),
  );
  const soup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  /** Every tag that is written, whole: nothing else may hold a `<`. */
  const WRITTEN = /<\/[a-z][a-z0-9]*>|<[a-z][a-z0-9]*(?: [a-z]+="[^"<>]*")*>/g;

  test('whatever it is made of: only whole tags of listed elements, no handler, no running address, and the second time the same', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const harmless = sanitizeHtml(html);
        expect(harmless.replaceAll(WRITTEN, '')).not.toMatch(/[<>]/);
        for (const [tag] of harmless.matchAll(WRITTEN)) {
          expect(tag).not.toMatch(
            /^<\/?(?:script|style|svg|math|iframe|object|embed|template|title|textarea|form|input|base|link|meta)\b/,
          );
          expect(tag).not.toMatch(/ (?:on\w+|style|srcdoc)=/);
          for (const [, address] of tag.matchAll(/ (?:href|src|cite)="([^"]*)"/g))
            expect(address).toMatch(/^(?:https?:\/\/|mailto:|tel:|#|\/(?!\/))/i);
        }
        expect(sanitizeHtml(harmless)).toBe(harmless);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '<a "',
    '<a \'"',
    '<',
    '<p ',
    '<!--',
    '<p>',
    '&',
    '<a href="',
    '"<a ',
    '<script>',
    '</p>',
    '<a x=" ',
    "<a href='",
  ])('100,000 characters of %s take no longer than half a second', (part) => {
    const html = part.repeat(Math.ceil(100_000 / part.length));
    const start = performance.now();
    sanitizeHtml(html);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
