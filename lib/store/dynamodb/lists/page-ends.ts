import type { ReaderLists, SavedList } from './reader-lists.ts';
import type { ListEntry } from './lists.ts';

/** Where a page ends, perhaps. */
export interface PageEnd {
  readonly end: ListEntry | undefined;
  readonly isLast: boolean;
  /** Of a record of the page on average, if that is known. */
  readonly recordBytes?: number | undefined;
}

/** Saves where a page ends, perhaps again when its records show that it ends elsewhere. */
export class PageEnds {
  readonly #lists: ReaderLists;
  readonly #list: SavedList;
  readonly #next: number;
  /** Nothing is saved of a list that has only one page, unless the reader has another list. */
  #isSaved: boolean;

  constructor(lists: ReaderLists, list: SavedList, { next, isSaved }: { next: number; isSaved: boolean }) {
    this.#lists = lists;
    this.#list = list;
    this.#next = next;
    this.#isSaved = isSaved;
  }

  async save({ end, isLast, recordBytes }: PageEnd): Promise<void> {
    if (isLast && !this.#isSaved) return;
    this.#isSaved = true;
    const bytes = recordBytes === undefined ? undefined : Math.round(recordBytes);
    const mark = { Skip: this.#next, ...(end ? { OrderKey: end.orderKey } : {}) };
    await this.#lists.saveEnd(this.#list, mark, bytes);
  }
}
