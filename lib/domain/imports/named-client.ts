import { readMailboxes, splitPhones } from '../../shared/text/people.ts';
import { type WorkMapping, clientReference, headersOf } from './mapping.ts';
import type { Loss, Row } from './read-row.ts';
import { wholeNumber } from '../../shared/text/read-values.ts';

/** What a row names its client by. */
export interface NamedClient {
  readonly reference: string;
  readonly name: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** The street, or a whole address. */
  readonly street: string;
}

/** A row as it is imported, or why it cannot be, or why it is skipped although nothing is wrong with it. */
export type Read<Result> = Result | { readonly errors: readonly Loss[] } | { readonly leftOut: Loss };

export function readNamedClient({ client }: WorkMapping, row: Row, system: string): NamedClient {
  const clientId = row.text(client.id);
  const cells = (source: typeof client.phone) => headersOf(source).map((header) => row.cell(header));
  return {
    reference: clientId && clientReference(system, clientId),
    name: row.text(client.name),
    emails: [...new Set(cells(client.email).flatMap((cell) => readMailboxes(cell).values.map(({ email }) => email)))],
    phones: [...new Set(cells(client.phone).flatMap(splitPhones).map(wholeNumber))],
    street: row.text(client.street),
  };
}

export const readWorkNotes = (row: Row, headers: readonly string[] = []): string =>
  headers
    .flatMap((header) => (row.cell(header) ? [`${header}: ${row.cell(header)}`] : []))
    .join('\n')
    .slice(0, 5_000);
