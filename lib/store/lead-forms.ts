import { type LeadForm, leadFormEntity, leadReceiptEntity } from '../entities/leads.ts';
import { SECOND } from '../shared/time/time.ts';
import type { Change } from './dynamodb/changes.ts';
import { listRange } from './dynamodb/records.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

/** The addresses of an account for leads, and which leads came lately. */

const formKey = ({ account }: StoreAccount, id: number): Key => layout.leadForm.key({ account, id });

/** All addresses, the revoked ones too, by id; lib/domain/list-limits.ts limits their number. */
export const listLeadForms = async ({ table, account }: StoreReader): Promise<LeadForm[]> =>
  (await listRange(table, { partition: layout.leadForm.of({ account }), consistent: true })).map(
    leadFormEntity.readDeclared,
  );

export async function findLeadForm(store: StoreReader, id: number): Promise<LeadForm | undefined> {
  const item = await store.table.get(formKey(store, id));
  return item && leadFormEntity.readDeclared(item);
}

export const newLeadFormChange = (store: StoreAccount, form: LeadForm): Change => ({
  put: { ...formKey(store, form.Id), ...form },
  if: 'absent',
});

/** Ends an address at once. Safe to repeat: the first moment stays. */
export const writeLeadFormRevoked = async (store: StoreWriter, id: number, now: Date): Promise<void> => {
  await store.table.update({ update: formKey(store, id), setOnce: { RevokedAt: now.getTime() }, if: 'present' });
};

/** Counts what came at an address, at once. A repeat counts twice, and nothing depends on the numbers. */
export const writeLeadCount = async (
  store: StoreWriter,
  id: number,
  kind: 'Received' | 'Repeated' | 'Spam',
  now: Date,
): Promise<void> => {
  const set = kind === 'Received' ? { LastAt: now.getTime() } : {};
  await store.table.update({ update: formKey(store, id), set, add: { [kind]: 1 }, if: 'present' });
};

const receiptKey = ({ account }: StoreAccount, mark: string): Key => layout.leadReceipt.key({ account, mark });

/** Until when the same lead counts as a repetition; `undefined` if it did not come before. */
export async function findLeadReceipt(store: StoreReader, mark: string): Promise<number | undefined> {
  const item = await store.table.get(receiptKey(store, mark));
  return item && leadReceiptEntity.read(item).Until;
}

/** Stores that a lead came, on condition that nobody else stored it since `before` was read. */
export const leadReceiptChange = (
  store: StoreAccount,
  { mark, before, until }: { readonly mark: string; readonly before: number | undefined; readonly until: number },
  now: Date,
): Change => ({
  put: { ...receiptKey(store, mark), Until: until, TTL: ttlAfter(now, Math.ceil((until - now.getTime()) / SECOND)) },
  if: before === undefined ? 'absent' : { equals: { Until: before } },
});
