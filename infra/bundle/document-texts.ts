import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** What of an operation's definition only lib/api/openapi reads. */
const DOCUMENT_PROPERTIES = new Set(['title', 'summary', 'rules', 'failures', 'document', 'example', 'beforeExample']);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** `summary`, `example` … of `operation({ … })`, with the comma after each. */
function documentProperties(definition: ts.Expression | undefined, source: ts.SourceFile): Range[] {
  if (!definition || !ts.isObjectLiteralExpression(definition)) return [];
  const { properties, end } = definition;
  return properties.flatMap((property, index) => {
    if (!property.name || !DOCUMENT_PROPERTIES.has(property.name.getText(source))) return [];
    return [{ start: property.getStart(source), end: properties[index + 1]?.pos ?? end - 1 }];
  });
}

/** `described` and the sentence of `described(field, 'a sentence')`: what is left is the field. */
function descriptionOf({ expression, arguments: [field], end }: ts.CallExpression, source: ts.SourceFile): Range[] {
  if (!field) return [];
  return [
    { start: expression.getStart(source), end: expression.end },
    { start: field.end, end: end - 1 },
  ];
}

function documentTexts(source: ts.SourceFile): Range[] {
  const found: Range[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression;
      if (text === 'operation') found.push(...documentProperties(node.arguments[0], source));
      if (text === 'described') found.push(...descriptionOf(node, source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The source with spaces in offset of what only the OpenAPI document has: every line and column stays where it is. */
function withoutDocumentTexts(path: string, text: string): string {
  const characters = text.split('');
  for (const { start, end } of documentTexts(ts.createSourceFile(path, text, ts.ScriptTarget.Latest)))
    for (let offset = start; offset < end; offset++) if (characters[offset] !== '\n') characters[offset] = ' ';
  return characters.join('');
}

/** An esbuild plugin: the functions do without the texts of the OpenAPI document, which is made before a deployment. */
export const leaveOutDocumentTexts: Plugin = {
  name: 'document-texts',
  setup(build) {
    build.onLoad({ filter: /[\\/](functions|lib)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('node_modules') || !/\b(operation|described)\(/.test(text)) return undefined;
      return { contents: withoutDocumentTexts(path, text), loader: 'ts' };
    });
  },
};
