import { describe, expect, test } from 'vitest';
import { codeOf, sourcesIn, type Import } from '../support/sources.ts';

const sources = sourcesIn('lib', 'functions', 'infra', 'test');
const imports = sources.flatMap((source) => source.imports);

const under = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const from = (...folders: string[]) => imports.filter((one) => under(one.from, folders));
const shown = (breaches: readonly Import[]) => breaches.map(({ from, to }) => `${from} imports ${to}`);

/**
 * A helper that knows nothing but words and numbers lies in lib itself: it imports nothing, and anyone may import it.
 */
const isHelper = (path: string) => /^lib\/[^/]+\.ts$/.test(path);

/** What a layer may import of ours, and which packages; the first row whose folder holds the file counts. */
const layers: readonly { readonly layer: string; readonly may: readonly string[]; readonly packages?: RegExp }[] = [
  { layer: 'lib/resources', may: ['lib/resources'], packages: /^zod$/ },
  {
    layer: 'lib/domain',
    may: ['lib/domain', 'lib/resources'],
    packages: /^(big\.js|libphonenumber-js|temporal-polyfill)(\/|$)/,
  },
  {
    layer: 'lib/store',
    may: ['lib/store', 'lib/resources', 'lib/domain'],
    packages: /^(node:crypto|@aws-sdk\/(client-dynamodb|lib-dynamodb))$/,
  },
  { layer: 'lib/files', may: ['lib/files', 'lib/resources', 'lib/domain'] },
  { layer: 'lib/events', may: ['lib/events', 'lib/resources', 'lib/domain'], packages: /^$/ },
  {
    layer: 'lib/api',
    // How a field list is made, and no resource made of one; of the store the table, keys, rates and kept answers, and
    // no noun.
    may: [
      'lib/api',
      'lib/resources/fields.ts',
      'lib/resources/resource.ts',
      ...['changes', 'client', 'errors', 'idempotency', 'keys', 'meter', 'rates', 'rerun'].map(
        (file) => `lib/store/${file}.ts`,
      ),
    ],
    packages: /^(zod|@middy\/core|aws-lambda|node:crypto)$/,
  },
  { layer: 'functions', may: ['functions', 'lib'] },
  { layer: 'infra/cli', may: ['infra', 'functions', 'lib', 'package.json'] },
  { layer: 'infra/local', may: ['infra', 'functions', 'lib'] },
  { layer: 'infra/postal', may: ['infra', 'lib/domain'] },
  { layer: 'infra/phones', may: ['infra', 'lib/domain'] },
  { layer: 'infra', may: ['infra', 'functions', 'lib/api'] },
  { layer: 'test', may: ['test', 'infra', 'functions', 'lib', 'package.json'] },
];

describe('who may import whom', () => {
  test('every source is in a layer', () => {
    expect(
      sources
        .filter(({ path }) => !isHelper(path) && !layers.some(({ layer }) => under(path, [layer])))
        .map(({ path }) => path),
    ).toEqual([]);
    expect(imports.length).toBeGreaterThan(100);
  });

  test.each(layers)('$layer imports only $may and its packages', ({ layer, may, packages = /./ }) => {
    const own = from(layer).filter((one) => layers.find((row) => under(one.from, [row.layer]))?.layer === layer);
    expect(
      shown(
        own.filter((one) =>
          one.own ? !under(one.to, may) && !isHelper(one.to) : !packages.test(one.to) && !one.typesOnly,
        ),
      ),
    ).toEqual([]);
  });

  test('a helper in lib itself imports nothing', () => {
    expect(shown(imports.filter((one) => isHelper(one.from)))).toEqual([]);
  });

  test('nothing but tests imports infra', () => {
    expect(shown(from('lib', 'functions').filter(({ to }) => under(to, ['infra', 'test'])))).toEqual([]);
    expect(shown(from('infra').filter(({ to }) => under(to, ['test'])))).toEqual([]);
  });

  test('no group imports another: what two share is in lib', () => {
    const groupOf = (path: string) => path.split('/')[1];
    const crossing = from('functions').filter(
      ({ from: path, to, own }) =>
        own && path !== 'functions/index.ts' && to.startsWith('functions/') && groupOf(path) !== groupOf(to),
    );
    expect(shown(crossing.filter(({ to }) => to !== 'functions/names.ts'))).toEqual([]);
  });

  test('only the table client, the files, the workers and infra know the AWS SDK', () => {
    const may = ['lib/store/client.ts', 'lib/files', 'functions/workers', 'infra', 'test'];
    expect(shown(imports.filter((one) => /^@(aws-sdk|smithy)\//.test(one.to) && !under(one.from, may)))).toEqual([]);
  });

  test('nothing that serves calls carries the making of the document, or all resources', () => {
    const making = ['lib/api/document.ts', 'lib/api/document', 'lib/resources/index.ts'];
    expect(
      shown(
        imports.filter(
          ({ from: path, to }) =>
            under(to, making) && !under(path, ['lib/api/document', 'lib/api/document.ts', 'infra', 'test']),
        ),
      ),
    ).toEqual([]);
  });

  test('zod comes whole, which bundles 84 kB instead of 443', () => {
    expect(imports.filter(({ to }) => to === 'zod').map(({ text }) => text)).toSatisfy((texts: string[]) =>
      texts.every((text) => /^import (type )?\* as z from 'zod'$/.test(text)),
    );
  });
});

describe('the pure layers', () => {
  test('know of resources their types only, and nothing of Node', () => {
    expect(shown(from('lib/domain').filter((one) => under(one.to, ['lib/resources']) && !one.typesOnly))).toEqual([]);
    expect(shown(from('lib/domain', 'lib/events', 'lib/resources').filter(({ to }) => to.startsWith('node:')))).toEqual(
      [],
    );
  });

  test.each(['lib/domain', 'lib/events', 'lib/resources'])(
    '%s asks no clock, no chance, no environment, and logs nothing',
    (layer) => {
      const asked =
        /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bconsole\.|\bcrypto\.|\bTemporal\.Now\b|\bfetch\(|\bset(?:Timeout|Interval)\b/;
      const found = sourcesIn(layer).flatMap(
        (source) =>
          codeOf(source)
            .match(asked)
            ?.map((word) => `${source.path}: ${word}`) ?? [],
      );
      expect(found).toEqual([]);
    },
  );
});
