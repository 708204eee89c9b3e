import type { IdName } from '../../resources/addresses.ts';
import type { PartEntry } from '../../resources/price-book.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { fold } from '../../shared/text.ts';
import type { PartRecord } from './record.ts';
import type { Ids } from './references.ts';

/**
 * The categories of parts: a category is there as long as a part is in it, and one name, whatever its case, is one
 * category, also as a subcategory.
 */
export class PartCategories {
  readonly #byName = new Map<string, IdName>();
  readonly #byId = new Map<number, IdName>();
  readonly #ids: Ids;

  constructor(parts: Iterable<PartRecord>, ids: Ids) {
    this.#ids = ids;
    for (const { PartCategory, PartSubcategory1, PartSubcategory2 } of parts) {
      for (const category of [PartCategory, PartSubcategory1, PartSubcategory2]) if (category) this.#keep(category);
    }
  }

  #keep(category: IdName): IdName {
    this.#byName.set(fold(category.Name), category);
    this.#byId.set(category.Id, category);
    return category;
  }

  get ids(): { has(id: number): boolean } {
    return this.#byId;
  }

  /** Folded name → id. */
  get names(): ReadonlyMap<string, number> {
    return new Map([...this.#byName].map(([name, { Id }]) => [name, Id]));
  }

  /** The category of a name, made where it is new. */
  named(name: string): IdName {
    return this.#byName.get(fold(name)) ?? this.#keep({ Id: this.#ids.take('PartCategory'), Name: name });
  }

  /**
   * The category an entry says by id or by name; `undefined` where it says nothing, `null` where it clears. `field` is
   * PartCategory, PartSubcategory1 or PartSubcategory2.
   */
  said(
    entry: PartEntry,
    field: 'PartCategory' | 'PartSubcategory1' | 'PartSubcategory2',
    at: string,
    errors: FieldError[],
  ): IdName | null | undefined {
    const whole = entry[field];
    const id = entry[`${field}Id`] ?? whole?.Id;
    if (id) {
      const known = this.#byId.get(id);
      const idField = entry[`${field}Id`] ? `${field}Id` : `${field}.Id`;
      if (!known) errors.push({ field: `${at}.${idField}`, message: `names no part category there is: ${id}` });
      return known;
    }
    const said = whole?.Name ?? (field === 'PartCategory' ? entry.Category : undefined);
    if (said?.trim()) return this.named(said.trim());
    const cleared = whole === null || entry[`${field}Id`] === null || (said !== undefined && !said?.trim());
    return cleared ? null : undefined;
  }
}
