import { type Mark, type StoredList, savedIdsEntity, savedListEntity } from '../../../entities/requests.ts';
import { randomHandle } from '../ids.ts';
import { layout, padded } from '../../keys.ts';
import type { Item } from '../changes.ts';
import { type TablePager, ttlAfter } from '../table.ts';
import { UnknownList } from '../errors.ts';
import type { ListReader } from './list-reader.ts';

/** A list that a reader has begun, with the name of its items. */
export type SavedList = StoredList & { readonly name: string };

/** How long a list can be continued: with a number from its first page on, without one from its last page on. */
const LIST_SECONDS = 10 * 60;

/** A reader goes on with one of the lists of a query that it began last. */
const MAX_LISTS = 8;

/** Ends of pages that a list without a number remembers, so that a reader can turn back. */
const MAX_MARKS = 20;

/** Ids of 4 bytes: a block is an item below 4 KB, one read unit and four write units. */
const BLOCK = 900;

const toBytes = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const fromBytes = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/** Names order by time. */
const nameAt = (at: number): string => at.toString(36).padStart(9, '0') + randomHandle(6);
const timeOf = (name: string): number => parseInt(name.slice(0, 9), 36);

const stateKey = (name: string): string => `list#${name}`;
const blockKey = (block: number, name: string): string => `ids#${padded(block)}#${name}`;
const nameOf = ({ SK }: Item): string => SK.slice(SK.lastIndexOf('#') + 1);

/**
 * The lists of one reader and one query. A page continues the newest list whose last page ended where it begins, else
 * the newest list; with the header X-List exactly that list. Without a reader nothing is saved.
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

  /** Whether a page begins a list: the first one does, unless the call names its list. */
  begins(skip: number): boolean {
    return skip === 0 && this.#reader?.named === undefined;
  }

  /** The lists that may go on, the newest first. */
  async find(): Promise<readonly SavedList[]> {
    const items = await this.#findItems(stateKey);
    return items
      .filter(({ TTL }) => Number(TTL) * 1000 > this.#now.getTime())
      .map((item) => ({ ...savedListEntity.read(item), name: nameOf(item) }));
  }

  /** The list that a page continues. Throws UnknownList where the call names one that is gone. */
  choose(lists: readonly SavedList[], skip: number): SavedList | undefined {
    const chosen = lists.find(({ End }) => End === skip) ?? lists[0];
    if (!chosen && this.#reader?.named !== undefined) throw new UnknownList();
    if (chosen) this.#reader?.reads(chosen.name);
    return chosen;
  }

  /** Some ids of the lists that may go on, by the names of the lists; `undefined` where some of a list are missing. */
  async findIds(skip: number, take: number): Promise<(list: SavedList) => readonly number[] | undefined> {
    const first = Math.floor(skip / BLOCK);
    const last = Math.floor((skip + take - 1) / BLOCK);
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const blocks = await Promise.all(numbers.map((block) => this.#findItems((name) => blockKey(block, name))));
    return ({ name, Count = 0 }) => {
      const saved = blocks.flatMap((items) => items.find((item) => nameOf(item) === name) ?? []);
      const ids = saved.flatMap((item) => fromBytes(savedIdsEntity.read(item).Ids));
      const found = ids.slice(skip - first * BLOCK, skip - first * BLOCK + take);
      return found.length < Math.min(take, Count - skip) ? undefined : found;
    };
  }

  /** A new list, newer than the reader's others also where the clock of their container was ahead. */
  newList(others: readonly SavedList[]): SavedList {
    const at = Math.max(this.#now.getTime(), ...others.map(({ name }) => timeOf(name) + 1));
    return { name: nameAt(at), End: 0, TTL: ttlAfter(this.#now, LIST_SECONDS) };
  }

  /** Saves a list with a number, with its ids. */
  async saveIds(list: SavedList, ids: readonly number[]): Promise<void> {
    const { name, TTL } = list;
    const blocks = Array.from({ length: Math.ceil(ids.length / BLOCK) }, (_, block): Item => {
      const Ids = toBytes(ids.slice(block * BLOCK, (block + 1) * BLOCK));
      return { PK: this.#partition, SK: blockKey(block, name), Ids, TTL };
    });
    await Promise.all([this.save(list), ...blocks.map((block) => this.#write(block))]);
  }

  /** Saves that a page of a list without a number ended. */
  async saveEnd(list: SavedList, end: Mark, recordBytes: number | undefined): Promise<void> {
    const earlier = (list.Marks ?? []).filter(({ Skip }) => Skip !== end.Skip);
    const Marks = [...earlier, end].slice(-MAX_MARKS);
    const { RecordBytes: _, ...others } = list;
    const size = recordBytes === undefined ? {} : { RecordBytes: recordBytes };
    await this.save({ ...others, ...size, End: end.Skip, Marks, TTL: ttlAfter(this.#now, LIST_SECONDS) });
  }

  async save({ name, ...state }: SavedList): Promise<void> {
    this.#reader?.reads(name);
    await this.#write({ PK: this.#partition, SK: stateKey(name), ...state });
  }

  async #write(item: Item): Promise<void> {
    if (this.#reader) await this.#table.writeCursor(item);
  }

  /** The items of the list that the call names, else of the newest lists; the newest first. */
  async #findItems(keyOf: (name: string) => string): Promise<readonly Item[]> {
    if (!this.#reader) return [];
    const { named } = this.#reader;
    if (named !== undefined) {
      const item = await this.#table.get({ PK: this.#partition, SK: keyOf(named) });
      return item ? [item] : [];
    }
    const bounds = { from: keyOf(''), to: keyOf('~') };
    const range = { partition: this.#partition, ...bounds, descending: true, limit: MAX_LISTS, consistent: true };
    return (await this.#table.query(range)).items;
  }
}

/** The end of a page in front of a place of a list without a number that is nearest to it. */
export const nearestMark = ({ Marks = [] }: SavedList, skip: number): Mark =>
  Marks.reduce((nearest, mark) => (mark.Skip <= skip && mark.Skip > nearest.Skip ? mark : nearest), { Skip: 0 });
