import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { once } from '../../lib/shared/caches.ts';

const root = resolve(import.meta.dirname, '../..');

/** A method that is called: `.parse(`, `.transform<Text>(`. A name too many keeps a method too many. */
const CALL = /\.(\w+)(?:\?\.)?[(<]/g;
/** The same in zod, where `core.`, `checks.` and others are modules. */
const CALL_IN_ZOD = /(?<!\w)(?!(?:api|checks|core|iso|parse|processors|regexes|schemas|util|z)\.)\w+\??\.(\w+)\(/g;

const callers: readonly { readonly files: string; readonly call: RegExp }[] = [
  { files: '{lib,functions}/**/*.ts', call: CALL },
  { files: 'node_modules/zod/v4/{classic,core}/*.js', call: CALL_IN_ZOD },
];

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

const namesCalled = once(async (): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for (const { files, call } of callers)
    for await (const path of glob(files, { cwd: root }))
      for (const [, name = ''] of withoutComments(await readFile(join(root, path), 'utf8')).matchAll(call))
        found.add(name);
  return found;
});

/** The objects of methods in `$constructor('ZodString', initialize, { … })`, also within `derived(…, { … })`. */
function methodsIn(source: ts.SourceFile): ts.ObjectLiteralElementLike[] {
  const found: ts.ObjectLiteralElementLike[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'core.$constructor') {
      const [, , last] = node.arguments;
      const methods = last && ts.isCallExpression(last) ? last.arguments[1] : last;
      if (methods && ts.isObjectLiteralExpression(methods)) found.push(...methods.properties);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((member) => ts.isMethodDeclaration(member) || ts.isPropertyAssignment(member));
}

async function withoutUnusedMethods(path: string): Promise<string> {
  const [text, used] = await Promise.all([readFile(path, 'utf8'), namesCalled()]);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const unused = methodsIn(source).filter(({ name }) => name && !used.has(name.getText(source)));
  if (!unused.length) throw new Error(`no method of a schema was found in ${path}`);
  return unused.reduceRight((kept, { pos, end }) => {
    const comma = kept[end] === ',' ? end + 1 : end;
    return kept.slice(0, pos) + kept.slice(comma);
  }, text);
}

/**
 * An esbuild plugin: leaves out methods of zod's schemas that nothing calls, such as those of `z.string()` for e-mail
 * addresses and tokens. Each brings a class and an expression, and esbuild leaves out no method of an object.
 */
export const leaveOutMethods: Plugin = {
  name: 'unused-methods',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, async ({ path }) => ({
      contents: await withoutUnusedMethods(path),
      loader: 'js',
    }));
  },
};
