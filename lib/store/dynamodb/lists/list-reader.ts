import { createHash } from 'node:crypto';

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The header X-List: whose list it is, and its name. */
const HEADER = /^([\w-]{12})\.(\w{15})$/;

/**
 * Identifies who pages through lists with a call: the API key, the source address and the program (User-Agent). A call
 * that sends the header X-List of an earlier response reads that list, as the reader who started it.
 */
export class ListReader {
  readonly #key: string;
  readonly #owner: string;
  /** The list that the call names; `''` if the header's name cannot exist. */
  readonly named: string | undefined;
  #reads: string | undefined;

  constructor({
    key,
    address,
    program,
    header,
  }: {
    readonly key: string;
    readonly address: string;
    readonly program: string;
    readonly header?: string | undefined;
  }) {
    const [, owner, name = ''] = HEADER.exec(header?.trim() ?? '') ?? [];
    this.#key = key;
    this.#owner = owner ?? digest([address, program]).slice(0, 12);
    this.named = header === undefined ? undefined : name;
  }

  /** Identifies the reader's lists for a query. Lists are never shared between keys. */
  fingerprint(query: string): string {
    return digest([this.#key, this.#owner, query]);
  }

  /** Notes that the page of this call belongs to the list. */
  reads(list: string): void {
    this.#reads = list;
  }

  /** The header X-List of the response, if it starts or continues a list. */
  get header(): string | undefined {
    return this.#reads && `${this.#owner}.${this.#reads}`;
  }
}
