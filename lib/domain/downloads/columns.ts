import type { ColumnType, Field, Fields, ObjectOf } from '../../entities/declaration/field.ts';
import type { Entity } from '../../entities/declaration/entity.ts';
import type { CustomValue } from '../../entities/declaration/fields.ts';
import type { MarkedNames } from '../../entities/declaration/marks.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { toUtc } from '../../shared/time/time.ts';
import type { TakesPayments } from '../client-pages.ts';
import type { Position } from '../postal/localities.ts';
import { joinList } from '../../shared/text/lists.ts';
import { csvCell, csvText, orderedJson } from './csv.ts';

/** What rows use of their organization. */
export interface OrganizationFacts {
  readonly Id: number;
  readonly PublicName: string;
  readonly LocationID: string;
  readonly Suspended: boolean;
  readonly CustomFields?: readonly CustomValue[];
  readonly Timezone?: string;
}

/** What rows use of their contact. */
export interface ContactFacts {
  readonly Id: number;
  readonly Name: string;
  readonly Company: string;
  readonly Zip?: string;
  readonly TerritoryID?: string;
  readonly Tags?: readonly { readonly Name: string }[];
}

/** A row with the records that its columns refer to. */
export interface Row<Item> {
  readonly item: Item;
  readonly organization: OrganizationFacts | undefined;
  readonly contact: ContactFacts | undefined;
  readonly takesPayments: TakesPayments;
  /** The center of its postal code, if the download has columns for it. */
  readonly position: Position | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The single declaration of a column: header, CSV, JSONL and docs/downloads.md come from it. */
export interface Column<Item> {
  readonly name: string;
  readonly type: ColumnType;
  /** A phrase for the documentation, if the name does not say it. */
  readonly about: string;
  /** The setting without which the column is omitted. */
  readonly option?: string | undefined;
  readonly value: (row: Row<Item>) => unknown;
}

type Names<Item, Value> = { [Name in keyof Item]-?: Item[Name] extends Value ? Name : never }[keyof Item] & string;

const fields =
  <Value>(type: ColumnType) =>
  <Item>(...names: Names<Item, Value>[]): Column<Item>[] =>
    names.map((name) => ({ name, type, about: '', value: ({ item }) => item[name] }));

/** Columns that are fields of the record, under the same names. */
export const texts = fields<string | null>('text');
export const integers = fields<number | null | undefined>('integer');
export const decimals = fields<number | null | undefined>('decimal');

/** A column with a name of its own. */
export const column =
  (type: ColumnType) =>
  <Item>(name: string, value: (row: Row<Item>) => unknown, about = '', option?: string): Column<Item> => ({
    name,
    type,
    about,
    value,
    option,
  });

type DownloadNames<Of extends Fields> = MarkedNames<Of, { readonly download: true | string }>;

/** `Invoice, Card or Bank debit`. */
const toAlternatives = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The column of a declared field. */
function fieldColumn<Item>(name: string, { options, column: type, words }: Field): Column<Item> {
  const { download = true, about = words ? toAlternatives(words) : '' } = options;
  const stored = ({ item }: Row<Item>) => (item as Readonly<Record<string, unknown>>)[name];
  const value = words ? (row: Row<Item>) => words[stored(row) as number] : stored;
  return { name: download === true ? name : download, type, about, value };
}

/** What every row needs of its record. */
const OWNERS = ['OrganizationId', 'ContactId'];

/**
 * The columns of a record in the order of the files: declared fields with `download`, by name, and special columns.
 * Declared fields that are not listed follow, so a new field is a new last column, unless `isWhole` is false; columns
 * that need a setting come at the end. `reads` are further fields that are read of each record.
 */
export function recordColumns<const Of extends Fields>(
  { fields: declared }: Pick<Entity<Of>, 'fields'>,
  order: readonly (DownloadNames<Of> | Column<ObjectOf<Of>>)[],
  {
    reads = [],
    options = [],
    isWhole = true,
  }: { reads?: readonly (keyof Of & string)[]; options?: readonly Column<ObjectOf<Of>>[]; isWhole?: boolean } = {},
): { readonly columns: readonly Column<ObjectOf<Of>>[]; readonly attributes: readonly string[] } {
  const fieldOf: Fields = declared;
  const placed = order.filter((each) => typeof each === 'string');
  const isOther = (name: string) => fieldOf[name]?.options.download && !placed.some((each) => each === name);
  const others = isWhole ? Object.keys(declared).filter(isOther) : [];
  const toColumn = (name: string): Column<ObjectOf<Of>>[] => {
    const field = fieldOf[name];
    return field ? [fieldColumn(name, field)] : [];
  };
  return {
    columns: [
      ...order.flatMap((each) => (typeof each === 'string' ? toColumn(each) : each)),
      ...others.flatMap(toColumn),
      ...options,
    ],
    attributes: [...new Set([...placed, ...others, ...reads, ...OWNERS.filter((name) => name in declared)])],
  };
}

export const organizationColumns = <Item>(): Column<Item>[] => [
  column('integer')('OrganizationId', ({ organization }) => organization?.Id),
  column('text')('Organization', ({ organization }) => organization?.PublicName, 'PublicName of the organization'),
  column('text')('LocationID', ({ organization }) => organization?.LocationID),
];

export const contactColumns = <Item extends { readonly ContactId: number }>(): Column<Item>[] => [
  column('integer')<Item>('ContactId', ({ item }) => item.ContactId),
  column('text')('ContactName', ({ contact }) => contact?.Name),
  column('text')('ContactCompany', ({ contact }) => contact?.Company),
];

export const geoZoneColumns = <Item>(
  territory: (row: Row<Item>) => string | undefined,
  accountingClass: (row: Row<Item>) => string | undefined,
): Column<Item>[] => [
  column('text')('TerritoryID', territory, 'the territory of the postal code', 'IncludeGeoZones'),
  column('text')('AccountingClass', accountingClass, 'of the postal code', 'IncludeGeoZones'),
];

const wellKnownText = ({ latitude, longitude }: Position): string => `POINT(${longitude} ${latitude})`;

export const geoShapeColumns = <Item>(): Column<Item>[] => {
  const about = 'the centre of the US postal code';
  return [
    column('decimal')('Latitude', ({ position }) => position?.latitude, about, 'IncludeGeoShapes'),
    column('decimal')('Longitude', ({ position }) => position?.longitude, about, 'IncludeGeoShapes'),
    column('text')(
      'GeoShape',
      ({ position }) => position && wellKnownText(position),
      'the same as well-known text: POINT(longitude latitude)',
      'IncludeGeoShapes',
    ),
  ];
};

const valueOf = (values: readonly CustomValue[] | undefined, id: number): unknown => {
  const value = values?.find(({ Id }) => Id === id)?.Value;
  return Array.isArray(value) ? joinList(value) : value;
};

/** A column for each custom field of a record, ordered by id. */
export const customColumns = <Item>(
  prefix: string,
  definitions: readonly CustomField[],
  read: (row: Row<Item>, definition: CustomField) => unknown,
): Column<Item>[] =>
  definitions
    .toSorted((one, other) => one.Id - other.Id)
    .map((definition) => column('any')(`${prefix}${definition.Name}`, (row) => read(row, definition)));

export const customValue = <Item extends { readonly CustomFields?: readonly CustomValue[] }>(
  { item }: Row<Item>,
  { Id }: CustomField,
): unknown => valueOf(item.CustomFields, Id);

export const organizationCustomValue = ({ organization }: Row<unknown>, { Id }: CustomField): unknown =>
  valueOf(organization?.CustomFields, Id);

export type DownloadFormat = 'csv' | 'jsonl';

/** Encodes rows; `header` starts the file even if there are no rows. */
export interface RowEncoder {
  readonly header: string;
  encode(row: Row<unknown>): string;
}

const momentText = (value: unknown): string | null => (typeof value === 'number' ? toUtc(value) : null);

const cellOf = ({ type, value }: Column<unknown>, row: Row<unknown>): unknown =>
  type === 'moment' ? momentText(value(row)) : value(row);

const csvEncoder = (columns: readonly Column<unknown>[]): RowEncoder => ({
  header: `${columns.map(({ name }) => csvText(name)).join(',')}\r\n`,
  encode: (row) => `${columns.map((column) => csvCell(cellOf(column, row))).join(',')}\r\n`,
});

const jsonLinesEncoder = (columns: readonly Column<unknown>[]): RowEncoder => ({
  header: '',
  encode(row) {
    const members = columns.map(
      (column) => `${JSON.stringify(column.name)}:${orderedJson(cellOf(column, row) ?? null)}`,
    );
    return `{${members.join(',')}}\n`;
  },
});

export const rowEncoder = (columns: readonly Column<unknown>[], format: DownloadFormat): RowEncoder =>
  format === 'jsonl' ? jsonLinesEncoder(columns) : csvEncoder(columns);
