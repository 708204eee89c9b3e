/** Who changes records, and by which request. */
export interface Actor {
  /** The public part of the API key; empty for a command or a worker, which Name then names. */
  readonly Key: string;
  readonly Name: string;
  readonly RequestId: string;
}

/** An actor as an item has it: a list, because names of fields would be paid for in every record. */
export type StoredActor = readonly [key: string, name: string, requestId: string];

export const storeActor = ({ Key, Name, RequestId }: Actor): StoredActor => [Key, Name, RequestId];

/** The actor of an attribute; `undefined` for a record of before actors were stored. */
export function parseActor(stored: unknown): Actor | undefined {
  if (!Array.isArray(stored)) return undefined;
  const [Key = '', Name = '', RequestId = ''] = stored as readonly string[];
  return { Key, Name, RequestId };
}
