import { CommandError } from '../output.ts';
import { type Entry, parsePath } from './entry-format.ts';
import { ACCOUNT, type EntryChange } from './import.ts';
import { type CompanyFile, parseCompanyFiles } from './parse.ts';
import { identifying } from './take-back.ts';
import type { RowKind } from './entry-format.ts';
import { type FileError, formatPath } from './yaml-document.ts';

type Restored = Record<string, unknown>;
type PlacedEntry = EntryChange & { readonly kind: RowKind };

const idOf = ({ section, identity }: EntryChange): string => `${section} ${identity}`;

/** A company file with entries as they were. Whatever an import refuses is left out, with the reason. */
export class RestoredFile {
  readonly #account: Restored = {};
  readonly #lists: Record<string, { readonly of: PlacedEntry; readonly value: Restored }[]> = {};
  readonly #reasons = new Map<string, string[]>();

  /** Adds the fields of an entry that are to be set. */
  add(of: PlacedEntry, present: Entry, fields: Entry): void {
    if (!Object.keys(fields).length) return;
    if (of.section === ACCOUNT) Object.assign(this.#account, fields);
    else (this.#lists[of.section] ??= []).push({ of, value: { ...identifying(of.kind, present), ...fields } });
  }

  get text(): string {
    const lists = Object.entries(this.#lists).map(([key, list]) => [key, list.map(({ value }) => value)]);
    return JSON.stringify({ ...this.#account, ...Object.fromEntries(lists) });
  }

  parse(): CompanyFile {
    return parseCompanyFiles([{ name: 'undo', text: this.text }]);
  }

  /** Why parts of an entry are left out. */
  reasons(of: EntryChange): readonly string[] {
    return this.#reasons.get(idOf(of)) ?? [];
  }

  /** Leaves out what is wrong: a row or a field, otherwise the whole entry. */
  drop(errors: readonly FileError[]): void {
    // Places are found before any is removed.
    const removals = errors.map(({ field, message }) => this.#removal(field, message));
    for (const remove of removals) remove();
  }

  #removal(place: string, message: string): () => void {
    const [key = '', index, field, row] = parsePath(place).map(String);
    const list = this.#lists[key];
    const found = list?.[Number(index)];
    if (!list || !found) return this.#accountRemoval(key, message);
    const { of, value } = found;
    const reasons = this.#reasons.get(idOf(of)) ?? [];
    this.#reasons.set(idOf(of), [...reasons, `${formatPath(parsePath(place).slice(2))} ${message}`.trim()]);
    const rows = field !== undefined && of.kind.format.rowKinds().has(field) ? value[field] : undefined;
    const wrong: unknown = Array.isArray(rows) ? rows[Number(row)] : undefined;
    if (field !== undefined && wrong !== undefined)
      return () => (value[field] = (value[field] as unknown[]).filter((each) => each !== wrong));
    if (field !== undefined && value[field] !== undefined && !(field in identifying(of.kind, value)))
      return () => delete value[field];
    return () => void (this.#lists[key] = (this.#lists[key] ?? []).filter((each) => each !== found));
  }

  #accountRemoval(field: string, message: string): () => void {
    if (this.#account[field] === undefined) throw new CommandError(`The entries cannot be restored: ${message}`);
    this.#reasons.set(`${ACCOUNT} ${ACCOUNT}`, [`${field} ${message}`]);
    return () => delete this.#account[field];
  }
}
