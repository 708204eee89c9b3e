import { describe, expect, test } from 'vitest';
import { codeOf, sourcesIn, type Source } from '../support/sources.ts';

const product = sourcesIn('lib', 'functions', 'infra');
/** This file aside, which has to name what it looks for. */
const sources = [...product, ...sourcesIn('test')].filter(({ path }) => path !== 'test/infra/house.test.ts');

const lines = (text: string) => text.trimEnd().split('\n').length;
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const written = ({ text }: Source) => text;
const having = (pattern: RegExp, read = codeOf) =>
  sources.filter((source) => pattern.test(read(source))).map(({ path }) => path);

describe('the house', () => {
  test('has short files: none over 400 lines, half of them under 80', () => {
    expect(sources.filter(({ text }) => lines(text) > 400).map(({ path }) => path)).toEqual([]);
    expect(median(product.map(({ text }) => lines(text)))).toBeLessThan(80);
  });

  test('imports its own files by their whole name', () => {
    const inexact = sources.flatMap(({ imports }) => imports.filter(({ own, to }) => own && !/\.(ts|json)$/.test(to)));
    expect(inexact).toEqual([]);
  });

  test('leaves nothing for later and quiets no checker', () => {
    expect(having(/\b(TODO|FIXME|XXX)\b|@ts-(ignore|nocheck|expect-error)|(oxlint|eslint)-disable/, written)).toEqual(
      [],
    );
  });

  test('has no any, no empty catch, no test that is skipped or alone', () => {
    expect(having(/(:|\bas|<)\s*any\b(?!\w)/)).toEqual([]);
    expect(having(/catch\s*(\([^)]*\))?\s*\{\s*\}/)).toEqual([]);
    expect(having(/\b(test|it|describe)\.(skip|skipIf|only|todo|fails)\b/, written)).toEqual([]);
  });

  test('evaluates no text as code', () => {
    const code = product.filter(({ path }) => !path.startsWith('infra/'));
    expect(
      code.filter((source) => /\beval\(|\bFunction\(|['"]node:vm['"]/.test(codeOf(source))).map(({ path }) => path),
    ).toEqual([]);
  });
});
