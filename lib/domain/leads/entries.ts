/** Turns what a form sends, in any shape, into a list of its fields with their values. */

/** A field of a form. */
export interface LeadEntry {
  /** The last part of its path: `email` in `fields[email][value]`. */
  readonly name: string;
  /** What people see of it: the label of the form, else its path. */
  readonly label: string;
  /** The kind of field as the form builder names it, or `''`. */
  readonly type: string;
  readonly value: string;
  /** Whether it was a number in JSON. */
  readonly isNumber?: true;
  /** The path of the object that has it. */
  readonly within: string;
  /** Whether it is among what the person answered, and not what the program adds about the form. */
  readonly isAnswer: boolean;
}

/** The deepest nesting that is read; deeper bodies stay text. */
const MAX_DEPTH = 40;
/** Characters of a name that are kept in a path, and of all labels and values. */
const [MAX_NAME, MAX_SIZE] = [100, 1_000_000];

/** Objects and lists with the answers of a person; what is beside them is about the form. */
const ANSWERS = new Set(
  (
    'data fields answers userColumnData user_column_data fieldData field_data properties formData form_data ' +
    'formFields form_fields submission submissions values lead leads contact person customer entry body response ' +
    'record rawRequest'
  ).split(' '),
);

const VALUE_NAMES = ['value', 'values', 'string_value', 'stringValue', 'answer'] as const;
const LABEL_NAMES = ['label', 'title', 'question', 'column_name', 'columnName', 'name'] as const;
const KEY_NAMES = ['name', 'key', 'column_id', 'columnId', 'field', 'id'] as const;
/** An object that has a value and no other names than these is one field of a form. */
const FIELD_NAMES = new Set<string>([
  ...VALUE_NAMES,
  ...LABEL_NAMES,
  ...KEY_NAMES,
  ...'type required raw_value rawValue ref versions timestamp source sourceId sourceVid selected'.split(' '),
  ...'first middle last options order slug field_id fieldId objectTypeId'.split(' '),
]);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The text of a value, or of a list of values; `undefined` for anything else. A choice is its label. */
function textOf(value: unknown): string | undefined {
  if (isScalar(value)) return String(value);
  if (Array.isArray(value)) {
    const texts = value.map((each: unknown) => (each === null ? '' : isScalar(each) ? String(each) : undefined));
    return texts.includes(undefined) ? undefined : texts.filter(Boolean).join(', ');
  }
  if (!isFields(value)) return undefined;
  const { label, labels, other, ...rest } = value;
  return Object.keys(rest).every((name) => ['id', 'ids', 'ref', 'refs'].includes(name))
    ? textOf(label ?? labels ?? other)
    : undefined;
}

const firstText = (fields: Fields, names: readonly string[]): string =>
  String(names.map((name) => fields[name]).find((value) => isScalar(value) && value !== '') ?? '');

/** A part of the body that is still to be walked through. */
interface Place {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly isAside?: true;
}

/** One walk through a body, in its order. */
class Walk {
  readonly entries: LeadEntry[] = [];
  readonly #titles: ReadonlyMap<string, string>;
  /** Characters of labels and values. */
  #size = 0;

  constructor(titles: ReadonlyMap<string, string>) {
    this.#titles = titles;
  }

  /** Returns whether the body was read: not if it is nested too deeply, or its paths are much longer than it is. */
  read(body: unknown): boolean {
    const places: Place[] = [{ path: [], value: body }];
    for (let place = places.pop(); place; place = places.pop()) {
      if (place.path.length > MAX_DEPTH || this.#size > MAX_SIZE) return false;
      // One by one: a list may have more elements than a call has arguments.
      for (const inner of this.#readPlace(place).toReversed()) places.push(inner);
    }
    return true;
  }

  /** Adds what a place is, or returns the places in it. */
  #readPlace({ path, value, isAside }: Place): Place[] {
    const aside = isAside && { isAside };
    if (isScalar(value)) {
      const inner = typeof value === 'string' ? parsedObject(value) : undefined;
      if (inner) return [{ path, value: inner, ...aside }];
      this.#add({ path, name: lastName(path), value: String(value), isNumber: typeof value === 'number', isAside });
      return [];
    }
    if (Array.isArray(value)) {
      const text = textOf(value);
      if (text === undefined)
        return value.map((each, index) => ({ path: [...path, String(index)], value: each, ...aside }));
      this.#add({ path, name: lastName(path), value: text, isAside });
      return [];
    }
    return isFields(value) ? (this.#readField(value, path, isAside) ?? placesIn(value, path, isAside)) : [];
  }

  /** Adds the field that an object describes; returns the places of its other properties. */
  #readField(fields: Fields, path: readonly string[], isAside: true | undefined): Place[] | undefined {
    const answer = this.#readAnswer(fields, path);
    if (answer) return answer;
    const valueName = VALUE_NAMES.find((name) => textOf(fields[name]) !== undefined);
    if (!valueName || !Object.keys(fields).every((name) => FIELD_NAMES.has(name))) return undefined;
    const value = fields[valueName];
    this.#add({
      path: path.slice(0, -1),
      name: firstText(fields, KEY_NAMES) || lastName(path),
      label: firstText(fields, LABEL_NAMES) || lastName(path),
      type: firstText(fields, ['type']),
      value: textOf(value) ?? '',
      isNumber: typeof value === 'number',
      isAside,
    });
    const { [valueName]: _, ...others } = fields;
    return placesIn(others, path, true);
  }

  /** Adds an answer of Typeform: the property that `type` names, with the title of its field. */
  #readAnswer(fields: Fields, path: readonly string[]): Place[] | undefined {
    const { type, field } = fields;
    const value = typeof type === 'string' && isFields(field) ? textOf(fields[type]) : undefined;
    if (value === undefined || !isFields(field)) return undefined;
    const title = this.#titles.get(String(field['id'])) ?? firstText(field, ['title', 'ref']);
    this.#add({ path, name: '', label: title || String(type), type: String(type), value });
    const { [String(type)]: _, type: __, ...others } = fields;
    return placesIn(others, path, true);
  }

  #add({ path, name, label, type = '', value, isNumber, isAside }: NewEntry): void {
    if (!value.trim()) return;
    const shown = path.filter((part) => !ANSWERS.has(part) && !/^\d{1,9}$/.test(part));
    const written = (label ?? shown.join('.')) || name || 'value';
    this.#size += written.length + value.length;
    this.entries.push({
      name: name.slice(0, MAX_NAME),
      label: written,
      type,
      value,
      ...(isNumber && { isNumber }),
      within: (label === undefined ? path.slice(0, -1) : path).join('.'),
      isAnswer: !isAside && path.some((part) => ANSWERS.has(part)),
    });
  }
}

interface NewEntry {
  readonly path: readonly string[];
  readonly name: string;
  readonly label?: string;
  readonly type?: string;
  readonly value: string;
  readonly isNumber?: boolean;
  readonly isAside?: true | undefined;
}

/** The name of a list is that of its elements. */
const lastName = (path: readonly string[]): string =>
  path.findLast((part) => !/^\d{1,9}$/.test(part)) ?? path.at(-1) ?? '';

const placesIn = (fields: Fields, path: readonly string[], isAside: true | undefined): Place[] =>
  Object.entries(fields).map(([name, value]) => ({
    path: [...path, name.slice(0, MAX_NAME)],
    value,
    ...(isAside && { isAside }),
  }));

/** The object or list in a text, as some programs put JSON into a field. */
function parsedObject(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The titles of the fields of a Typeform by their ids. */
function titlesOf(body: unknown): Map<string, string> {
  const response = isFields(body) ? body['form_response'] : undefined;
  const definition = isFields(response) ? response['definition'] : undefined;
  const fields = isFields(definition) ? definition['fields'] : undefined;
  const list = Array.isArray(fields) ? fields.filter(isFields) : [];
  return new Map(list.map(({ id, title }): [string, string] => [String(id), String(title)]));
}

/** The fields of a JSON body; `undefined` if it is nested too deeply. Without answers among them, all of them are. */
export function entriesOfJson(body: unknown): readonly LeadEntry[] | undefined {
  const walk = new Walk(titlesOf(body));
  if (!walk.read(body)) return undefined;
  const { entries } = walk;
  return entries.some(({ isAnswer }) => isAnswer) ? entries : entries.map((entry) => ({ ...entry, isAnswer: true }));
}

/** An object without a prototype, so that any name can be a key. */
type Tree = Record<string, unknown>;
const newTree = (): Tree => Object.create(null) as Tree;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** `fields[name][value]` is the path `fields`, `name`, `value`; `services[]` is `services`. */
function pathOf(name: string): string[] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\]){1,8})$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  return [first, ...brackets.slice(1, -1).split('][')].filter(Boolean);
}

/** Puts a value where its path leads; a name that occurs several times has a list of values. */
function put(tree: Tree, path: readonly string[], value: string): void {
  let at = tree;
  for (const part of path.slice(0, -1)) {
    const inner = at[part];
    const next = isTree(inner) && !Array.isArray(inner) ? inner : newTree();
    // A value and fields under one name: the value moves among them.
    if (inner !== undefined && next !== inner) next[''] = inner;
    at[part] = next;
    at = next;
  }
  const last = path.at(-1) ?? '';
  const before = at[last];
  if (before === undefined) at[last] = value;
  else if (Array.isArray(before)) before.push(value);
  else if (isTree(before)) put(before, [''], value);
  else at[last] = [before, value];
}

/** The fields of a form that is encoded as names and values. */
export function entriesOfForm(
  fields: readonly (readonly [name: string, value: string])[],
): readonly LeadEntry[] | undefined {
  const tree = newTree();
  for (const [name, value] of fields) put(tree, pathOf(name), value);
  return entriesOfJson(tree);
}
