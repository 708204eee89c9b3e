import type { Operation } from '../../lib/api/operation.ts';
import { MAX_ANSWER, toPage } from './lists.ts';
import { say } from './sentence.ts';
import { type Arguments, type Row, type ToolAnswer, rowsOf, shortText } from './tool.ts';

const CONTACT = [
  'Id',
  'Name',
  'Company',
  'Phone',
  'Email',
  'Address1',
  'Address2',
  'City',
  'State',
  'Zip',
  'Category',
  'LeadSource',
  'CreditBalance',
  'FlashMessage',
];
const SLOT = [
  'AppointmentId',
  'DateTime',
  'DateTimeFormatted',
  'ArrivalFrom',
  'ArrivalThrough',
  'Status',
  'ServiceAgentId',
  'ServiceAgentName',
  'ServiceName',
  'DurationFormatted',
  'Total',
  'ContactId',
  'Contact',
  'SeriesId',
  'SeriesRule',
  'InternalNotes',
];

/** The fields that a person asks for, shown for records in these operations' lists. A single record has all. */
export const ROWS: Readonly<Record<string, readonly string[]>> = {
  'contacts/locate': CONTACT,
  'contacts/duplicates': ['Contact', 'Duplicate', 'Why'],
  'contacts/messages': ['Id', 'Kind', 'Channel', 'Address', 'State', 'Reason', 'About', 'RecordId', 'Due', 'SentAt'],
  'appointments/query': [...SLOT, 'InvoiceId', 'Notes'],
  'appointments/find': SLOT,
  'appointments/slotsearch': SLOT,
  'invoice/query': [
    'Id',
    'Number',
    'Date',
    'DueDate',
    'Status',
    'InvoiceType',
    'Total',
    'BalanceDue',
    'ContactId',
    'Contact',
    'AppointmentId',
    'ProposalId',
  ],
  'payment/query': ['Id', 'Date', 'Amount', 'Method', 'Reference', 'ContactId', 'InvoiceId', 'InvoiceNumber'],
  'proposal/query': [
    'Id',
    'Date',
    'Status',
    'AcceptedDate',
    'Title',
    'ServiceName',
    'Subtotal',
    'Tax',
    'ContactId',
    'Contact',
  ],
  'services/all': [
    'Id',
    'Name',
    'Category',
    'BasePrice',
    'UnitPrice',
    'UnitOfMeasure',
    'MinimumCharge',
    'Duration',
    'SubscriptionVisits',
  ],
  'serviceagents/all': ['Id', 'Name', 'Email', 'MobilePhone', 'StartDate', 'EndDate'],
  'organizations/query': ['Id', 'PublicName', 'LocationID', 'PrimaryPhone', 'Email', 'Timezone', 'Region'],
  'task/query': ['Id', 'Due', 'Description', 'TaskCategory', 'AssignedTo', 'ContactId', 'CompletedAt', 'Note'],
};

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const isBlank = (name: string, value: unknown): boolean =>
  value === '' ||
  value === null ||
  value === false ||
  (value === 0 && name.endsWith('Id')) ||
  (isObject(value) && !Object.keys(value).length);

/** Drops blank fields and all but the first records of each list. */
function compact(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const records = value.slice(0, most).map((each) => compact(each, most));
    return value.length > most ? [...records, `${value.length - most} more`] : records;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, compact(inner, most)] as const);
  return Object.fromEntries(entries.filter(([name, inner]) => !isBlank(name, inner)));
}

const LISTS = [Infinity, 50, 20, 5, 2];

function short(body: Row): ToolAnswer {
  const forms = LISTS.map((most) => [most, compact(body, most)] as const);
  const [most, data] = forms.find(([, form]) => JSON.stringify(form).length <= MAX_ANSWER) ?? [];
  if (!data) return { say: say`Done. The answer is too long to be shown. Ask for less.` };
  const cut = most === Infinity ? say`` : say` Long lists have the first ${Number(most)} records. Ask for less.`;
  return { say: say`Done.${cut}`, data };
}

function toRow(record: Row, fields: readonly string[]): Row {
  const row = fields.map((field) => {
    const value = record[field];
    return [field, isObject(value) ? toRow(value, CONTACT) : shortText(value)] as const;
  });
  return compact(Object.fromEntries(row), Infinity) as Row;
}

/** The answer of an operation with a long list as compact rows, and how to go on if they do not fit. */
export function toAnswer(
  { name, pageSizeField }: Pick<Operation, 'name' | 'pageSizeField'>,
  { Skip }: Arguments,
  { ResultCode: _, ...body }: Row,
): ToolAnswer {
  const fields = ROWS[name];
  const [list = ''] = Object.entries(body).find(([, value]) => rowsOf(value).length > 1) ?? [];
  if (!fields || !list) return short(body);
  const found = { list: body[list], nextSkip: body['NextSkip'], skip: Skip ?? 0 };
  const { rows, next } = toPage(found, (record) => toRow(record, fields));
  const total = body['Count'] ?? (found.nextSkip === undefined ? rowsOf(found.list).length : undefined);
  const shown = total === undefined ? say` ${rows.length}` : say` ${rows.length} of ${Number(total)}`;
  const rest = pageSizeField() ? say`Go on with Skip ${Number(next)}.` : say`Ask for less to see the others.`;
  const more = say`${shown} are below. ${rest}`;
  const { NextSkip: __, ...others } = body;
  return {
    say: say`Done.${next === undefined ? say`` : more}`,
    data: { ...(compact({ ...others, [list]: [] }, Infinity) as Row), [list]: rows },
  };
}
