import type { ContactForm, DownloadRequest, Event, EventKind, Groups, Operations, ProposalForm, Rows } from './api.ts';
import { type CallOptions, Caller, type Fields, type Options } from './caller.ts';
import { type DownloadFile, type DownloadOptions, type FileOptions, makeFile, readRows } from './downloads.ts';
import { type EventOptions, readEvents } from './events.ts';
import { readPages } from './pages.ts';
import { type FileToUpload, uploadFiles } from './uploads.ts';

/**
 * Every operation by group: 0 if it reads, 1 if it may change something, or the field that holds the records of its
 * pages.
 */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, 0 | 1 | string>>>>;

/** What the client offers in addition to single operations. */
interface Helpers {
  /** Calls an operation by its name, such as `appointments/book`. */
  call<Name extends keyof Operations & string>(
    operation: Name,
    request: Operations[Name]['request'],
    options?: CallOptions,
  ): Promise<Operations[Name]['answer']>;

  /**
   * Events in order. An event is cleared when the loop asks for the next one: unhandled events come again. Each program
   * that reads all events needs a key with its own Subscriber.
   */
  events<Kind extends EventKind = EventKind>(
    options?: EventOptions<Kind>,
  ): AsyncGenerator<Event<Kind>, void, undefined>;

  /** The rows of a download as they arrive: every record of a kind. */
  rows<Kind extends keyof Rows & string>(
    kind: Kind,
    request?: DownloadRequest,
    options?: DownloadOptions,
  ): AsyncGenerator<Rows[Kind], void, undefined>;

  /** Starts a download, waits for its CSV or JSONL file, and returns the file's address. */
  file(kind: keyof Rows & string, request?: DownloadRequest, options?: FileOptions): Promise<DownloadFile>;

  /** Attaches files to a contact or proposal: up to 20 of 100 MB each. */
  upload(
    upload: ContactForm,
    files: readonly FileToUpload[],
    options?: CallOptions,
  ): Promise<Operations['contacts/upload']['answer']>;
  upload(
    upload: ProposalForm,
    files: readonly FileToUpload[],
    options?: CallOptions,
  ): Promise<Operations['proposal/upload']['answer']>;
}

/** The client of one key: `fs.appointments.book({ … })`. */
export type FieldService = Groups & Helpers;
export type FieldServiceClass = new (options: Options) => FieldService;

/** The client class, with a function for each operation of the table. */
export function fieldServiceOf(table: OperationTable): FieldServiceClass {
  class FieldServiceClient {
    readonly #caller: Caller;

    constructor(options: Options) {
      const caller = new Caller(options);
      this.#caller = caller;
      for (const [group, operations] of Object.entries(table)) {
        const entries = Object.entries(operations).map(([name, kind]) => {
          const operation = `${group}/${name}`;
          const isWrite = kind === 1;
          const one = async (request: object = {}, options?: CallOptions): Promise<Fields> =>
            (await caller.call(operation, request, { isWrite }, options)).fields;
          if (typeof kind === 'number') return [name, one];
          const pages = (request: Fields = {}, options?: CallOptions) =>
            readPages((page, list) => caller.call(operation, page, { isWrite, list }, options), request, kind);
          return [name, pages];
        });
        Object.assign(this, { [group]: Object.fromEntries(entries) });
      }
    }

    async call(operation: string, request: object, options?: CallOptions): Promise<Fields> {
      const [group = '', name = ''] = operation.split('/');
      // A newer API may have operations that this table lacks; an idempotency key on one that reads is ignored.
      const isWrite = (table[group]?.[name] ?? 1) === 1;
      return (await this.#caller.call(operation, request, { isWrite }, options)).fields;
    }

    events(options: EventOptions = {}) {
      return readEvents((operation, request, callOptions) => this.call(operation, request, callOptions), options);
    }

    rows(kind: string, request: object = {}, options: DownloadOptions = {}) {
      return readRows(this.#caller, { ...request, Kind: kind }, options);
    }

    async file(kind: string, request: object = {}, options: FileOptions = {}): Promise<DownloadFile> {
      const { file } = await makeFile(this.#caller, { ...request, Kind: kind }, options);
      return await file();
    }

    async upload(upload: ContactForm | ProposalForm, files: readonly FileToUpload[], options?: CallOptions) {
      return await uploadFiles(this.#caller, upload, files, options);
    }
  }
  // The table adds the groups as properties.
  return FieldServiceClient as unknown as FieldServiceClass;
}
