import { type Document, LineCounter, type ScalarTag, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

/** An error in a file: its place (line and column from 1), its field, and what is wrong. */
export interface FileError {
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

/** A parsed YAML file. */
export interface YamlDocument {
  readonly value: unknown;
  /** An error at a field; `onKey` points at its name instead of its value. */
  errorAt(path: Path, message: string, options?: { onKey?: boolean }): FileError;
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
 * Follows a path through the file as written, where a list may be its only element, and a mapping one text: `field`
 * leaves out such steps. `offset` is that of the last step that exists: a missing field is reported where it belongs.
 */
function followPath(document: Document, path: Path, onKey: boolean): { field: Path; offset: number } {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const field: PropertyKey[] = [];
  for (const [index, step] of path.entries()) {
    if (isScalar(node) || (typeof step === 'number' && isMap(node))) continue;
    field.push(step);
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
    node = isMap(node) ? pair?.value : isSeq(node) ? node.items[Number(step)] : undefined;
    const target = onKey && index === path.length - 1 ? pair?.key : node;
    if (isNode(target)) offset = target.range?.[0] ?? offset;
  }
  return { field, offset };
}

/** Parses YAML 1.2, in which a number that begins with 0 is text. Aliases that expand without end are an error. */
export function parseYaml(text: string): YamlDocument | { readonly errors: readonly FileError[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    customTags: (tags) =>
      tags.map((tag) =>
        typeof tag === 'object' && tag.tag.endsWith(':int') && !otherNumberFormats.has(tag.format ?? '')
          ? wholeNumber
          : tag,
      ),
  });
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // A warning is about a tag or directive without a meaning here: its content would be lost.
  const problems = [...document.errors, ...document.warnings];
  if (problems.length)
    return { errors: problems.map(({ pos, message }) => ({ ...placeAt(pos[0]), field: '', message })) };
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }) as unknown,
      errorAt(path, message, { onKey = false } = {}) {
        const { field, offset } = followPath(document, path, onKey);
        return { ...placeAt(offset), field: formatPath(field), message };
      },
    };
  } catch (error) {
    return {
      errors: [{ line: 1, column: 1, field: '', message: error instanceof Error ? error.message : String(error) }],
    };
  }
}
