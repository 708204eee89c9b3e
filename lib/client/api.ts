/**
 * The part of the API types that this folder uses. In the package, this file is generated from the definitions of
 * operations and resources (infra/client/api-types.ts): it has the same names with the types of every field.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Operations by group: `groups.contacts.locate`. */
export interface Groups {
  readonly [group: string]: { readonly [operation: string]: (request?: object, options?: never) => Promise<Fields> };
}

/** The request of an operation, and its answer, by `group/operation`. */
export type Operations = Readonly<Record<string, { readonly request: object; readonly answer: Fields }>>;

/** Codes that programs act on, such as `slot_taken`. */
export type FailureCode = string;

/** What is wrong with one field of a request. */
export interface FieldError {
  /** Its path, such as `Matches[0].Email`. */
  readonly Field: string;
  readonly Code: string;
  readonly Message: string;
}

export type EventKind = string;

/** An event of one of the kinds, as datasubscriber/fetch returns it and callbacks deliver it. */
export interface Event<Kind extends EventKind = EventKind> {
  readonly Id: number;
  readonly QueuedAt: string;
  readonly Payload: { readonly Kind: Kind; readonly Id: number } & Fields;
}

/** The row of each kind of download. */
export type Rows = Readonly<Record<string, Fields>>;

/** What download/startdownload takes in addition to the kind. */
export type DownloadRequest = Fields;

/** The form of an upload: what the files belong to, and a note. */
export type ContactForm = Fields & { readonly ContactId: number };
export type ProposalForm = Fields & { readonly ProposalId: number };
