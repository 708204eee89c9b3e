import type { CustomField } from '../../resources/custom-fields.ts';
import { cellText } from './cells.ts';
import { type Mapping, type Source, columnsOf, headerKey, headersOf } from './mapping.ts';

/** A value of a row that the import omits, and why. */
export interface Loss {
  readonly column: string;
  readonly reason: string;
  /** It is stored, but not as written. */
  readonly isStored?: true;
}

/** The columns of a file as its mapping uses them. */
export interface FileColumns {
  readonly headers: readonly string[];
  /** The column of a header: the first one if there are several. */
  readonly columnOf: (header: string) => number | undefined;
  /** Columns whose name is that of a custom field of contacts: `CFT[Gate code]` is `Gate code`. */
  readonly custom: readonly { readonly column: number; readonly definition: CustomField; readonly of: Owner }[];
  /** The other system's custom fields that do not exist here: they become a note. */
  readonly noted: readonly { readonly column: number; readonly of: Owner }[];
  /** Unmapped columns, including the second one of a header. */
  readonly lost: readonly number[];
  /** How many properties a row can have. */
  readonly properties: number;
}

/** Puts the number of a property in place of `{n}`. */
const numbered = (header: string, n: number): string => header.replace('{n}', String(n));

/** Whose custom field it is. */
type Owner = 'client' | 'property';

/** Jobber writes custom fields as `CFT[Gate code]` or `PFI[ Lot size ]`: owner, type and name. */
function customHeader(header: string): { readonly name: string; readonly of: Owner; readonly isMarked: boolean } {
  const [, owner, name] = /^([A-Z])[A-Z]{1,2}\s*\[(.*)\]$/.exec(header) ?? [];
  return { name: name?.trim() ?? header, of: owner === 'P' ? 'property' : 'client', isMarked: owner !== undefined };
}

/** Every header that a mapping names. */
function mappedHeaders(mapping: Mapping): string[] {
  const all: Source[] = [];
  const add = (...sources: readonly (Source | undefined)[]) =>
    all.push(...sources.filter((each) => each !== undefined));
  add(...(mapping.ignore ?? []), ...(mapping.notes ?? []));
  if (mapping.kind === 'contacts') {
    add(mapping.id, mapping.billing, ...Object.values(mapping.fields), ...Object.values(mapping.properties ?? {}));
    add(...(mapping.emails ?? []), ...Object.values(mapping.phones ?? {}), ...(mapping.tags ?? []));
    add(...Object.values(mapping.tagsIf ?? {}), ...Object.values(mapping.flags ?? {}));
    add(...Object.values(mapping.consents ?? {}).flat());
  } else {
    const { kind: _, client, notes: __, ignore: ___, ...sources } = mapping;
    add(...Object.values(client), ...Object.values(sources).filter((source) => typeof source !== 'boolean'));
  }
  return all.flatMap(headersOf);
}

/** Memoizes: a file with 451 columns looks up each of them in every row. */
function remember<Value>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text) as Value;
  };
}

/** More addresses than any export has. */
const MAX_PROPERTIES = 200;

export function fileColumns(
  mapping: Mapping,
  headers: readonly string[],
  customFields: readonly CustomField[],
): FileColumns {
  const index = new Map<string, number>();
  headers.forEach((header, column) => {
    if (!index.has(headerKey(header))) index.set(headerKey(header), column);
  });
  const columnOf = remember((header) => index.get(headerKey(header)));
  const mapped = mappedHeaders(mapping);
  const templates = mapped.filter((header) => header.includes('{n}'));
  let properties = templates.length ? 0 : 1;
  const has = (n: number) => templates.some((header) => columnOf(numbered(header, n)) !== undefined);
  while (templates.length && properties < MAX_PROPERTIES && has(properties + 1)) properties++;
  const used = new Set([
    ...mapped.map(headerKey),
    ...templates.flatMap((header) =>
      Array.from({ length: properties }, (_, place) => headerKey(numbered(header, place + 1))),
    ),
  ]);
  const isContacts = mapping.kind === 'contacts';
  const noteKeys = new Set(isContacts ? (mapping.notes ?? []).map(headerKey) : []);
  const mayBeCustom = (header: string) =>
    isContacts && (!used.has(headerKey(header)) || noteKeys.has(headerKey(header)));
  const own = customFields.filter(({ TableType }) => TableType === 0);
  const custom = headers.flatMap((header, column) => {
    const { name, of } = customHeader(header);
    const definition = own.find(({ Name }) => header && headerKey(Name) === headerKey(name));
    return definition && mayBeCustom(header) ? [{ column, definition, of }] : [];
  });
  const customColumns = new Set(custom.map(({ column }) => column));
  const noted = headers.flatMap((header, column) => {
    const { of, isMarked } = customHeader(header);
    return isMarked && mayBeCustom(header) && !customColumns.has(column) ? [{ column, of }] : [];
  });
  const taken = new Set([...custom, ...noted].map(({ column }) => column));
  const lost = headers.flatMap((header, column) =>
    !taken.has(column) && !(used.has(headerKey(header)) && columnOf(header) === column) ? [column] : [],
  );
  return { headers, columnOf, custom, noted, lost, properties };
}

/** The cells of a row by header. */
export class Row {
  readonly #columns: FileColumns;
  readonly #cells: readonly string[];

  constructor(columns: FileColumns, cells: readonly string[]) {
    this.#columns = columns;
    this.#cells = cells;
  }

  at(column: number): string {
    return cellText(this.#cells[column] ?? '');
  }

  cell(header: string): string {
    const column = this.#columns.columnOf(header);
    return column === undefined ? '' : this.at(column);
  }

  /** The text of a source, for property `n` if its headers are numbered. */
  text(source: Source | undefined, n = 1): string {
    if (source === undefined) return '';
    const cell = (header: string) => this.cell(numbered(header, n));
    for (const column of columnsOf(source)) {
      const text = typeof column === 'string' ? cell(column) : column.join.map(cell).filter(Boolean).join(' ');
      if (text) return text;
    }
    return '';
  }

  /** The header of the first non-empty column of a source, for messages. */
  header(source: Source | undefined, n = 1): string {
    const headers = headersOf(source).map((header) => numbered(header, n));
    return headers.find((header) => this.cell(header)) ?? headers[0] ?? '';
  }

  /** Whether a custom field takes the column of a header. */
  isCustom(header: string): boolean {
    const at = this.#columns.columnOf(header);
    return this.#columns.custom.some(({ column }) => column === at);
  }

  headerAt(column: number): string {
    return this.#columns.headers[column] || `column ${column + 1}, which has no name`;
  }

  /** The unmapped columns in which the row has something. */
  unmapped(): { readonly header: string; readonly text: string }[] {
    return this.#columns.lost.flatMap((column) => {
      const text = this.at(column);
      return text ? [{ header: this.headerAt(column), text }] : [];
    });
  }
}
