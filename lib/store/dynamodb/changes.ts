import { MAX_BATCH_WRITES } from '../../shared/limits.ts';
import { type Key } from '../keys.ts';
import { isRefusal } from './errors.ts';

/** The changes of a transaction: how each is written, and what is put ahead of them. */

/** An item as the table holds it. */
export type Item = Key & Record<string, unknown>;

/**
 * What the item must be for a change to be made. `equals` compares attributes; an `undefined` one must be missing.
 * `atLeast` and `below` compare numbers; an attribute that must be `below` may be missing.
 */
export type Condition =
  | 'absent'
  | 'present'
  | { readonly equals: Readonly<Record<string, unknown>> }
  | { readonly atLeast: Readonly<Record<string, number>>; readonly below: Readonly<Record<string, number>> };

/** One part of a transaction. */
export type TransactionChange =
  | { readonly put: Item; readonly if?: Condition }
  | {
      readonly update: Key;
      readonly set?: Record<string, unknown>;
      /** Set only if the attribute is missing. */
      readonly setOnce?: Record<string, unknown>;
      /** Entries of maps, by the map's attribute; `undefined` removes the entry. The map must exist. */
      readonly entries?: Record<string, Readonly<Record<string, unknown>>>;
      readonly add?: Record<string, number>;
      readonly remove?: readonly string[];
      readonly if?: Condition;
    }
  | { readonly remove: Key; readonly if?: Condition }
  | { readonly check: Key; readonly if: Condition };

/** The table operations for taking something back. */
export interface RemovalTable {
  get(key: Key): Promise<Item | undefined>;
  commit(changes: readonly Change[]): Promise<void>;
  putMany(items: readonly Item[], removals: readonly Key[]): Promise<void>;
}

/**
 * Items that are put before a transaction, which takes only 100 changes: entries that no reader trusts by themselves.
 */
export interface Ahead {
  /** Put before the others, and kept: whoever finds it later removes the leftovers of a call that ended in between. */
  readonly note: Item;
  readonly items: readonly Item[];
  /** Removes the items that no record claims, if the transaction was refused. */
  readonly takeBack: (table: RemovalTable) => Promise<void>;
}

/**
 * The parts of a commit: changes of one transaction, which are made all or not at all, and items put ahead because they
 * do not fit.
 */
export type Change = TransactionChange | { readonly ahead: Ahead };

/** The item that a change writes; `undefined` for one that only checks, or puts items ahead. */
export function keyOfChange(change: Change): Key | undefined {
  if ('put' in change) return change.put;
  if ('update' in change) return change.update;
  return 'remove' in change ? change.remove : undefined;
}

/** The changes of the transaction, and what is put ahead of it. */
export function partChanges(changes: readonly Change[]): { transaction: TransactionChange[]; ahead: Ahead[] } {
  const transaction = changes.flatMap((change) => ('ahead' in change ? [] : change));
  return { transaction, ahead: changes.flatMap((change) => ('ahead' in change ? [change.ahead] : [])) };
}

/** Expressions with placeholders for names and values: no value ever becomes part of an expression. */
class Expressions {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(attribute: string): string {
    const name = `#${Object.keys(this.names).length}`;
    this.names[name] = attribute;
    return name;
  }

  value(value: unknown): string {
    const name = `:${Object.keys(this.values).length}`;
    this.values[name] = value;
    return name;
  }

  condition(condition: Condition): string {
    if (condition === 'absent') return `attribute_not_exists(${this.name('PK')})`;
    if (condition === 'present') return `attribute_exists(${this.name('PK')})`;
    if ('atLeast' in condition) return this.bounds(condition).join(' AND ');
    return Object.entries(condition.equals)
      .map(([attribute, value]) =>
        value === undefined
          ? `attribute_not_exists(${this.name(attribute)})`
          : `${this.name(attribute)} = ${this.value(value)}`,
      )
      .join(' AND ');
  }

  bounds({ atLeast, below }: Extract<Condition, { atLeast: object }>): string[] {
    const lower = Object.entries(atLeast).map(
      ([attribute, limit]) => `${this.name(attribute)} >= ${this.value(limit)}`,
    );
    const upper = Object.entries(below).map(([attribute, limit]) => {
      const name = this.name(attribute);
      return `(attribute_not_exists(${name}) OR ${name} < ${this.value(limit)})`;
    });
    return [...lower, ...upper];
  }

  assignments(of: Record<string, unknown>, sign: string): string[] {
    return Object.entries(of).map(([attribute, value]) => `${this.name(attribute)}${sign}${this.value(value)}`);
  }

  assignmentsOnce(of: Record<string, unknown>): string[] {
    return Object.entries(of).map(([attribute, value]) => {
      const name = this.name(attribute);
      return `${name} = if_not_exists(${name}, ${this.value(value)})`;
    });
  }

  entries(of: Record<string, Readonly<Record<string, unknown>>>, isRemoved: boolean): string[] {
    return Object.entries(of).flatMap(([attribute, entries]) =>
      Object.entries(entries)
        .filter(([, value]) => (value === undefined) === isRemoved)
        .map(([name, value]) => {
          const path = `${this.name(attribute)}.${this.name(name)}`;
          return isRemoved ? path : `${path} = ${this.value(value)}`;
        }),
    );
  }

  parameters() {
    return {
      ...(Object.keys(this.names).length ? { ExpressionAttributeNames: this.names } : {}),
      ...(Object.keys(this.values).length ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}

export function toUpdate({
  update,
  set = {},
  setOnce = {},
  entries = {},
  add = {},
  remove = [],
  if: condition,
}: Extract<TransactionChange, { update: Key }>) {
  const expressions = new Expressions();
  const clauses = [
    [
      'SET ',
      [
        ...expressions.assignments(set, ' = '),
        ...expressions.assignmentsOnce(setOnce),
        ...expressions.entries(entries, false),
      ],
    ],
    ['ADD ', expressions.assignments(add, ' ')],
    ['REMOVE ', [...remove.map((attribute) => expressions.name(attribute)), ...expressions.entries(entries, true)]],
  ] as const;
  return {
    Key: update,
    UpdateExpression: clauses
      .filter(([, parts]) => parts.length)
      .map(([verb, parts]) => verb + parts.join(', '))
      .join(' '),
    ...(condition ? { ConditionExpression: expressions.condition(condition) } : {}),
    ...expressions.parameters(),
  };
}

function conditionParameters(condition: Condition | undefined) {
  if (!condition) return {};
  const expressions = new Expressions();
  return { ConditionExpression: expressions.condition(condition), ...expressions.parameters() };
}

export const toPut = (TableName: string, { put, if: condition }: Extract<Change, { put: Item }>) => ({
  TableName,
  Item: put,
  ...conditionParameters(condition),
});

export function toTransactItem(TableName: string, change: TransactionChange) {
  if ('put' in change) return { Put: toPut(TableName, change) };
  if ('update' in change) return { Update: { TableName, ...toUpdate(change) } };
  if ('check' in change)
    return {
      ConditionCheck: {
        TableName,
        Key: change.check,
        ...(conditionParameters(change.if) as { ConditionExpression: string }),
      },
    };
  return { Delete: { TableName, Key: change.remove, ...conditionParameters(change.if) } };
}

/**
 * Puts the items ahead of a transaction, and makes the transaction; takes them back if it certainly changed nothing.
 * The note is in the first request, so that nothing is put without it; what cannot be taken back now is found by it
 * later.
 */
export async function commitBehind(
  table: RemovalTable,
  ahead: readonly Ahead[],
  transact: () => Promise<void>,
): Promise<void> {
  let isSent = false;
  try {
    for (const { note, items } of ahead) {
      await table.putMany([note, ...items.slice(0, MAX_BATCH_WRITES - 1)], []);
      await table.putMany(items.slice(MAX_BATCH_WRITES - 1), []);
    }
    isSent = true;
    await transact();
  } catch (error) {
    if (!isSent || isRefusal(error))
      await Promise.all(ahead.map(({ takeBack }) => takeBack(table).catch(() => undefined)));
    throw error;
  }
}
