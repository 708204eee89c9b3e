import { type Fields, type Post, answerOf } from './post.ts';

/** What a reader of the feed keeps of a completed visit (1), an invoice (0) or a deletion (3). */
export interface Transaction {
  readonly TransactionKind: number;
  readonly ContactId: number;
  readonly Name: string;
  readonly PriPhone: string;
  readonly AltPhone: string;
  readonly Email: string;
  readonly Address1: string;
  readonly City: string;
  readonly State: string;
  readonly PostalCode: string;
  readonly DigitalTrackingId: string;
  /** `2026-11-5` */
  readonly TransactionDate: string;
  readonly Subtotal: number;
  readonly LifetimeValue: number;
}

const TEXTS = [
  'Name',
  'PriPhone',
  'AltPhone',
  'Email',
  'Address1',
  'City',
  'State',
  'PostalCode',
  'DigitalTrackingId',
] as const;

/** The events of the older feed among those of the standard shape. */
const KINDS = /^(appointment\.completed|invoice\.created|(appointment|invoice|proposal|contact)\.deleted)$/;

function toTransaction(payload: Fields): Transaction {
  const [year, month, day] = String(payload['TransactionDate']).slice(0, 10).split('-').map(Number);
  const names = [...TEXTS, 'TransactionKind', 'ContactId', 'Subtotal', 'LifetimeValue'];
  return {
    ...(Object.fromEntries(names.map((name) => [name, payload[name]])) as Omit<Transaction, 'TransactionDate'>),
    TransactionDate: `${year}-${month}-${day}`,
  };
}

/** Fetches and clears until no event is left. */
export async function readFeed(post: Post): Promise<Transaction[]> {
  const transactions: Transaction[] = [];
  for (;;) {
    const { Events } = await answerOf(await post('datasubscriber/fetch', {}));
    const events = Events as { Id: number; Payload: Fields }[];
    const last = events.at(-1);
    if (!last) return transactions;
    for (const { Payload } of events)
      if (KINDS.test(String(Payload['Kind']))) transactions.push(toTransaction(Payload));
    await answerOf(await post('datasubscriber/clear', { ClearThroughId: last.Id }));
  }
}
