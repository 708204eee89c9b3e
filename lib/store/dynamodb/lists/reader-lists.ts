import { type Mark, type StoredList, savedIdsEntity, savedListEntity } from '../../../entities/requests.ts';
import { mapWithConcurrency } from '../../../shared/promises.ts';
import { randomHandle } from '../records.ts';
import { layout, padded } from '../../keys.ts';
import type { Item } from '../changes.ts';
import { type TablePager, chunks, ttlAfter } from '../table.ts';
import { UnknownList } from '../errors.ts';
import type { ListReader } from './list-reader.ts';

/** A list that a reader has started, with the name of its items. */
export type SavedList = StoredList & { readonly name: string };

/** How long a list can be continued: a fixed one after its first page, others after their last page. */
const LIST_SECONDS = 10 * 60;

/** A reader can continue one of the last lists that it started for a query. */
const MAX_LISTS = 8;

/** Number of page ends that a list remembers, so that a reader can turn back. */
const MAX_MARKS = 20;

/** Ids of 4 bytes: a block is an item below 4 KB, one read unit and four write units. */
const BLOCK = 900;
const WRITES_AT_ONCE = 20;

const toBytes = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const fromBytes = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/** Names are ordered by time. */
const nameAt = (at: number): string => at.toString(36).padStart(9, '0') + randomHandle(6);
const timeOf = (name: string): number => parseInt(name.slice(0, 9), 36);

const stateKey = (name: string): string => `list#${name}`;
const blockKey = (block: number, name: string): string => `ids#${padded(block)}#${name}`;
const nameOf = ({ SK }: Item): string => SK.slice(SK.lastIndexOf('#') + 1);

/**
 * The lists of one reader and one query. A page continues the newest list whose last page ended where it begins,
 * otherwise the newest list; with the header X-List exactly that list. Without a reader nothing is saved.
 */
export class ReaderLists {
  readonly #table: TablePager;
  readonly #reader: ListReader | undefined;
  readonly #partition: string = '';
  readonly #now: Date;

  constructor(
    table: TablePager,
    { account, reader, query }: { account: string; reader?: ListReader | undefined; query: string },
    now: Date,
  ) {
    this.#table = table;
    this.#reader = reader;
    if (reader) this.#partition = layout.cursor.of({ account, fingerprint: reader.fingerprint(query) });
    this.#now = now;
  }

  /** Whether a page starts a list: the first page does, unless the call names its list. */
  begins(skip: number): boolean {
    return skip === 0 && this.#reader?.named === undefined;
  }

  /** The lists that can be continued, newest first. */
  async find(): Promise<readonly SavedList[]> {
    const items = await this.#findItems();
    return items
      .filter(({ TTL }) => Number(TTL) * 1000 > this.#now.getTime())
      .map((item) => ({ ...savedListEntity.read(item), name: nameOf(item) }));
  }

  /** The list that a page continues. Throws UnknownList if the call names one that is gone. */
  choose(lists: readonly SavedList[], skip: number): SavedList | undefined {
    const chosen = lists.find(({ End }) => End === skip) ?? lists[0];
    if (!chosen && this.#reader?.named !== undefined) throw new UnknownList();
    if (chosen) this.#reader?.reads(chosen.name);
    return chosen;
  }

  /** A new list that is newer than the reader's others, even if the clock of their container was ahead. */
  newList(others: readonly SavedList[]): SavedList {
    const at = Math.max(this.#now.getTime(), ...others.map(({ name }) => timeOf(name) + 1));
    return { name: nameAt(at), End: 0, TTL: ttlAfter(this.#now, LIST_SECONDS) };
  }

  /** Saves the ids of a fixed list before the list itself, so that a list that is found has them. */
  async saveIds({ name, TTL }: SavedList, ids: readonly number[]): Promise<void> {
    const blocks = chunks(ids, BLOCK).map((block, index): Item => ({
      PK: this.#partition,
      SK: blockKey(index, name),
      Ids: toBytes(block),
      TTL,
    }));
    await mapWithConcurrency(blocks, WRITES_AT_ONCE, (block) => this.#write(block));
  }

  /** The ids of a fixed list between two positions. Throws UnknownList if they are gone. */
  async findIds({ name }: SavedList, from: number, end: number): Promise<readonly number[]> {
    const first = Math.floor(from / BLOCK);
    const numbers = Array.from({ length: Math.ceil(end / BLOCK) - first }, (_, index) => first + index);
    const keys = numbers.map((block) => ({ PK: this.#partition, SK: blockKey(block, name) }));
    const items = await this.#table.getMany(keys);
    if (items.length < keys.length) throw new UnknownList();
    const ids = keys.flatMap(({ SK }) => {
      const item = items.find((each) => each.SK === SK);
      return item ? fromBytes(savedIdsEntity.read(item).Ids) : [];
    });
    return ids.slice(from - first * BLOCK, end - first * BLOCK);
  }

  /** Saves where a page ended. */
  async saveEnd({ name, ...list }: SavedList, mark: Mark): Promise<void> {
    this.#reader?.reads(name);
    const { Skip: End, Position = -1 } = mark;
    const earlier = (list.Marks ?? []).filter(({ Skip }) => Skip !== End);
    const Marks = (Position === End ? earlier : [...earlier, mark]).slice(-MAX_MARKS);
    const TTL = list.Count === undefined ? ttlAfter(this.#now, LIST_SECONDS) : list.TTL;
    const item = { PK: this.#partition, SK: stateKey(name), ...list, End, ...(Marks.length ? { Marks } : {}), TTL };
    await this.#write(item);
  }

  async #write(item: Item): Promise<void> {
    if (this.#reader) await this.#table.writeCached(item);
  }

  /** The item of the list that the call names, otherwise those of the newest lists, newest first. */
  async #findItems(): Promise<readonly Item[]> {
    if (!this.#reader) return [];
    const { named } = this.#reader;
    if (named !== undefined) {
      const item = await this.#table.get({ PK: this.#partition, SK: stateKey(named) });
      return item ? [item] : [];
    }
    const bounds = { from: stateKey(''), to: stateKey('~') };
    const range = { partition: this.#partition, ...bounds, descending: true, limit: MAX_LISTS, consistent: true };
    return (await this.#table.query(range)).items;
  }
}

/** The nearest page end before a place. A fixed list has no mark if it has as many entries as records. */
export const nearestMark = ({ Marks = [] }: SavedList, skip: number): Mark =>
  Marks.reduce((nearest, mark) => (mark.Skip <= skip && mark.Skip > nearest.Skip ? mark : nearest), { Skip: 0 });
