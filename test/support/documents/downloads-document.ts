import type { ColumnType } from '../../../lib/entities/declaration/field.ts';
import type { Column } from '../../../lib/domain/downloads/columns.ts';
import {
  DOWNLOAD_KINDS,
  type KindDefinition,
  REQUEST_SPANS,
  SETTINGS_SPANS,
} from '../../../lib/domain/downloads/kind.ts';
import { downloadKinds } from '../../../lib/domain/downloads/kinds.ts';

const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  decimal: 'number',
  text: '',
  flag: 'boolean',
  moment: 'moment',
  date: 'date',
  list: 'JSON',
  any: 'as the field',
};

const toItem = ({ name, type, about, option }: Column<unknown>): string => {
  const remarks = [about, option && `only with ${option}`].filter(Boolean).join('; ');
  const suffix = TYPES[type] && ` (${TYPES[type]})`;
  return `- ${name}${suffix}${remarks && `: ${remarks}`}`;
};

function spansOf({ moments, settings, kind }: KindDefinition): string {
  const names = [
    ...Object.entries(REQUEST_SPANS).flatMap(([span, fields]) => (span in moments ? fields : [])),
    ...Object.entries(SETTINGS_SPANS).flatMap(([span, fields]) =>
      span in moments ? fields.map((field) => `${settings}.${field}`) : [],
    ),
    ...(kind === 'contacts' ? ['Contacts.InvoicedAfter'] : []),
  ];
  return names.length ? `Filters by time: ${names.join(', ')}.` : 'No filters by time.';
}

const section = (definition: KindDefinition): string =>
  [
    `## ${definition.kind}`,
    `${definition.rows} ${definition.settings ? `Settings: \`${definition.settings}\`.` : 'No settings.'} ` +
      spansOf(definition) +
      (definition.custom ? ' Custom fields: `IncludeCustomFields`.' : ''),
    definition.columns.map(toItem).join('\n'),
  ].join('\n\n');

/** The part of docs/downloads.md that is made of the declarations. */
export const columnsDocument = (): string =>
  DOWNLOAD_KINDS.map((kind) => downloadKinds[kind])
    .map(section)
    .join('\n\n');
