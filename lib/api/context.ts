import type { ApiKeyRecord } from '../entities/api-keys.ts';
import type { Caller } from '../store/requests/caller.ts';
import type { StorePager, StoreReader, StoreWriter } from '../store/store.ts';

/**
 * What an operation may touch; its IAM statement and the type of its context both come from this. `table:page` is
 * `table:read` plus writing the cursors of long lists. `expiries:write` is for operations that open or answer
 * proposals, beside `table:write`: the list of expiries is the only one that does not begin with an account.
 * `downloads:read` is for addresses of the files of downloads, which are signed with the function's permission.
 * `uploads:write` is for checking files and putting them under incoming/ of the bucket; `uploads:read` for serving
 * them. `callbacks:sign` is for reading the key from which the secrets of callbacks follow
 * (lib/secrets/held-secret.ts), `messages:write` for having messages sent to the queues later. `payments:take` is for
 * reading the key that seals the keys of payment providers, `pdfs:keep` for PDFs of pages, which are made once.
 * Where a stage has a user pool, `sign-in:change` is for the second factor of its people, `sign-in:follow` for all else
 * of them, and `sign-in:expect` for answers that say that the pool will follow.
 */
export type Need =
  | 'table:read'
  | 'table:page'
  | 'table:write'
  | 'expiries:write'
  | 'files:read'
  | 'files:write'
  | 'downloads:read'
  | 'uploads:read'
  | 'uploads:write'
  | 'callbacks:sign'
  | 'messages:write'
  | 'payments:take'
  | 'pdfs:keep'
  | 'sign-in:change'
  | 'sign-in:follow'
  | 'sign-in:expect';

/** What only workers need. */
export type WorkerNeed =
  | Need
  | 'expiries:work'
  | 'backlog:write'
  | 'backlog:work'
  | 'queues:send'
  | 'messages:work'
  | 'downloads:make'
  | 'uploads:keep'
  | 'persons:erase'
  | 'retention:apply';

interface CallContext {
  readonly caller: Caller;
  /** The key of the call. Its secret is stored nowhere. */
  readonly key: ApiKeyRecord;
  /** The time of the call, the same for everything it does. */
  readonly now: Date;
  /** The caller's IP address. */
  readonly sourceIp: string;
  /** The parameters of the query string that the operation declares. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Whether the caller is led to the file of the answer, and reads it compressed. */
  readonly acceptsGzip: boolean;
  /** Adds a sentence to Message of the answer. */
  readonly remark: (sentence: string) => void;
}

/** Exactly what an operation's `needs` name: an undeclared need does not compile. */
export type Context<Needs extends Need> = CallContext &
  ('table:write' extends Needs
    ? { readonly store: StoreWriter }
    : 'table:page' extends Needs
      ? { readonly store: StorePager }
      : 'table:read' extends Needs
        ? { readonly store: StoreReader }
        : unknown);

/** A context before an operation runs, which alone can remark on its answer. */
export type PreparedContext = Omit<Context<Need>, 'remark'> & {
  /** What is said already, of the request. */
  readonly remarks?: readonly string[];
};
