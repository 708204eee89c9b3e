import { fromCents } from '../../shared/money.ts';
import type { EstimatesMapping } from './mapping.ts';
import { type NamedClient, type Read, readNamedClient, readWorkNotes } from './named-client.ts';
import { type FileColumns, type Loss, Row } from './read-row.ts';
import { amountReader, readHeading } from './read-work.ts';

export interface EstimateRow {
  /** The estimate's id in the other system: `housecallpro:1042`. */
  readonly reference: string;
  readonly number: string;
  readonly client: NamedClient;
  readonly day: string;
  readonly description: string;
  /** Cents, after discount and before tax. */
  readonly total: number;
  /** Status, discount and tax in the other system, a line each. */
  readonly notes: string;
}

export function readEstimate(
  mapping: EstimatesMapping,
  columns: FileColumns,
  cells: readonly string[],
  system: string,
): Read<EstimateRow> {
  const row = new Row(columns, cells);
  const errors: Loss[] = [];
  const amount = amountReader(row, errors);
  const heading = readHeading(mapping, row, errors);
  const [subtotal, discount, tax] = [amount(mapping.subtotal), amount(mapping.discount, 0), amount(mapping.tax, 0)];
  if (errors.length) return { errors };
  const details = { Status: row.text(mapping.status), Discount: discount, Tax: tax };
  const lines = Object.entries(details).flatMap(([name, value]) =>
    value ? [`${name}: ${typeof value === 'number' ? fromCents(value).toFixed(2) : value}`] : [],
  );
  return {
    ...heading,
    reference: `${system}:${heading.number}`,
    client: readNamedClient(mapping, row, system),
    description: row.text(mapping.description),
    // Some programs write a discount as a negative amount.
    total: subtotal - Math.abs(discount),
    notes: [...lines, readWorkNotes(row, mapping.notes)].filter(Boolean).join('\n'),
  };
}
