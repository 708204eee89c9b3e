import { acceptanceRows } from './acceptance-rows.ts';
import { appointmentRows } from './appointment-rows.ts';
import { assistantRows } from './assistant-rows.ts';
import { bookRows } from './book-rows.ts';
import { holdRows } from './hold-rows.ts';
import { invoiceRows } from './invoice-rows.ts';
import { mergeRows } from './merge-rows.ts';
import { messageRows } from './message-rows.ts';
import { moneyRows } from './money-rows.ts';
import { organizationRows } from './organization-rows.ts';
import { pageRows } from './page-rows.ts';
import { paymentRows } from './payment-rows.ts';
import { proposalRows } from './proposal-rows.ts';
import { settingsRows } from './settings-rows.ts';
import { taskRows } from './task-rows.ts';
import { uploadRows } from './upload-rows.ts';

type Answer = Record<string, unknown>;
type Call = (operation: string, body: object) => Promise<{ body: Answer }>;

/**
 * An operation to be measured, and what it may cost. A write reads strongly what decides it (decision 15): the
 * organization of a contact in the round behind it. A query of a contact first reads whether that was merged.
 */
export interface Budget {
  readonly rounds: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
}

export interface CostRow {
  readonly name: string;
  readonly operation: string;
  /** The body of a run; what must be there first is made with `call`. */
  readonly body: (run: number, call: Call) => object | Promise<object>;
  readonly budget: Budget;
  /** What the row may cost besides for each thousand contacts of the account, of which its matches are a part. */
  readonly perThousand?: Required<Budget>;
  readonly check?: (answer: Answer) => void;
  /** How the row is called, if not as an operation: a file, a page, a tool or a worker. */
  readonly send?: (body: object, options: { readonly key: string }) => Promise<{ status: number; body: Answer }>;
  /** Sent with one Idempotency-Key every time. */
  readonly replay?: boolean;
  /** Called with a ReadOnly key of an organization without records, beside the full one. */
  readonly isEmpty?: boolean;
  /** The status of the answer, if it is not 200. */
  readonly status?: number;
}

const matches = (count: number) => (answer: Answer) => {
  const found = (answer['Matches'] as unknown[]).length;
  if (found !== count) throw new Error(`expected ${count} matches, found ${found}`);
};

/** A contact that no run has changed yet. */
let last = 500;
const another = () => ++last;

let fresh = 0;
const freshContact = () => {
  const number = `${Date.now()}${fresh++}`;
  return {
    Name: `Marta Q${number.replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)))}`,
    Email: `m${number}@example.com`,
    Phone: `+1 309 ${number.slice(-7)}`,
    Address1: '12 Main Street',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
  };
};

/**
 * Ten matches cost half a unit each, one for the entries and one for the reader's lists:
 * docs/decisions/0002-search-index.md says why not 4.
 */
const tenMatches = { rounds: 2, readUnits: 7, writeUnits: 0 };

/** Any search: decision 2. A page of contacts costs half a unit each besides. */
const anySearch = { rounds: 4, readUnits: 90, writeUnits: 4 };
/** The first page of a list that has all of a thousand contacts: their entries, which are read, and their ids. */
const ofAll = { rounds: 0.5, readUnits: 60, writeUnits: 5 };
const searchRow = (name: string, body: object, row: Partial<CostRow> = {}): CostRow => ({
  name: `contacts/locate ${name}`,
  operation: 'contacts/locate',
  body: () => body,
  budget: anySearch,
  ...row,
});

const broadRows: readonly CostRow[] = [
  searchRow('by a first letter', { NameSearch: 'q' }, { perThousand: ofAll }),
  searchRow('by a city', { AddressSearch: 'springfield' }, { perThousand: ofAll }),
  searchRow('by name and tag', { NameSearch: 'qcson', TagSearch: ['maintenance plan'] }),
  searchRow('by name and city', { NameSearch: 'qcson', AddressSearch: 'springfield' }),
  searchRow('by address', { AddressSearch: '505 elm street springfield 10050' }),
  searchRow('by tag, 10,000 skipped', { TagSearch: ['maintenance plan'], Skip: 10_000 }, { perThousand: ofAll }),
  searchRow(
    'by tag, 500 matches',
    { TagSearch: ['maintenance plan'], Limit: 500 },
    { budget: { ...anySearch, readUnits: 60 + 250 }, check: matches(500) },
  ),
  ...[
    { NameSearch: 'q' },
    { AddressSearch: 'springfield' },
    { TagSearch: ['maintenance plan'] },
    { CreatedFrom: '2020-01-01' },
    { NameSearch: 'q', TagSearch: ['maintenance plan'] },
  ].map((criteria) =>
    searchRow(
      `in an empty organization, ${Object.keys(criteria).join(' and ')}`,
      { ...criteria, Limit: 1 },
      { isEmpty: true, budget: { rounds: 2, readUnits: 4, writeUnits: 0 }, check: matches(0) },
    ),
  ),
];

/** The first page of a query without a bound: decision 6. */
const broadQueryRows: readonly CostRow[] = [
  ['task/query', 'all', { IncludeCompleted: true }],
  ['task/query', 'open ones', {}],
  ['appointments/query', 'all', {}],
  ['appointments/query', 'all of an agent', { ServiceAgentId: 1 }],
  ['proposal/query', 'all', {}],
  ['proposal/query', 'open ones', { Scope: 'open' }],
  ['proposal/query', 'all accepted', { FromAccepted: '2020-01-01' }],
  ['invoice/query', 'all', {}],
  ['invoice/query', 'open ones', { Status: 'Open' }],
  ['payment/query', 'all', {}],
  ['payment/query', 'all imported', { CreatedFrom: '2020-01-01' }],
].flatMap(([operation, name, body]): CostRow[] => [
  {
    name: `${operation as string} of ${name as string}`,
    operation: operation as string,
    body: () => body as object,
    budget: { rounds: 5, readUnits: 120, writeUnits: 17 },
    perThousand: { rounds: 0.3, readUnits: 25, writeUnits: 5 },
  },
  {
    name: `${operation as string} of ${name as string} in an empty organization`,
    operation: operation as string,
    body: () => body as object,
    isEmpty: true,
    // Of a span of changes 400 entries are read, which may be those of other organizations.
    budget: { rounds: 2, readUnits: String(name).startsWith('all ') ? 13 : 5, writeUnits: 0 },
  },
]);

export const costRows: readonly CostRow[] = [
  { name: 'test/echo', operation: 'test/echo', body: () => ({}), budget: { rounds: 0, readUnits: 0, writeUnits: 0 } },
  {
    name: 'test/whoami',
    operation: 'test/whoami',
    body: () => ({}),
    budget: { rounds: 0, readUnits: 0, writeUnits: 0 },
  },
  {
    name: 'contacts/locate by id',
    operation: 'contacts/locate',
    body: () => ({ IdSearch: 500 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
    check: matches(1),
  },
  {
    name: 'contacts/locate by e-mail',
    operation: 'contacts/locate',
    body: () => ({ EmailSearch: 'CONTACT500@example.com' }),
    budget: { rounds: 2, readUnits: 4, writeUnits: 0 },
    check: matches(1),
  },
  {
    name: 'contacts/locate by phone',
    operation: 'contacts/locate',
    body: () => ({ PhoneSearch: '(217) 200-0500' }),
    budget: { rounds: 2, readUnits: 4, writeUnits: 0 },
    check: matches(1),
  },
  {
    name: 'contacts/locate by name, 10 matches',
    operation: 'contacts/locate',
    body: () => ({ NameSearch: 'qcson' }),
    budget: tenMatches,
    check: matches(10),
  },
  {
    name: 'contacts/locate by zip, 10 matches',
    operation: 'contacts/locate',
    body: () => ({ AddressSearch: '10002' }),
    budget: tenMatches,
    check: matches(10),
  },
  {
    name: 'contacts/locate by tag, 100 matches',
    operation: 'contacts/locate',
    body: () => ({ TagSearch: ['maintenance plan'] }),
    budget: { rounds: 2, readUnits: 70, writeUnits: 1 },
    check: matches(100),
  },
  {
    name: 'contacts/locate by tag, page 5',
    operation: 'contacts/locate',
    body: async (run, call) => {
      if (run === 0)
        for (let Skip = 0; Skip < 400; Skip += 100)
          await call('contacts/locate', { TagSearch: ['Maintenance plan'], Skip });
      return { TagSearch: ['Maintenance plan'], Skip: 400 };
    },
    budget: { rounds: 3, readUnits: 70, writeUnits: 2 },
    check: matches(100),
  },
  ...broadRows,
  {
    name: 'contacts/addupdate, new',
    operation: 'contacts/addupdate',
    body: () => ({ Matches: [freshContact()] }),
    budget: { rounds: 4, writeUnits: 24 },
  },
  {
    name: 'contacts/addupdate, replayed',
    operation: 'contacts/addupdate',
    body: async (_, call) => {
      const Matches = [{ ...freshContact(), Email: 'replayed@example.com', Name: 'Marta Replay', Phone: '' }];
      // The second one takes from memory what the first has read, and a later call reads that beside its first round.
      await call('contacts/addupdate', { Matches });
      await call('contacts/addupdate', { Matches });
      return { Matches };
    },
    budget: { rounds: 1, readUnits: 4, writeUnits: 0 },
    replay: true,
  },
  {
    name: 'contacts/addnote',
    operation: 'contacts/addnote',
    body: () => ({ ContactId: another(), Note: { Body: 'Called back.' } }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'contacts/addtags',
    operation: 'contacts/addtags',
    body: () => ({ ContactId: another(), TagList: [{ Name: 'Gold' }] }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'contacts/removetags',
    operation: 'contacts/removetags',
    body: () => ({ ContactId: another(), TagList: [{ Name: 'Maintenance plan' }] }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'contacts/listtags',
    operation: 'contacts/listtags',
    body: () => ({ ContactId: 500 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
  },
  {
    name: 'contacts/logcall',
    operation: 'contacts/logcall',
    body: () => ({ Length: 0, Chars: '{"Phone":"(217) 200-0500","Note":"Asked for a slot."}' }),
    // The call, its two index entries, and its contact, in a transaction.
    budget: { rounds: 4, writeUnits: 8 },
  },
  {
    name: 'datasubscriber/fetch, nothing new',
    operation: 'datasubscriber/fetch',
    body: () => ({}),
    budget: { rounds: 1, readUnits: 3, writeUnits: 0 },
  },
  ...taskRows,
  ...appointmentRows,
  // Where agents begin their days is set there, and by rows of settings below.
  ...holdRows,
  ...assistantRows,
  ...pageRows,
  ...bookRows,
  ...organizationRows,
  ...settingsRows,
  ...invoiceRows,
  ...paymentRows,
  ...messageRows,
  ...moneyRows,
  ...mergeRows,
  ...proposalRows,
  ...acceptanceRows,
  ...uploadRows,
  ...broadQueryRows,
];
