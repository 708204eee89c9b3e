import { didYouMean } from '../../shared/text/suggestions.ts';
import { CONTACT_FLAGS, CONTACT_TEXTS, type Mapping, type Source, headerKey } from './mapping.ts';

/**
 * The short form of a mapping: what each column becomes. Several columns for a name are joined; for other fields the
 * first non-empty one counts.
 */

/** In the order of an import. */
export const KINDS = ['contacts', 'visits', 'invoices', 'estimates'] as const;
export type Kind = (typeof KINDS)[number];

const PROPERTY_TEXTS = ['Nickname', 'Address1', 'Address2', 'City', 'State', 'Zip', 'Country', 'FlashMessage'] as const;
const CLIENT = ['id', 'name', 'email', 'phone', 'street'] as const;

const list = (names: string): string[] => names.split(' ');

/** Fields specific to a kind: neither those of its client nor those that every kind has. */
const OWN: Readonly<Record<Kind, readonly string[]>> = {
  contacts: [
    'id',
    ...CONTACT_TEXTS,
    ...list('Email Phone Tags'),
    ...CONTACT_FLAGS,
    ...list('EmailConsent TextConsent'),
    ...PROPERTY_TEXTS.map((name) => `Property.${name}`),
  ],
  visits: list('id date times start end hours title service agent completed total'),
  invoices: list('number date total balance tax subject status paidOn'),
  estimates: list('number date subtotal discount tax description status'),
};

/** What the columns of a kind of file can become. */
export const columnFields = (kind: Kind): readonly string[] => [
  ...OWN[kind],
  ...(kind === 'contacts' ? [] : CLIENT.map((name) => `client.${name}`)),
  'note',
  'ignore',
];

const REQUIRED: Readonly<Record<Kind, readonly string[]>> = {
  contacts: [],
  visits: ['date'],
  invoices: list('number date total balance'),
  estimates: list('number date subtotal'),
};

/** The required fields that no column becomes. */
export const missingFields = (kind: Kind, fields: Iterable<string>): readonly string[] => {
  const present = new Set(fields);
  return REQUIRED[kind].filter((name) => !present.has(name));
};

export interface ColumnError {
  /** The column; absent if the error concerns the whole list. */
  readonly column?: string;
  readonly message: string;
}

/** The mapping from a list of columns, or all its errors. */
export function readColumnList(
  kind: Kind,
  columns: Readonly<Record<string, string>>,
): { readonly mapping: Mapping } | { readonly errors: readonly ColumnError[] } {
  const fields = columnFields(kind);
  const errors: ColumnError[] = [];
  const headers = new Map<string, string[]>();
  for (const [column, written] of Object.entries(columns)) {
    const field = fields.find((name) => headerKey(name) === headerKey(written));
    if (field) headers.set(field, [...(headers.get(field) ?? []), column]);
    else {
      const hint = didYouMean(written, fields) || `Use one of ${fields.join(', ')}`;
      errors.push({ column, message: `is no field of ${kind}: ${JSON.stringify(written)}. ${hint}` });
    }
  }
  for (const name of missingFields(kind, headers.keys()))
    errors.push({ message: `must have a column that becomes ${name}` });
  for (const flag of CONTACT_FLAGS)
    for (const column of headers.get(flag)?.slice(1) ?? []) errors.push({ column, message: `is a second ${flag}` });
  return errors.length ? { errors } : { mapping: toMapping(kind, headers) };
}

function toMapping(kind: Kind, headers: ReadonlyMap<string, readonly string[]>): Mapping {
  const all = (name: string): readonly string[] => headers.get(name) ?? [];
  const source = (name: string): Source | undefined => (headers.has(name) ? all(name) : undefined);
  const sources = (names: readonly string[], prefix = ''): Record<string, Source> =>
    Object.fromEntries(names.flatMap((name) => (headers.has(prefix + name) ? [[name, all(prefix + name)]] : [])));
  const others = { notes: all('note'), ignore: all('ignore') };
  if (kind === 'contacts')
    return {
      kind,
      id: source('id'),
      fields: { ...sources(CONTACT_TEXTS), ...(headers.has('Name') && { Name: { join: all('Name') } }) },
      emails: all('Email'),
      phones: Object.fromEntries(all('Phone').map((header) => [header.slice(0, 50), header])),
      tags: all('Tags'),
      flags: Object.fromEntries(CONTACT_FLAGS.flatMap((flag) => all(flag).map((header) => [flag, header]))),
      consents: { DoNotEmail: all('EmailConsent'), DoNotText: all('TextConsent') },
      properties: sources(PROPERTY_TEXTS, 'Property.'),
      ...others,
    };
  const client = sources(CLIENT, 'client.');
  const services = headers.has('service') ? all('service') : all('title');
  const service = kind === 'visits' ? { service: services } : {};
  return { kind, ...sources(OWN[kind]), ...service, client, ...others } as unknown as Mapping;
}
