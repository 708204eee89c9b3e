import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import ts from 'typescript';
import { document } from '../support/documents/document.ts';

/** Phrases that no text uses, with a better one (design: "Words that users read"). */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bat fault\b/i, 'invalid'],
  [/\bfaults? of ours\b/i, 'internal error'],
  [/\b(is|are|be|was|were) none\b/i, 'does not exist; There is no …'],
  [/\bthere (is|are)(?=[.,;:)]|$)/im, 'exists'],
  [/\b(what|that|which|whatever) there (is|are)\b/i, 'all'],
  [/\banew\b/i, 'again'],
  [/\botherwise (said|told)\b|\b(said|told) otherwise\b/i, 'by default'],
  [/\bof the moment\b/i, 'current'],
  [/\bparted by\b/i, 'separated by'],
  [/\btold\b/i, 'reported, given'],
  [/\btells of\b/i, 'describes'],
  [/\bsaid\b/i, 'stated, given'],
  [/\b(is|are|be|being) had\b/i, 'exists, is held'],
  [/\blaid\b/i, 'placed, applied'],
  [/\bbegotten|begets?\b/i, 'created'],
  [/\bwhosever\b/i, 'whose'],
  [/\bso many as\b/i, 'as many as'],
  [/\bno more(?=[.,;:)]|$)/im, 'no longer'],
  [/\bso that\b[^.]*\bso that\b/i, 'two sentences'],
  [/\b(whereof|thereof|hereof|whereupon|thereupon|wherein|therein|hitherto|whence|thence|lest|nought|naught)\b/i, '…'],
];

/** Names that no declaration has, with a better one (design: "Names"). */
const names: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^(tell|told|said|lay|laid)(?![a-z])/, 'apply…, input, message'],
  [/(Said|Told|Laid)$/, 'input, message'],
  [/^shown(?![a-z])/, 'toResource'],
  [/^(contactOf|answerOf|dayOf)$/, 'loadContact, toAnswer, dayAt'],
  [/^(home|homeOf|Home)$/, 'BookingContext'],
  [/^(Asking|Writing|asking)$/, 'ReadContext, WriteContext'],
  [/^[rR]efusals?$/, 'Failure, or a result'],
  [/^(tryClaim|claim|claiming|claimed|claims)$/, 'reserveTime'],
  [/^firstOf$/, 'findByCallCenterTransaction'],
  [/^(chosen|named|drawn|linked|sold|priced|repriced|moved|restated|settled)$/, 'the noun, or the verb'],
  [/^[sS]tanding/, 'contactSummary'],
  [/^doubles(In)?$/, 'duplicates'],
  [/^(had|wanted|given|asked)$/, 'previous, requested, input'],
  [/^most$|^MOST_/, 'max, MAX_'],
  [/^(walk|snapshot)$/, 'pagination'],
  [/^(stock|stockIds|leaseIds)$/, 'reserveIds'],
  [/^(patiently|doAll|dueIn)$/, 'retryUnavailable, mapWithConcurrency, remainingTime'],
  [/^faults?$/, 'error'],
  [/^[tT]hings?$/, 'record'],
];

const parse = (file: string) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
const sources = globSync('{functions,lib,infra}/**/*.ts').sort().map(parse);
const tests = globSync('test/**/*.ts')
  .filter((file) => !file.endsWith('words.test.ts'))
  .sort()
  .map(parse);
const pages = [...globSync('docs/**/*.md'), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].sort();

/** Line breaks with the asterisks of a comment as spaces: a phrase may span two lines, and offsets stay. */
const flatten = (text: string) => text.replaceAll(/\r?\n[ \t]*\*? ?/g, (gap) => ' '.repeat(gap.length));

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

function habitsIn(text: string): { offset: number; phrase: string }[] {
  const flat = flatten(text).replaceAll('`', ' ');
  return phrases.flatMap(([pattern, instead]) => {
    const spaced = new RegExp(pattern.source.replaceAll(' ', String.raw`\s+`), `g${pattern.flags}`);
    return [...flat.matchAll(spaced)].map((match) => ({
      offset: match.index,
      phrase: `"${match[0]}", better: ${instead}`,
    }));
  });
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** Every literal, template and comment of a file, with its place. */
function textsOf(source: ts.SourceFile): { start: number; text: string }[] {
  const whole = source.getFullText();
  const comments = new Map<number, ts.CommentRange>();
  const literals: { start: number; text: string }[] = [];
  visit(source, (node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(whole, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(whole, node.getEnd()) ?? []),
    ])
      comments.set(range.pos, range);
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (isText && !ts.isImportDeclaration(node.parent)) literals.push({ start: node.getStart(), text: node.getText() });
  });
  return [...literals, ...[...comments.values()].map(({ pos, end }) => ({ start: pos, text: whole.slice(pos, end) }))];
}

const habitsOf = (source: ts.SourceFile): string[] =>
  textsOf(source).flatMap(({ start, text }) =>
    habitsIn(text).map(
      ({ offset, phrase }) => `${source.fileName}:${lineAt(source.getFullText(), start + offset)} ${phrase}`,
    ),
  );

/** The names that a file declares: variables, parameters, functions, types, properties of types. */
function declaredIn(source: ts.SourceFile): { name: string; line: number }[] {
  const declared: { name: string; line: number }[] = [];
  visit(source, (node) => {
    const { name } = node as { name?: ts.Node };
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isMethodSignature(node) ||
      ts.isPropertySignature(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    if (declares && name && ts.isIdentifier(name))
      declared.push({ name: name.text, line: lineAt(source.getFullText(), name.getStart()) });
  });
  return declared;
}

const badNames = (source: ts.SourceFile): string[] =>
  declaredIn(source).flatMap(({ name, line }) =>
    names
      .filter(([pattern]) => pattern.test(name))
      .map(([, instead]) => `${source.fileName}:${line} ${name}, better: ${instead}`),
  );

/** Functions called `store…` whose declared result are changes: `…Changes` is their name. */
function storeFunctions(source: ts.SourceFile): string[] {
  const found: string[] = [];
  visit(source, (node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isVariableDeclaration(node)) return;
    const result = ts.isFunctionDeclaration(node)
      ? node.type
      : node.initializer && ts.isArrowFunction(node.initializer)
        ? node.initializer.type
        : undefined;
    const name = node.name?.getText() ?? '';
    if (/^store[A-Z]/.test(name) && /\bChange\b/.test(result?.getText() ?? ''))
      found.push(`${source.fileName}: ${name} returns changes`);
  });
  return found;
}

/** Fails with all findings, a line each. */
function expectEmpty(found: readonly string[]): void {
  if (found.length) throw new Error(`${found.length} findings:\n${found.join('\n')}`);
}

test('the texts and comments of the source use plain words', () => {
  expect(sources.length).toBeGreaterThan(200);
  expectEmpty(sources.flatMap(habitsOf));
});

test('the pages of the documentation use plain words', () => {
  expect(pages.length).toBeGreaterThan(10);
  const found = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    return habitsIn(text).map(({ offset, phrase }) => `${page}:${lineAt(text, offset)} ${phrase}`);
  });
  expectEmpty(found);
});

test('the API document uses plain words', () => {
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  const found = texts(document).flatMap((text) => habitsIn(text).map(({ phrase }) => `${phrase} in: ${text}`));
  expect(texts(document).length).toBeGreaterThan(1_000);
  expectEmpty([...new Set(found)]);
});

test('declared names are those of the glossary', () => {
  expectEmpty(sources.flatMap((source) => [...badNames(source), ...storeFunctions(source)]));
});

test('declared names of the tests are those of the glossary', () => {
  expect(tests.length).toBeGreaterThan(100);
  expectEmpty(tests.flatMap(badNames));
});
