import { isMap, isNode, isPair, LineCounter, parseDocument, type Document, type ScalarTag } from 'yaml';

/** Something wrong in a file: where (line and column from 1), in which field, and what. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly message: string;
}

export type Path = readonly PropertyKey[];

/** `organizations[1].agents[0].hours`. */
export const fieldName = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step)), '');

/** A file that is YAML: its value, and a fault at the place of one of its fields. */
export interface FileDocument {
  readonly value: unknown;
  /** `onKey` points at the name of the field instead of its value. */
  fault(path: Path, message: string, options?: { onKey?: boolean }): Fault;
}

/** YAML takes 02134 for the number 2134; here a number that begins with 0 stays text, because postal codes do. */
const wholeNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(0|[1-9][0-9]*)$/,
  resolve: (text) => Number(text),
};
const otherWholeNumbers = new Set(['OCT', 'HEX']);

function offsetOf(document: Document, path: Path, onKey: boolean): number {
  const [parent, last] = [path.slice(0, -1), path.at(-1)];
  if (onKey && last !== undefined) {
    const holder = document.getIn(parent, true);
    const pair = isMap(holder) ? holder.items.find((item) => isPair(item) && isNode(item.key) && String(item.key) === String(last)) : undefined;
    if (isNode(pair?.key)) return pair.key.range?.[0] ?? 0;
  }
  // What is missing is told of where it should be.
  for (let length = path.length; length >= 0; length--) {
    const node = length ? document.getIn(path.slice(0, length), true) : document.contents;
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return 0;
}

/** Reads YAML 1.2 (a number that begins with 0 is text); all its faults when it is none. Aliases may not blow it up. */
export function readDocument(text: string): FileDocument | { readonly faults: readonly Fault[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    customTags: (tags) => tags.map((tag) => (typeof tag === 'object' && tag.tag.endsWith(':int') && !otherWholeNumbers.has(tag.format ?? '') ? wholeNumber : tag)),
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length) return { faults: document.errors.map(({ pos, message }) => ({ ...place(pos[0]), field: '', message })) };
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }) as unknown,
      fault: (path, message, { onKey = false } = {}) => ({ ...place(offsetOf(document, path, onKey)), field: fieldName(path), message }),
    };
  } catch (error) {
    return { faults: [{ line: 1, column: 1, field: '', message: error instanceof Error ? error.message : String(error) }] };
  }
}
