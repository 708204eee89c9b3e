/** Files as other systems export them, made for tests: the same for the same count. */

const FIRST = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gina', 'Hugo', 'Ida', 'José'];
const LAST = ['Archer', 'Brooks', 'Chen', 'Diaz', 'Evans', 'García', 'Hill', 'Ito', 'Jones', 'Kowalski'];
const STREETS = ['Main Street', 'Oak Avenue', 'Elm Court', 'River Road'];

const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
export const csv = (headers: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string =>
  [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ''))]
    .map((cells) => cells.map(cell).join(','))
    .join('\r\n');

const money = (cents: number): string => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

interface Person {
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly street: string;
}

/** A person of its own for each index; every tenth has the e-mail of the one before, as couples do. */
const person = (index: number): Person => {
  const owner = index % 10 === 9 ? index - 1 : index;
  return {
    first: FIRST[index % 10] ?? '',
    last: `${LAST[Math.floor(index / 10) % 10] ?? ''} ${index}`,
    email: `p${owner}@example.com`,
    phone: `(217) 555-${String(1000 + (index % 9000))}`,
    street: `${index + 1} ${STREETS[index % 4] ?? ''}`,
  };
};

const JOBBER_CLIENTS = [
  'J-ID',
  'Created Date',
  'Is Company?',
  'Display Name',
  'Company Name',
  'Title',
  'First Name',
  'Last Name',
  'Main Phone #s',
  'E-mails',
  'Tags',
  'Billing Street 1',
  'Billing Street 2',
  'Billing City',
  'Billing State',
  'Billing Country',
  'Billing Zip code',
  'CFT[Gate code]',
  'Work Phone #s',
  'Mobile Phone #s',
  'Home Phone #s',
  'Service Property Name',
  'Service Street 1',
  'Service Street 2',
  'Service City',
  'Service State',
  'Service Country',
  'Service Zip code',
  'Archived',
  'Lead Source',
];

/** Rows of properties; every fifth row is a second property of the client before. */
export function jobberClients(rows: number): string {
  return csv(
    JOBBER_CLIENTS,
    Array.from({ length: rows }, (_, index) => {
      const isSecond = index % 5 === 4;
      const own = isSecond ? index - 1 : index;
      const { first, last, email, phone, street } = person(own);
      return {
        'J-ID': `${1000 + own}_${500_000 + index}`,
        'Is Company?': 'false',
        'Display Name': `${first} ${last}`,
        'First Name': first,
        'Last Name': last,
        'Main Phone #s': phone,
        'E-mails': own % 50 === 3 ? `${email}, second${own}@example.com` : email,
        Tags: own % 7 === 0 ? 'VIP, Weekly' : '',
        'Billing Street 1': street,
        'Billing City': 'Springfield',
        'Billing State': 'IL',
        'Billing Country': 'United States',
        'Billing Zip code': '62701',
        'CFT[Gate code]': own % 100 === 0 ? '4711' : '',
        'Service Property Name': isSecond ? 'Lake house' : '',
        'Service Street 1': isSecond ? `${index + 1} Lake Road` : street,
        'Service City': 'Springfield',
        'Service State': 'IL',
        'Service Country': 'United States',
        'Service Zip code': '62701',
        Archived: own % 20 === 0 ? 'true' : 'false',
      };
    }),
  );
}

/** The rows that are no second properties: those that visits and invoices name. */
const clientOf = (index: number, rows: number): number => {
  const own = index % rows;
  return own % 5 === 4 ? own - 1 : own;
};

const CLIENT = ['Client name', 'Client email', 'Client phone', 'Service street', 'Service city', 'Service ZIP'];
const clientCells = (index: number) => {
  const { first, last, email, phone, street } = person(index);
  return {
    'Client name': `${first} ${last}`,
    'Client email': email,
    'Client phone': phone,
    'Service street': street,
    'Service city': 'Springfield',
    'Service ZIP': '62701',
  };
};

const visitCents = (index: number): number => 4_500 + ((index * 137) % 20_000);

export function jobberVisits(rows: number, clients: number): { readonly text: string; readonly cents: number } {
  const headers = [
    'Job #',
    'Date',
    'Times',
    'Visit title',
    ...CLIENT,
    'Visit completed date',
    'Assigned to',
    'Line items',
    'One-off job ($)',
    'Visit based ($)',
    'Job type',
  ];
  const records = Array.from({ length: rows }, (_, index) => {
    const day = 1 + (index % 28);
    const hour = 8 + (index % 4);
    const isDone = index % 4 !== 0;
    return {
      'Job #': String(2000 + Math.floor(index / 3)),
      Date: isDone ? `Sep ${day}, 2026` : `Sep ${day}, 2036`,
      Times: `${hour}:${String(index % 3)}0 AM - ${hour + 1}:30 AM`,
      'Visit title': 'Window cleaning',
      ...clientCells(clientOf(index, clients)),
      'Visit completed date': isDone ? `Sep ${day}, 2026` : '',
      'Assigned to': index % 2 ? 'Mia Chen' : 'Crew A',
      'Line items': 'Window cleaning x1',
      'One-off job ($)': index % 2 ? money(visitCents(index)) : '',
      'Visit based ($)': index % 2 ? '' : money(visitCents(index)),
      'Job type': 'One-off',
    };
  });
  return { text: csv(headers, records), cents: records.reduce((sum, _, index) => sum + visitCents(index), 0) };
}

const invoiceCents = (index: number) => {
  const total = 5_000 + ((index * 733) % 90_001);
  return {
    total,
    tax: Math.round(total * 0.0617),
    balance: index % 3 === 0 ? total : index % 3 === 1 ? 0 : total - 1_999,
  };
};

export function jobberInvoices(rows: number, clients: number) {
  const headers = [
    'Invoice #',
    ...CLIENT,
    'Issued date',
    'Due date',
    'Status',
    'Subject',
    'Total ($)',
    'Tax amount ($)',
    'Balance ($)',
    'Job #s',
  ];
  const amounts = Array.from({ length: rows }, (_, index) => invoiceCents(index));
  const text = csv(
    headers,
    amounts.map(({ total, tax, balance }, index) => ({
      'Invoice #': String(3000 + index),
      ...clientCells(clientOf(index, clients)),
      'Issued date': `Aug ${1 + (index % 28)}, 2026`,
      Status: balance ? 'Awaiting Payment' : 'Paid',
      Subject: 'For services rendered',
      'Total ($)': money(total),
      'Tax amount ($)': money(tax),
      'Balance ($)': money(balance),
      'Job #s': String(2000 + index),
    })),
  );
  const sum = (name: 'total' | 'balance') => amounts.reduce((result, each) => result + each[name], 0);
  return { text, total: sum('total'), balance: sum('balance') };
}

/** 24 columns of the customer, and seven of each of 61 addresses: 451. */
export const HOUSECALL_HEADERS = [
  'First Name',
  'Last Name',
  'Display Name',
  'Mobile Number',
  'Home Number',
  'Email',
  'Additional Emails',
  'Company',
  'Role',
  'Work Number',
  'Bills to',
  'Accepts bills from',
  'Tags',
  'Notes',
  'ID',
  'Customer Type',
  'Customer notifications enabled',
  'Customer is Contractor',
  'Lead Source',
  'Customer created at',
  'Email marketing consent',
  'SMS marketing consent',
  'Last service date',
  'Lifetime value',
  ...Array.from({ length: 61 }, (_, index) =>
    ['Street Line 1', 'Street Line 2', 'City', 'State', 'Postal Code', 'Billing?', 'Notes'].map(
      (name) => `Address_${index + 1} ${name}`,
    ),
  ).flat(),
];

/** Every eighth customer has two more addresses. */
export function housecallCustomers(rows: number): string {
  return csv(
    HOUSECALL_HEADERS,
    Array.from({ length: rows }, (_, index) => {
      const { first, last, email, phone, street } = person(index);
      const more = index % 8 === 0 ? [2, 3] : [];
      const address = (n: number, line: string) => ({
        [`Address_${n} Street Line 1`]: line,
        [`Address_${n} City`]: 'Springfield',
        [`Address_${n} State`]: 'IL',
        [`Address_${n} Postal Code`]: '="62701"',
        [`Address_${n} Billing?`]: n === 1 ? 'true' : 'false',
      });
      return {
        'First Name': first,
        'Last Name': last,
        'Mobile Number': `="${phone}"`,
        Email: email,
        ID: `="${52 + index}"`,
        'Customer Type': index % 6 ? 'homeowner' : 'business',
        Tags: index % 9 ? '' : 'VIP',
        'Lifetime value': '$120.00',
        ...Object.assign({}, address(1, street), ...more.map((n) => address(n, `${index * 10 + n} Hill Street`))),
      } as Record<string, string>;
    }),
  );
}
