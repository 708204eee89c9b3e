import { fold } from '../../../lib/shared/text/text.ts';
import type { Entry, EntryFormat, RowKind } from './entry-format.ts';
import { sections } from './sections.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

/** What is left out of a value; `null` means all of it. */
type Excluded = ReadonlyMap<PropertyKey, Excluded | null>;

function excludedTree(paths: readonly Path[]): Excluded | null {
  if (paths.some((path) => !path.length)) return null;
  const byStep = Map.groupBy(paths, ([step = '']) => step);
  return new Map([...byStep].map(([step, own]) => [step, excludedTree(own.map((path) => path.slice(1)))]));
}

const isMapping = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function prune(value: unknown, excluded: Excluded | null | undefined): unknown {
  if (!excluded) return excluded === null ? undefined : value;
  const keep = <Step extends PropertyKey>([step, each]: readonly [Step, unknown]): [Step, unknown][] =>
    excluded.get(step) === null ? [] : [[step, prune(each, excluded.get(step))]];
  if (Array.isArray(value)) return [...value.entries()].flatMap(keep).map(([, each]) => each);
  return isMapping(value) ? Object.fromEntries(Object.entries(value).flatMap(keep)) : value;
}

/** The value at a path of a file, where a list may be its only element. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (at, step) =>
      typeof step === 'number' && !Array.isArray(at)
        ? at
        : (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  );

/**
 * What an error makes unusable: the innermost row around it. If that row has rows of its own (an organization or a
 * channel), only the field, unless it is the row's name.
 */
function rowAt([key = '', index, ...rest]: Path): Path {
  const section = sections.find((each) => each.key === key);
  return section && typeof index === 'number' ? [key, index, ...rowInside(section.format, rest)] : [key];
}

function rowInside(format: EntryFormat, [field, index, ...rest]: Path): Path {
  const kinds = format.rowKinds();
  if (!kinds.size || field === undefined || field === format.keyField) return [];
  const kind = kinds.get(String(field));
  return kind && typeof index === 'number' ? [field, index, ...rowInside(kind.format, rest)] : [field];
}

/** A row of a file. */
export interface Row {
  readonly path: Path;
  /** Its fields that are valid by themselves. */
  readonly entry: Entry;
}

/** A file without its invalid parts. */
export class CheckedFile {
  readonly document: YamlDocument;
  /** The remaining content. */
  readonly value: unknown;
  readonly #paths: readonly Path[];
  readonly #excluded: Excluded | null;

  constructor(document: YamlDocument, excludedPaths: readonly Path[] = document.damagedPaths.map(rowAt)) {
    this.document = document;
    this.#paths = excludedPaths;
    this.#excluded = excludedTree(excludedPaths);
    this.value = prune(document.value, this.#excluded);
  }

  /** Leaves out what errors at these paths of the file make unusable. */
  without(paths: readonly Path[]): CheckedFile {
    const rows = paths.map((path) => (path.length ? rowAt(path) : path));
    return rows.length ? new CheckedFile(this.document, [...this.#paths, ...rows]) : this;
  }

  /** The path in the file for a path in the remaining content. */
  toFilePath(path: Path): Path {
    let excluded: Excluded | null | undefined = this.#excluded;
    return path.map((step) => {
      const inFile = typeof step === 'number' && excluded ? indexInFile(step, excluded) : step;
      excluded = excluded?.get(inFile);
      return inFile;
    });
  }

  /** The rows of a list of the file that are left out. */
  invalidRows(list: Path, { format }: RowKind): Row[] {
    let excluded: Excluded | null | undefined = this.#excluded;
    for (const step of list) excluded = excluded?.get(step) ?? (excluded === null ? null : undefined);
    const values = valueAt(this.document.value, list);
    if (!Array.isArray(values) || excluded === undefined) return [];
    return values.flatMap((value: unknown, index) =>
      excluded === null || excluded.get(index) === null
        ? [{ path: [...list, index], entry: format.validFields(value) }]
        : [],
    );
  }

  /** The folded names of all rows that are left out. */
  invalidNames(): Set<string> {
    const names = new Set<string>();
    const collect = (list: Path, kind: RowKind): void => {
      for (const { entry } of this.invalidRows(list, kind))
        for (const field of NAMES) if (typeof entry[field] === 'string') names.add(fold(entry[field].trim()));
      const inner = kind.format.rowKinds();
      const rows = inner.size ? valueAt(this.document.value, list) : [];
      if (!Array.isArray(rows)) return;
      for (const index of rows.keys()) for (const [field, each] of inner) collect([...list, index, field], each);
    };
    for (const section of sections) collect([section.key], section);
    return names;
  }
}

/** The fields by which other rows refer to a row. */
export const NAMES = ['name', 'email', 'title', 'slug', 'shortcode'] as const;

function indexInFile(index: number, excluded: Excluded): number {
  let inFile = index;
  const left = [...excluded].flatMap(([step, inner]) => (inner === null && typeof step === 'number' ? step : []));
  for (const each of left.sort((a, b) => a - b)) if (each <= inFile) inFile++;
  return inFile;
}
