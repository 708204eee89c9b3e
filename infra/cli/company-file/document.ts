import { type Document, LineCounter, type ScalarTag, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

/** Something wrong in a file: where (line and column from 1), in which field, and what. */
export interface FileError {
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly message: string;
}

export type Path = readonly PropertyKey[];

/** `organizations[1].agents[0].hours`. */
export const fieldName = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)),
    '',
  );

/** A file that is YAML: its value, and a fault at the place of one of its fields. */
export interface FileDocument {
  readonly value: unknown;
  /** `onKey` points at the name of the field instead of its value. */
  fault(path: Path, message: string, options?: { onKey?: boolean }): FileError;
}

/** YAML takes 02134 for the number 2134; here a number that begins with 0 stays text, because postal codes do. */
const wholeNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(0|[1-9][0-9]*)$/,
  resolve: (text) => Number(text),
};
const otherWholeNumbers = new Set(['OCT', 'HEX']);

/**
 * Follows a path through the file as it is written: what was read as a list may be written as its only element, what
 * was read as a mapping as one text. `field` leaves out such steps; `offset` is that of the last step that is written,
 * for what is missing is told of where it should be.
 */
function follow(document: Document, path: Path, onKey: boolean): { field: Path; offset: number } {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const field: PropertyKey[] = [];
  for (const [index, step] of path.entries()) {
    if (isScalar(node) || (typeof step === 'number' && isMap(node))) continue;
    field.push(step);
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
    node = isMap(node) ? pair?.value : isSeq(node) ? node.items[Number(step)] : undefined;
    const at = onKey && index === path.length - 1 ? pair?.key : node;
    if (isNode(at)) offset = at.range?.[0] ?? offset;
  }
  return { field, offset };
}

/** Reads YAML 1.2 (a number that begins with 0 is text); all its faults when it is none. Aliases may not blow it up. */
export function readDocument(text: string): FileDocument | { readonly errors: readonly FileError[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    customTags: (tags) =>
      tags.map((tag) =>
        typeof tag === 'object' && tag.tag.endsWith(':int') && !otherWholeNumbers.has(tag.format ?? '')
          ? wholeNumber
          : tag,
      ),
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // A warning is of a tag or directive that means nothing here: what it was to say would be lost.
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length) return { errors: wrong.map(({ pos, message }) => ({ ...place(pos[0]), field: '', message })) };
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }) as unknown,
      fault(path, message, { onKey = false } = {}) {
        const { field, offset } = follow(document, path, onKey);
        return { ...place(offset), field: fieldName(field), message };
      },
    };
  } catch (error) {
    return {
      errors: [{ line: 1, column: 1, field: '', message: error instanceof Error ? error.message : String(error) }],
    };
  }
}
