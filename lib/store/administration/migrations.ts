import type { StoreWriter } from '../store.ts';
import { layout } from '../keys.ts';
import { findAccount } from '../accounts/accounts.ts';
import { CURRENT_SCHEMA, schemaError } from '../accounts/schema.ts';

/**
 * A step from one schema of an account's items to the next. A step may run twice: if it was killed, or if two ran at
 * once.
 */
export interface Migration {
  readonly to: number;
  /** Writes the items in the new form, and returns their number. */
  write(store: StoreWriter): Promise<number>;
}

/** In order; the last one leads to CURRENT_SCHEMA. None yet: 0.3 already has the current schema. */
const migrations: readonly Migration[] = [];

export type Migrated =
  | { readonly kind: 'migrated'; readonly from: number; readonly items: number }
  | { readonly kind: 'current' }
  | { readonly kind: 'absent' }
  /** Written by a version that this one does not know, or no longer reads; `message` says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

/** Migrates the items of an account to the current schema, while the account is in use. Safe to repeat. */
export async function migrateAccount(store: StoreWriter, steps: readonly Migration[] = migrations): Promise<Migrated> {
  const { table, account } = store;
  const found = await findAccount(store);
  if (!found) return { kind: 'absent' };
  const message = schemaError(found);
  if (message !== undefined) return { kind: 'refused', message };
  const from = found.Schema ?? CURRENT_SCHEMA;
  const missing = steps.filter((step) => step.to > from);
  if (!missing.length) return { kind: 'current' };
  let items = 0;
  for (const { to, write } of missing) {
    items += await write(store);
    await table.update({ update: layout.account.key({ account }), set: { Schema: to }, if: 'present' });
  }
  return { kind: 'migrated', from, items };
}
