import { createHash } from 'node:crypto';
import type { Change } from '../dynamodb/changes.ts';
import { layout } from '../keys.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

/** A picture of at most 100 KB. */
export interface Logo {
  /** Its hash and extension, `3f0c9ab45d77e201.png`: another picture has another name. */
  readonly name: string;
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Buffer;
}

/** A picture with its name. */
export function toLogo({ type, bytes }: Pick<Logo, 'type' | 'bytes'>): Logo {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { name: `${hash}.${type === 'image/png' ? 'png' : 'jpg'}`, type, bytes };
}

/** An item of its own: inside the organization's item, 100 KB would be read with every call. */
const logoKey = ({ account }: StoreAccount, organizationId: number) =>
  layout.organizationLogo.key({ account, organization: organizationId });

export const logoChange = (store: StoreAccount, organizationId: number, { name, type, bytes }: Logo): Change => ({
  put: { ...logoKey(store, organizationId), Name: name, Type: type, Data: bytes.toString('base64') },
});

/** The logo with a name; `undefined` if the organization has another one by now. */
export async function findLogo(store: StoreReader, organizationId: number, name: string): Promise<Logo | undefined> {
  const { table } = store;
  const item = await table.get(logoKey(store, organizationId), { consistent: false });
  if (item?.['Name'] !== name) return undefined;
  return { name, type: item['Type'] as Logo['type'], bytes: Buffer.from(item['Data'] as string, 'base64') };
}
