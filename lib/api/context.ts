import type { ApiKeyRecord } from '../entities/api-keys.ts';
import type { Caller } from '../store/requests/caller.ts';
import type { StorePager, StoreReader, StoreWriter } from '../store/store.ts';

/**
 * What an operation may use; both its IAM statement and the type of its context come from this. `table:page` is
 * `table:read` plus writing the cursors of long lists. `expiries:write`, beside `table:write`, is for operations that
 * open or answer proposals: the list of expiries is the only one that does not begin with an account. `downloads:read`
 * is for signing addresses of download files with the function's permission. `uploads:write` is for checking files and
 * putting them under incoming/ of the bucket; `uploads:read` for serving them. `callbacks:sign` is for reading the key
 * from which callback secrets are derived (lib/secrets/held-secret.ts), `messages:write` for sending messages to the
 * queues later. `payments:take` is for reading the key that seals the keys of payment providers, `pdfs:keep` for
 * storing the PDFs of pages, which are made once. In stages with a user pool, `sign-in:change` is for people's second
 * factor, `sign-in:follow` for everything else about them, and `sign-in:expect` for answers that promise that the pool
 * will follow. `office:open` is for starting and ending sessions of users. `roads:ask` is for asking the service of roads
 * and addresses, in stages that have one.
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
  | 'sign-in:expect'
  | 'office:open'
  | 'roads:ask';

/** Needs that only workers have. */
export type WorkerNeed =
  | Need
  | 'expiries:work'
  | 'backlog:write'
  | 'backlog:work'
  | 'queues:send'
  | 'messages:work'
  | 'emails:send'
  | 'texts:send'
  | 'accounts:list'
  | 'downloads:make'
  | 'uploads:keep'
  | 'persons:erase'
  | 'retention:apply';

interface CallContext {
  readonly caller: Caller;
  /** The key of the call. Its secret is not stored anywhere. */
  readonly key: ApiKeyRecord;
  /** The time of the call, used for everything it does. */
  readonly now: Date;
  /** The caller's IP address. */
  readonly sourceIp: string;
  /** The parameters of the query string that the operation declares. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Whether the caller is redirected to the file of the answer and accepts it compressed. */
  readonly acceptsGzip: boolean;
  /** Adds a sentence to the answer's Message. */
  readonly remark: (sentence: string) => void;
}

/** Exactly what an operation's `needs` declare: using an undeclared need does not compile. */
export type Context<Needs extends Need> = CallContext &
  ('table:write' extends Needs
    ? { readonly store: StoreWriter }
    : 'table:page' extends Needs
      ? { readonly store: StorePager }
      : 'table:read' extends Needs
        ? { readonly store: StoreReader }
        : unknown);

/** A context before its operation runs; only the running operation can add remarks. */
export type PreparedContext = Omit<Context<Need>, 'remark'> & {
  /** Remarks that the request has already caused. */
  readonly remarks?: readonly string[];
};
