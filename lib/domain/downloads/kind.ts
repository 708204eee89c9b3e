import type { Stored } from '../../entities/declaration/read.ts';
import type { Fields } from '../../entities/declaration/field.ts';
import type { Channel } from '../../resources/channels.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { type DateSpan, isInSpan } from '../../shared/time/read-moments.ts';
import { dayOfRecord } from '../record-dates.ts';
import {
  type Column,
  type ContactFacts,
  type OrganizationFacts,
  type DownloadFormat,
  customColumns,
  organizationCustomValue,
  type Row,
} from './columns.ts';

export const DOWNLOAD_KINDS = [
  'appointments',
  'contacts',
  'deposits',
  'invoices',
  'invoicelines',
  'proposals',
  'services',
  'parts',
  'organizations',
  'campaignbudgets',
  'revenueforecasts',
  'channelscampaigns',
  'payments',
] as const;
export type DownloadKind = (typeof DOWNLOAD_KINDS)[number];

const PERSONAL: ReadonlySet<DownloadKind> = new Set([
  'appointments',
  'contacts',
  'deposits',
  'invoices',
  'invoicelines',
  'proposals',
  'payments',
]);

/** Whether the rows of a kind are about contacts. */
export const isPersonal = (kind: DownloadKind): boolean => PERSONAL.has(kind);

/** The request fields that limit a time span; each kind has some of them. Both ends are inclusive. */
export const REQUEST_SPANS = {
  Created: ['CreatedFrom', 'CreatedThrough'],
  Updated: ['UpdatedFrom', 'UpdatedThrough'],
  Date: ['DateFrom', 'DateThrough'],
  Completed: ['CompletedAfter', 'CompletedBefore'],
} as const;
export type RequestSpan = keyof typeof REQUEST_SPANS;

/** The settings fields that limit a time span. */
export const SETTINGS_SPANS = {
  Scheduled: ['ScheduledFrom', 'ScheduledThrough'],
  CompletedWithin: ['CompletedFrom', 'CompletedThrough'],
  Accepted: ['AcceptedAfter', 'AcceptedBefore'],
  Invoiced: ['InvoicedAfter', 'InvoicedBefore'],
} as const;
export type SettingsSpan = keyof typeof SETTINGS_SPANS;
export type SpanName = RequestSpan | SettingsSpan;

/** The settings object of a kind, without its moments. */
export type DownloadSettings = Readonly<Record<string, unknown>>;

/** What a download selects, as interpreted when it was started. */
export interface DownloadFilter {
  readonly spans: Readonly<Partial<Record<SpanName, DateSpan>>>;
  readonly settings: DownloadSettings;
  /** `null` for all organizations. */
  readonly organizationId: number | null;
  /** The service agent that the key belongs to, who only sees their own appointments. */
  readonly agentId: number | null;
}

/** Where the records of a kind are stored; `Channel` is one small list, the others are read by their ids. */
export type DownloadSource =
  | 'Appointment'
  | 'Contact'
  | 'Invoice'
  | 'Proposal'
  | 'Payment'
  | 'Service'
  | 'Part'
  | 'Organization'
  | 'Forecast'
  | 'Channel';

/** The single declaration of a kind. A record has one row, or one for each item of a list. */
export interface KindDefinition<Item = unknown, Record = unknown> {
  readonly kind: DownloadKind;
  /** Describes a row, for the documentation. */
  readonly rows: string;
  /** The request field with its settings. */
  readonly settings: string | undefined;
  readonly source: DownloadSource;
  /** The attributes of the record that are read. */
  readonly attributes: readonly string[];
  /** Further attributes that a setting requires. */
  readonly optionAttributes?: Readonly<{ [Option in string]?: readonly string[] }>;
  /** Includes `Id`: rows are in its order, RowId counts it, and rows of the same record share it. */
  readonly columns: readonly Column<Item>[];
  /** The TableType of its custom fields, and their values in a row. */
  readonly custom?: { readonly table: number; readonly value: (row: Row<Item>, definition: CustomField) => unknown };
  /** The moments to which the spans apply. `Invoiced` is looked up. */
  readonly moments: Readonly<Partial<{ [Span in SpanName]: (record: Record) => number | null }>>;
  /** The calendar date of `Date`; `''` if it is a moment. */
  readonly calendarDate?: (record: Record) => string;
  /** How its records are read; a list of settings has none. */
  readonly entity:
    | { readonly fields: Fields; part(...names: readonly string[]): { read(stored: Stored): Record } }
    | undefined;
  readonly organizationOf: (record: Record) => number | null;
  /** Its records, unless they are the channels themselves. */
  readonly fromChannels?: (channels: readonly Channel[]) => readonly (Record & { readonly Id: number })[];
  readonly contactIdOf?: (record: Record) => number;
  /** The postal code whose center the IncludeGeoShapes columns show. */
  readonly zipOf?: (record: Record, contact: ContactFacts | undefined) => string | undefined;
  /** Whether the settings select it. */
  readonly selects?: (record: Record, filter: DownloadFilter, now: number) => boolean;
  readonly items: (record: Record, filter: DownloadFilter) => readonly Item[];
}

/** Erases the row types of a definition, because the encoder handles all kinds. */
export const defineKind = <Item, Record>(definition: KindDefinition<Item, Record>): KindDefinition =>
  definition as unknown as KindDefinition;

/** One row per record. */
export const itself = <Record>(record: Record): readonly Record[] => [record];

const isRestricted = ({ from, through }: DateSpan = {}): boolean => from !== undefined || through !== undefined;

/** Whether some of the spans are days in each record's own zone. */
export const hasDays = ({ spans }: DownloadFilter): boolean =>
  Object.values(spans).some((span) => span?.firstDay !== undefined || span?.lastDay !== undefined);

/**
 * Whether a download includes the record, judged by the record alone; `zone` is the current zone of its organization.
 */
export function isSelected(
  { moments, calendarDate, organizationOf, selects }: KindDefinition,
  record: unknown,
  filter: DownloadFilter,
  { now, zone }: { readonly now: number; readonly zone: string | undefined },
): boolean {
  const organization = organizationOf(record);
  if (filter.organizationId !== null && organization !== null && organization !== filter.organizationId) return false;
  for (const name in filter.spans) {
    const [span, moment] = [filter.spans[name as SpanName], moments[name as SpanName]];
    if (!span || !moment || !isRestricted(span)) continue;
    const at = moment(record);
    const Day = name === 'Date' ? (calendarDate?.(record) ?? '') : '';
    const asMoments = { from: span.from, through: span.through };
    const isIn = (found: number) =>
      zone === undefined ? isInSpan(found, 0, asMoments) : isInSpan(found, dayOfRecord(found, Day, zone), span);
    if (at === null || !isIn(at)) return false;
  }
  return selects?.(record, filter, now) ?? true;
}

/**
 * Whether rows of suspended organizations are omitted: unless the settings include them, or the download is for one
 * organization. Payments have no settings and keep all rows.
 */
export const leavesOutSuspended = ({ settings }: KindDefinition, filter: DownloadFilter): boolean =>
  settings !== undefined && filter.settings['IncludeExcludedOrgs'] !== true && filter.organizationId === null;

export const isOfYear = ({ settings }: DownloadFilter, year: number): boolean =>
  !settings['Year'] || settings['Year'] === year;

export const isOptionOn = ({ settings }: Pick<DownloadFilter, 'settings'>, option: string): boolean =>
  settings[option] === true;

/** The attributes that a download reads of each record. */
export const attributesOf = (
  { attributes, optionAttributes = {} }: KindDefinition,
  filter: DownloadFilter,
): readonly string[] => [
  ...attributes,
  ...Object.entries(optionAttributes).flatMap(([option, names = []]) => (isOptionOn(filter, option) ? names : [])),
];

const ORGANIZATION_TABLE = 4;

/** The columns of a download in order, the same for every run of a worker, even if definitions change. */
export function downloadColumns(
  { columns, custom }: KindDefinition,
  filter: DownloadFilter,
  definitions: readonly CustomField[],
): readonly Column<unknown>[] {
  const ofTable = (table: number) => definitions.filter(({ TableType }) => TableType === table);
  return [
    ...columns.filter(({ option }) => option === undefined || isOptionOn(filter, option)),
    ...(custom && isOptionOn(filter, 'IncludeCustomFields')
      ? customColumns('Custom.', ofTable(custom.table), custom.value)
      : []),
    ...(isOptionOn(filter, 'IncludeOrgCustomFields')
      ? customColumns('OrganizationCustom.', ofTable(ORGANIZATION_TABLE), organizationCustomValue)
      : []),
  ];
}

export const FORMATS: Readonly<Record<DownloadFormat, { readonly extension: string; readonly contentType: string }>> = {
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  jsonl: { extension: 'jsonl', contentType: 'application/x-ndjson; charset=utf-8' },
};

/** The contact attributes that rows use, besides the id. */
export const contactAttributes = (filter: DownloadFilter): readonly (keyof ContactFacts)[] => [
  'Name',
  'Company',
  ...(isOptionOn(filter, 'IncludeTags') ? (['Tags'] as const) : []),
  ...(isOptionOn(filter, 'IncludeGeoZones') ? (['TerritoryID'] as const) : []),
  ...(isOptionOn(filter, 'IncludeGeoShapes') ? (['Zip'] as const) : []),
];

export const organizationAttributes = (filter: DownloadFilter): readonly (keyof OrganizationFacts)[] => [
  ...(isOptionOn(filter, 'IncludeOrgCustomFields') ? (['CustomFields'] as const) : []),
  ...(hasDays(filter) ? (['Timezone'] as const) : []),
];

/** Whether the columns depend on the custom fields of the account. */
export const hasCustomColumns = (filter: DownloadFilter): boolean =>
  isOptionOn(filter, 'IncludeCustomFields') || isOptionOn(filter, 'IncludeOrgCustomFields');
