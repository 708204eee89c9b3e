import {
  type Document,
  LineCounter,
  type Node,
  Scalar,
  type ScalarTag,
  type YAMLError,
  type YAMLSeq,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
} from 'yaml';

/** An error in a file: its place (line and column from 1), its field, and what is wrong. */
export interface FileError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly message: string;
}

export type Path = readonly PropertyKey[];

/** `organizations[1].agents[0].hours`. */
export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

/** The readable part of a YAML or JSON file. */
export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** Text that is not YAML, and fields that occur twice in a mapping. */
  readonly syntaxErrors: readonly FileError[];
  /** What a syntax error may have changed: the innermost list elements and mapping fields around it. */
  readonly damagedPaths: readonly Path[];
  /** The source of the damaged parts. */
  readonly damagedText: string;
  /** An error at a field; `onKey` points at its name instead of its value, and `within` at a place in its text. */
  errorAt(path: Path, message: string, options?: { onKey?: boolean; within?: TextPlace }): FileError;
}

/** A place in a text: line and column from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** YAML reads 02134 as the number 2134. Here a number that begins with 0 stays text, because postal codes do. */
const wholeNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(0|[1-9][0-9]*)$/,
  resolve: (text) => Number(text),
};
const otherNumberFormats = new Set(['OCT', 'HEX']);

/**
 * Follows a path through the file as written, where a list may be its only element, and a mapping one text; `field`
 * omits such steps. `offset` is that of the last existing step, so that a missing field is reported where it belongs.
 */
function followPath(document: Document, path: Path, onKey: boolean): { field: Path; offset: number; node: unknown } {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const field: PropertyKey[] = [];
  for (const [index, step] of path.entries()) {
    if (isScalar(node) || (typeof step === 'number' && isMap(node))) continue;
    field.push(step);
    // The last of repeated fields counts.
    const pair = isMap(node) ? node.items.findLast(({ key }) => String(key) === String(step)) : undefined;
    node = isMap(node) ? pair?.value : isSeq(node) ? node.items[Number(step)] : undefined;
    const target = onKey && index === path.length - 1 ? pair?.key : node;
    if (isNode(target)) offset = target.range?.[0] ?? offset;
  }
  return { field, offset, node };
}

/**
 * The offset of a place in a text that begins at `offset`: exact for a text on one line and for a block after `|`;
 * otherwise, where YAML joins lines, the beginning of the text.
 */
function offsetWithin(source: string, offset: number, node: unknown, { line, column }: TextPlace): number {
  if (!isScalar(node) || !node.range) return offset;
  if (node.type === Scalar.BLOCK_LITERAL) {
    const [first = '', ...lines] = source.slice(offset, node.range[1]).split('\n');
    const indent = /^ */.exec(lines.find((each) => each.trim()) ?? '')?.[0].length ?? 0;
    const before = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, first.length + 1);
    return offset + before + indent + column - 1;
  }
  const isOnOneLine = line === 1 && !source.slice(offset, node.range[1]).includes('\n');
  return isOnOneLine ? offset + (node.type?.startsWith('QUOTE') ? column : column - 1) : offset;
}

const HINTS: Partial<Record<YAMLError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'is not indented like the lines around it, or is a text with ": " that needs quotes',
  MULTILINE_IMPLICIT_KEY: 'lacks the ": " between a field and its value, or is not indented like the lines around it',
  TAB_AS_INDENT: 'begins with a tab; indent with spaces',
  BAD_SCALAR_START: 'begins with a character that YAML reserves; quote the text',
  MULTIPLE_DOCS: 'begins a second document; a company file has one: remove the ---',
};

/** Errors on one line, of which the first causes the others. */
const CASCADE: readonly YAMLError['code'][] = [
  'TAB_AS_INDENT',
  'UNEXPECTED_TOKEN',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'MULTILINE_IMPLICIT_KEY',
];

/** A part of the file, with its path and its offsets (start inclusive, end exclusive). */
interface Part {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
}

function* partsIn(node: Node | null, path: Path): Generator<Part> {
  if (isSeq(node)) for (const [index, item] of node.items.entries()) yield* partOf(item, item, [...path, index]);
  if (isMap(node)) for (const { key, value } of node.items) yield* partOf(key, value ?? key, [...path, String(key)]);
}

function* partOf(first: unknown, last: unknown, path: Path): Generator<Part> {
  if (!isNode(first)) return;
  const start = first.range?.[0] ?? 0;
  yield { path, start, end: (isNode(last) ? last.range?.[1] : undefined) ?? first.range?.[1] ?? start };
  if (isNode(last)) yield* partsIn(last, path);
}

const isInside = (inner: Path, outer: Path): boolean =>
  inner.length > outer.length && outer.every((step, index) => step === inner[index]);

/** The innermost of the parts around an offset, and the part that begins there, where parsing continues. */
function partsAround(parts: readonly Part[], around: readonly Part[], text: string, offset: number): Part[] {
  const innermost = around.filter(({ path }) => !around.some((other) => isInside(other.path, path)));
  const next = parts.find(({ start }) => start > offset);
  return next && /^[\s-]*$/.test(text.slice(offset, next.start)) ? [...innermost, next] : innermost;
}

/** The gaps that no part covers in a text of this length. */
function gapsBetween(parts: readonly Part[], length: number): { start: number; end: number }[] {
  const fields = parts.filter(({ path }) => path.length === 1).sort((a, b) => a.start - b.start);
  return [...fields, { start: length }].map(({ start }, index) => ({ start: fields[index - 1]?.end ?? 0, end: start }));
}

interface Problem {
  readonly offset: number;
  readonly field?: string;
  readonly message: string;
}

/** The list element, or otherwise the field, that contains an error. */
const fieldAround = (parts: readonly Part[]): string => {
  const path = parts.reduce<Path>((deepest, part) => (part.path.length > deepest.length ? part.path : deepest), []);
  const element = path.findLastIndex((step) => typeof step === 'number');
  return formatPath(element < 0 ? path.slice(0, 1) : path.slice(0, element + 1));
};

/**
 * Parses YAML 1.2, which includes JSON; a number that begins with 0 is text. Continues after syntax errors if possible.
 */
export function parseYaml(text: string, file: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    customTags: (tags) =>
      tags.map((tag) =>
        typeof tag === 'object' && tag.tag.endsWith(':int') && !otherNumberFormats.has(tag.format ?? '')
          ? wholeNumber
          : tag,
      ),
  });
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const lineAt = (offset: number) => placeAt(offset).line;
  const lists = joinRepeatedLists(document, lineAt);
  const causes = firstCauses([...document.errors, ...document.warnings], lineAt).map((error) =>
    syntaxProblem(error, document),
  );
  const linesOfCauses = new Set(causes.map(({ offset }) => lineAt(offset)));
  const keys = removeOtherKeys(document).filter(({ offset }) => !linesOfCauses.has(lineAt(offset)));
  const problems = [...causes, ...keys, ...removeUnknownAliases(document), ...repeatedFields(document, lineAt)];
  const parts = problems.length ? [...partsIn(document.contents, [])] : [];
  const partsOf = ({ offset }: Problem) => parts.filter(({ start, end }) => start <= offset && offset <= end);
  const sourceOf = ({ start, end }: Pick<Part, 'start' | 'end'>) => text.slice(start, end);
  const sourceOutside = (inside: readonly Part[]) => gapsBetween(inside, text.length).map(sourceOf);
  const damaged = problems.flatMap((problem) => partsAround(parts, partsOf(problem), text, problem.offset));
  const syntaxErrors = [...lists, ...problems].map((problem) => {
    const field = problem.field ?? fieldAround(partsOf(problem));
    const { offset, message } = problem;
    return { ...placeAt(offset), field, message: field ? message : `The file ${message}` };
  });
  const common = {
    file,
    damagedPaths: damaged.map(({ path }) => path),
    damagedText: problems.length ? [...damaged.map(sourceOf), ...sourceOutside(parts)].join('\n') : '',
    errorAt(path, message, { onKey = false, within } = {}) {
      const { field, offset, node } = followPath(document, path, onKey);
      const place = within ? offsetWithin(text, offset, node, within) : offset;
      return { ...placeAt(place), field: formatPath(field), message };
    },
  } satisfies Partial<YamlDocument>;
  try {
    return { ...common, value: document.toJS({ maxAliasCount: 100 }) as unknown, syntaxErrors };
  } catch (error) {
    // Aliases that expand endlessly: nothing can be read.
    const message = `The file cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const failure = { ...placeAt(0), field: '', message };
    return { ...common, value: undefined, damagedText: text, syntaxErrors: [...syntaxErrors, failure] };
  }
}

/** An open quote is reported where it is, not at the end of the file. */
const syntaxProblem = ({ pos: [offset], code, message }: YAMLError, document: Document): Problem => ({
  offset: message.startsWith('Missing closing') ? quoteBefore(document, offset) : offset,
  message: HINTS[code] ?? `is not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
});

function quoteBefore(document: Document, offset: number): number {
  let found = offset;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith('QUOTE') && range && range[0] < offset && offset <= range[2]) found = range[0];
    },
  });
  return found;
}

/** Joins lists that occur twice in the file, to check the rows of both. */
function joinRepeatedLists(document: Document, lineAt: (offset: number) => number): Problem[] {
  const { contents } = document;
  if (!isMap(contents)) return [];
  const problems: Problem[] = [];
  const first = new Map<string, { offset: number; list: YAMLSeq }>();
  contents.items = contents.items.filter(({ key, value }) => {
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const field = String(key);
    const earlier = first.get(field);
    if (!isSeq(value)) return true;
    if (!earlier) return first.set(field, { offset, list: value });
    earlier.list.items.push(...value.items);
    problems.push({ offset, field, message: `repeats line ${lineAt(earlier.offset)}` });
    return false;
  });
  return problems;
}

/** Without errors that another one on the same line causes. A warning means content that would be lost. */
function firstCauses(problems: readonly YAMLError[], lineAt: (offset: number) => number): readonly YAMLError[] {
  const line = ({ pos: [offset] }: YAMLError) => lineAt(offset);
  return problems.filter((problem) => {
    const rank = CASCADE.indexOf(problem.code);
    return !problems.some((other) => {
      const otherRank = CASCADE.indexOf(other.code);
      return otherRank >= 0 && otherRank < rank && line(other) === line(problem);
    });
  });
}

/** The fields that occur a second time in a mapping. The last one counts. */
function repeatedFields(document: Document, lineAt: (offset: number) => number): Problem[] {
  const repeated: Problem[] = [];
  function follow(node: unknown, path: Path): void {
    if (isSeq(node)) for (const [index, item] of node.items.entries()) follow(item, [...path, index]);
    if (!isMap(node)) return;
    const lines = new Map<string, number>();
    for (const { key, value } of node.items) {
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
      const name = String(key);
      const first = lines.get(name);
      if (first === undefined) lines.set(name, lineAt(offset));
      else repeated.push({ offset, field: formatPath([...path, name]), message: `repeats line ${first}` });
      follow(value, [...path, name]);
    }
  }
  follow(document.contents, []);
  return repeated;
}

/** Literal texts that begin with * are read as empty. */
function removeUnknownAliases(document: Document): Problem[] {
  const removed: Problem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      const empty = new Scalar(null);
      if (alias.range) empty.range = alias.range;
      removed.push({ offset: alias.range?.[0] ?? 0, message: 'begins with a *; quote the text' });
      return empty;
    },
  });
  return removed;
}

/** Lists and mappings in place of a field's name: lines with the wrong indentation. */
function removeOtherKeys(document: Document): Problem[] {
  const removed: Problem[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return undefined;
      removed.push({ offset: key.range?.[0] ?? 0, message: 'has a list or mapping in the place of a field name' });
      return visit.REMOVE;
    },
  });
  return removed;
}
