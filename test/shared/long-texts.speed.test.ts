import ts from 'typescript';
import { expect, test } from 'vitest';
import { readers, sources } from '../support/text-readers.ts';

/** Beginnings that fit a pattern, repeated, and an end that does not. */
const units = [
  'a',
  ' ',
  '1',
  'a ',
  '1-',
  'a@',
  'a.',
  '(',
  '\u0301',
  'é',
  'ﷺ',
  "'",
  '+1 ',
  '2026-',
  '1H',
  '#',
  '%',
  '/',
];
const hostile = (length: number): string[] =>
  ['', 'http://', 'a@', 'PT', '+1', '2026-'].flatMap((start) =>
    units.map((unit) => `${start}${unit.repeat(length / unit.length)}!`),
  );

/** The CPU of reading all texts of a length, in milliseconds; the less of two runs. */
function cpuOf(read: (text: string) => unknown, length: number): number {
  const texts = hostile(length);
  const figures = [1, 2].map(() => {
    const before = process.cpuUsage();
    for (const text of texts)
      try {
        read(text);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...figures);
}

test.each(Object.entries(readers))('%s takes no more than linear time for a text', (_, read) => {
  const [short, long] = [cpuOf(read, 1_000), cpuOf(read, 16_000)];
  // Linear is 16, square is 256; what takes less than a tenth of a millisecond a text is not measured.
  expect(long / Math.max(short, 1)).toBeLessThan(64);
});

/**
 * The regular expressions of lib and functions, from their sources: whatever a caller's text can reach is among them.
 * Those made by `new RegExp` are read through the readers of test/support/text-readers.ts.
 */
function literalsIn({ file, text }: (typeof sources)[number]): { name: string; pattern: RegExp }[] {
  const found: { name: string; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      found.push({ name: `${file}: ${node.text}`, pattern: new RegExp(source, flags) });
    }
    ts.forEachChild(node, visit);
  };
  if (text.includes('/')) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

const literals = new Map(sources.flatMap(literalsIn).map(({ name, pattern }) => [name, pattern]));

/** Patterns that take square time for a text of any length, and the longest text that reaches them. */
const bounded: Readonly<Record<string, number>> = {
  // normalizePhone reads no more.
  [String.raw`lib/shared/text/phones.ts: /(?:;ext=|,,+|#|(?<!\p{L})(?:extension|extn?|xtn?|x)[.:]?)\s*#?\d{1,7}[\s#)]*$/iu`]: 200,
  // The words of a number: 309 digits at most.
  [String.raw`lib/shared/money.ts: /\B(?=(?:\d{3})+\.)/g`]: 312,
  [String.raw`lib/domain/pricebook/service-to-resource.ts: /\B(?=(?:\d{3})+$)/g`]: 312,
  // Of the first 100 characters of a slug.
  'lib/domain/blogs.ts: /-+$/': 100,
  // A message of DynamoDB, which no caller writes.
  'lib/store/dynamodb/errors.ts: /item size .*exceeded|(aggregate|payload) size/i': 2_000,
};

/** Repeated texts that begin to fit a pattern, of its own characters and of others, with an end that does not fit. */
function attacks(pattern: RegExp, length: number): string[] {
  const own = pattern.source.replaceAll(/\\.|\[[^\]]*\]|\{[^}]*\}|[()^$?*+|]/g, '').slice(0, 12);
  const characters = new Set([...units, ...own, own, '-', '_', '.', ',', '"', ':', '=', '<', '{1', '[1', '\\', '\t']);
  return [...characters].map((unit) => {
    const body = unit && unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return `${own.slice(0, 4)}${body}\u0000`;
  });
}

/** The square of 100,000 takes seconds, a line of them a few milliseconds: what takes less is not compared. */
const CLEARLY_LINEAR = 40;

function milliseconds(pattern: RegExp, text: string): number {
  const all = new RegExp(pattern.source, pattern.flags);
  const before = process.cpuUsage();
  if (all.sticky) all.exec(text);
  else text.replace(all, '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function fastest(pattern: RegExp, text: string): number {
  let least = Infinity;
  for (let run = 0; run < 3 && least > CLEARLY_LINEAR / 3; run++) least = Math.min(least, milliseconds(pattern, text));
  return least;
}

test.each([...literals])('%s takes no more than linear time for 100 KB', (name, pattern) => {
  const length = bounded[name] ?? 100_000;
  const sizes = [length / 100, length / 10, length / 2, length];
  const [hundredth = [], tenth = [], half = [], whole = []] = sizes.map((size) => attacks(pattern, size));
  const slow = whole.filter((text, index) => {
    // Of cubic time not even a tenth can be tried: it takes minutes.
    if (fastest(pattern, hundredth[index] ?? '') > CLEARLY_LINEAR) return true;
    // Of square time a tenth takes a hundredth: the whole need not be tried, or would take too long.
    const atTenth = fastest(pattern, tenth[index] ?? '');
    if (atTenth < CLEARLY_LINEAR / 100) return false;
    if (atTenth > CLEARLY_LINEAR) return true;
    const time = milliseconds(pattern, text);
    return time > CLEARLY_LINEAR && fastest(pattern, text) / fastest(pattern, half[index] ?? '') >= 3;
  });
  expect(slow.map((text) => text.slice(0, 20))).toEqual([]);
});
