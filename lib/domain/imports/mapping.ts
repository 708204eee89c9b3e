/** A column by its header, or several joined. Headers are compared without case, spaces and punctuation. */
type Column = string | { readonly join: readonly string[] };
/** A column, or several of which the first non-empty one counts. */
export type Source = Column | readonly Column[];

/** Text fields of a contact that a file can fill. */
export const CONTACT_TEXTS = [
  'Name',
  'Nickname',
  'Company',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Country',
  'Language',
  'LeadSource',
  'Category',
  'FlashMessage',
] as const;
export type ContactText = (typeof CONTACT_TEXTS)[number];
type ContactTexts = Readonly<Partial<Record<ContactText, Source>>>;

/** Flags that stop messages to a contact. */
export const CONTACT_FLAGS = ['Unsubscribed', 'DoNotText', 'DoNotEmail'] as const;
type ContactFlag = (typeof CONTACT_FLAGS)[number];

/** How clients of another system become contacts. */
export interface ContactsMapping {
  readonly kind: 'contacts';
  /**
   * The id of a client in the other system; with `separator` it is the part before it, and the whole is the id of the
   * property. Without it the client is identified by name, e-mail, phone and street.
   */
  readonly id?: Source | undefined;
  readonly separator?: string | undefined;
  readonly fields: ContactTexts;
  readonly emails?: readonly string[] | undefined;
  /** Labels and columns of phone numbers, the preferred one first. */
  readonly phones?: Readonly<Record<string, Source>> | undefined;
  /** Columns that list tags. */
  readonly tags?: readonly string[] | undefined;
  /** Tags, with the columns that must be yes for them. */
  readonly tagsIf?: Readonly<Record<string, string>> | undefined;
  /** Contact flags, with the columns that must be yes for them. */
  readonly flags?: Readonly<Partial<Record<ContactFlag, string>>> | undefined;
  /** Contact flags, with columns of consents: anything that is not a yes sets the flag. */
  readonly consents?: Readonly<Partial<Record<ContactFlag, readonly string[]>>> | undefined;
  /** Columns whose text becomes a note. */
  readonly notes?: readonly string[] | undefined;
  /** Fields of a property; with `{n}` in a header, the columns of property 1, 2 … in a row. */
  readonly properties?: ContactTexts | undefined;
  /** A column, with `{n}`, that is yes for the billing address. */
  readonly billing?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
}

/** The columns by which visits, invoices and estimates name their client. */
interface ClientColumns {
  readonly client: {
    readonly id?: Source | undefined;
    readonly name?: Source | undefined;
    /** If there are several columns, each counts. */
    readonly email?: Source | undefined;
    readonly phone?: Source | undefined;
    /** May be a whole address. */
    readonly street?: Source | undefined;
  };
  readonly ignore?: readonly string[] | undefined;
}

/** How visits of another system become appointments. */
export interface VisitsMapping extends ClientColumns {
  readonly kind: 'visits';
  /**
   * The id of a job, whose visits differ by day and time; without it a visit is identified by client, day, time and
   * title.
   */
  readonly id?: Source | undefined;
  /** Whether the id is that of a single visit and stays if the visit moves. */
  readonly unique?: boolean | undefined;
  readonly date: Source;
  readonly times?: Source | undefined;
  /** Columns with day and time, instead of `times`. */
  readonly start?: Source | undefined;
  readonly end?: Source | undefined;
  /** The hours of visits without an end. */
  readonly hours?: Source | undefined;
  readonly title?: Source | undefined;
  /** Columns that may name a service. */
  readonly service?: readonly string[] | undefined;
  readonly agent?: Source | undefined;
  readonly completed?: Source | undefined;
  readonly total?: Source | undefined;
  /** Columns whose texts become internal notes. */
  readonly notes?: readonly string[] | undefined;
}

/** How invoices of another system become invoices with payments. */
export interface InvoicesMapping extends ClientColumns {
  readonly kind: 'invoices';
  readonly number: Source;
  readonly date: Source;
  readonly total: Source;
  readonly balance: Source;
  readonly tax?: Source | undefined;
  readonly subject?: Source | undefined;
  readonly status?: Source | undefined;
  readonly paidOn?: Source | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** How estimates of another system become proposals. */
export interface EstimatesMapping extends ClientColumns {
  readonly kind: 'estimates';
  readonly number: Source;
  readonly date: Source;
  /** Before discount and tax. */
  readonly subtotal: Source;
  readonly discount?: Source | undefined;
  readonly tax?: Source | undefined;
  readonly description?: Source | undefined;
  readonly status?: Source | undefined;
  readonly notes?: readonly string[] | undefined;
}

export type WorkMapping = VisitsMapping | InvoicesMapping | EstimatesMapping;
export type Mapping = ContactsMapping | WorkMapping;

/** The files of another system, at most one mapping per kind. */
export interface OtherSystem {
  /** The first part of ids: `jobber:1001`. */
  readonly system: string;
  readonly title: string;
  readonly files: readonly Mapping[];
}

/** `jobber:1001`. A `/` in an id is escaped, because the property follows it: `jobber:1001/5002`. */
export const clientReference = (system: string, id: string): string =>
  `${system}:${id.replaceAll('%', '%25').replaceAll('/', '%2F')}`;

/** `E-mails`, `e mails` and `EMAILS` are the same header. Punctuation is kept if nothing else is left: `#`, `$`. */
export const headerKey = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#]/gu, '') || header.trim();

export const columnsOf = (source: Source | undefined): readonly Column[] =>
  source === undefined ? [] : isColumn(source) ? [source] : source;

/** Arrays also have `join`, as a method. */
const isColumn = (source: Source): source is Column => !Array.isArray(source);

export const headersOf = (source: Source | undefined): readonly string[] =>
  columnsOf(source).flatMap((column) => (typeof column === 'string' ? [column] : column.join));

/** The headers that a file of the mapping must have: each entry lists alternatives. */
export function requiredHeaders(mapping: Mapping): readonly (readonly string[])[] {
  switch (mapping.kind) {
    case 'contacts': {
      const others = [mapping.fields.Name, mapping.emails, ...Object.values(mapping.phones ?? {})];
      return [mapping.id === undefined ? others.flatMap(headersOf) : headersOf(mapping.id)];
    }
    case 'visits':
      return [[...headersOf(mapping.id), ...headersOf(mapping.title)], headersOf(mapping.date)];
    case 'invoices':
      return [mapping.number, mapping.date, mapping.total, mapping.balance].map(headersOf);
    case 'estimates':
      return [mapping.number, mapping.date, mapping.subtotal].map(headersOf);
  }
}

/** The mapping whose required headers a file has all of; among several, the one that requires most. */
export function findMapping({ files }: OtherSystem, headers: readonly string[]): Mapping | undefined {
  const present = new Set(headers.map(headerKey));
  const fits = files.filter((mapping) =>
    requiredHeaders(mapping).every((choice) => choice.some((header) => present.has(headerKey(header)))),
  );
  return fits.sort((one, other) => requiredHeaders(other).length - requiredHeaders(one).length)[0];
}

/** The headers that name the client, if a file has none of them. */
export function missingClientHeaders(mapping: Mapping, headers: readonly string[]): readonly string[] {
  if (mapping.kind === 'contacts') return [];
  const present = new Set(headers.map(headerKey));
  const { id, name, email, phone } = mapping.client;
  const all = [id, name, email, phone].flatMap(headersOf);
  return all.some((header) => present.has(headerKey(header))) ? [] : all;
}
