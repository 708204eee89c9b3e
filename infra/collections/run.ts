/**
 * The variables of the collections, with the values of the examples, for reads without a run. A run sets them to the
 * ids of its own records, and of the location, service and reason that it finds.
 */
export const VARIABLES = {
  organizationId: 1,
  zip: '23220',
  /** Two weeks ahead in a run, when blocking an hour for seconds disturbs nobody. */
  day: '2035-03-06',
  serviceId: 1,
  serviceName: 'Window Cleaning',
  cancelReasonId: 1,
  contactId: 1,
  secondContactId: 1012,
  appointmentId: 1,
  secondAppointmentId: 1,
  slotStart: '2035-03-06T09:00',
  serviceAgentId: 1,
  proposalId: 1,
  invoiceId: 1,
  taskId: 1,
  webhookId: 1,
  downloadId: '4Vd0kT9mQx2LhW7sRb1ZpE',
} as const;
type Variable = keyof typeof VARIABLES;

const use = (variable: Variable): string => `{{${variable}}}`;

/** The variable that replaces a field of an example, wherever it occurs. */
const FIELDS: Readonly<Record<string, Variable>> = {
  OrganizationId: 'organizationId',
  ContactId: 'contactId',
  MergeId: 'secondContactId',
  ServiceId: 'serviceId',
  AppointmentId: 'appointmentId',
  CancelReasonId: 'cancelReasonId',
  ProposalId: 'proposalId',
  InvoiceId: 'invoiceId',
  TaskId: 'taskId',
  DownloadId: 'downloadId',
};

/** What `Id` at the top of a request refers to, by its group. */
const IDS: Readonly<Record<string, Variable>> = {
  services: 'serviceId',
  appointments: 'appointmentId',
  proposal: 'proposalId',
  webhooks: 'webhookId',
};

/** One request of an operation. */
export interface Call {
  /** Distinguishes the requests of one operation. */
  readonly purpose?: string;
  /** The folder, if it is not the operation's group; there it comes last. */
  readonly folder?: string;
  /** Replaces the example. */
  readonly body?: object;
  /** The variables that take values from the answer, each with its path there. */
  readonly keeps?: Partial<Readonly<Record<Variable, string>>>;
}

/** For the run only: nobody has an address at example.com. A later run finds them again. */
const place = { OrganizationId: use('organizationId'), Zip: use('zip') };
const contact = { ...place, Name: 'Collection Run', Email: 'collection-run@example.com' };
const second = { ...place, Name: 'Second Run', Email: 'second-run@example.com' };

/** Requests that differ from the example of their operation, or keep something from the answer. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  'organizations/query': [
    { body: {}, keeps: { organizationId: 'Organizations.0.Id', zip: 'Organizations.0.StartAddress.Zip' } },
  ],
  'services/all': [{ keeps: { serviceId: 'Matches.0.Id', serviceName: 'Matches.0.Name' } }],
  'cancelreasons/all': [{ keeps: { cancelReasonId: 'Matches.0.Id' } }],
  'contacts/addupdate': [
    { body: { Matches: [contact] }, keeps: { contactId: 'Matches.0.Id' } },
    { purpose: 'second contact', body: { Matches: [second] }, keeps: { secondContactId: 'Matches.0.Id' } },
  ],
  'contacts/logcall': [
    { body: { Length: 0, Chars: `{"ContactId":${use('contactId')},"Direction":"Inbound","DurationSeconds":184}` } },
  ],
  'appointments/queue': [
    {
      body: { ContactId: use('contactId'), ServiceId: use('serviceId'), QueueDate: use('day') },
      keeps: { appointmentId: 'AppointmentId' },
    },
  ],
  'appointments/slotsearch': [
    {
      body: { ContactId: use('contactId'), ServiceId: use('serviceId'), TargetDate: use('day'), SlotWindowDays: 7 },
      keeps: { slotStart: 'Slots.0.DateTime', serviceAgentId: 'Slots.0.ServiceAgentId' },
    },
  ],
  'appointments/book': [
    {
      body: {
        AppointmentId: use('appointmentId'),
        ContactId: use('contactId'),
        ServiceId: use('serviceId'),
        Slots: [{ DateTime: use('slotStart'), ServiceAgentId: use('serviceAgentId') }],
      },
    },
  ],
  'appointments/quickbook': [
    {
      body: {
        ContactId: use('contactId'),
        Service: use('serviceName'),
        FirstAvailable: true,
        ScheduledStart: `${use('day')}T08:00`,
      },
      keeps: { secondAppointmentId: 'AppointmentId' },
    },
  ],
  'appointments/cancel': [
    {},
    {
      purpose: 'second appointment',
      body: { AppointmentId: use('secondAppointmentId'), CancelReasonId: use('cancelReasonId') },
    },
  ],
  'proposal/create': [
    {
      body: { ContactId: use('contactId'), ServiceId: use('serviceId'), Status: 'Open', Title: 'Collection run' },
      keeps: { proposalId: 'Id' },
    },
  ],
  'proposal/update': [{}, { purpose: 'decline', body: { Id: use('proposalId'), Status: 'Declined' } }],
  'invoice/import': [
    {
      body: {
        Invoice: { ContactId: use('contactId'), Lines: [{ Description: 'Collection run', Rate: 12.5, Qty: 4 }] },
      },
      keeps: { invoiceId: 'InvoiceId' },
    },
    { purpose: 'void', folder: 'payment', body: { InvoiceId: use('invoiceId'), Invoice: { Status: 'Voided' } } },
  ],
  'payment/import': [
    { body: { Payment: { InvoiceId: use('invoiceId'), Amount: 25, Method: 'Card', Reference: 'Collection run' } } },
    {
      purpose: 'refund',
      body: { Payment: { InvoiceId: use('invoiceId'), Amount: -25, Method: 'Card', Reference: 'Collection run' } },
    },
  ],
  'task/create': [{ keeps: { taskId: 'TaskId' } }],
  'datasubscriber/startdownload': [{ keeps: { downloadId: 'DownloadId' } }],
  'download/startdownload': [{ keeps: { downloadId: 'DownloadId' } }],
  'webhooks/create': [
    {
      // Reserved domain: nothing listens there, so no account data leaks.
      body: { Url: 'https://hooks.example.com/collection-run', Kinds: ['proposal.accepted'] },
      keeps: { webhookId: 'Webhook.Id' },
    },
  ],
  'webhooks/update': [{ body: { Id: use('webhookId'), Kinds: ['proposal.declined'] } }],
};

/** Why a run skips an operation: it changes something that is not the run's own, or that cannot be reverted. */
const BY_CHOICE: Readonly<Record<string, string>> = {
  'appointments/addtip': 'It needs a visit that has begun, and a tip stays.',
  'proposal/accept': 'A signature stays.',
  'messages/send': 'What is sent stays sent, and it needs an address that somebody reads.',
  'datasubscriber/clear': 'It takes events from the programs that read them with this key.',
  'webhooks/replay': 'It calls the receivers of the account again.',
  'organizations/create': 'A location stays, if only as a canceled one.',
  'organizations/update': 'It changes a location.',
  'organizations/cancel': 'It cancels a location.',
  'channels/bulkupdate': 'It replaces budgets.',
  'accountingclasses/create': 'It assigns postal codes, and stays.',
  'accountingclasses/update': 'It assigns postal codes.',
  'user/create': 'It invites a person, and stays.',
  'users/bulkenablemfa': 'It changes how people sign in.',
  'users/bulkdisablemfa': 'It changes how people sign in.',
  'users/bulkresetmfa': 'It changes how people sign in.',
};
export const whyByChoice = (operation: string): string | undefined => BY_CHOICE[operation];

export const callsOf = (operation: string): readonly Call[] => CALLS[operation] ?? [{}];

/** What later requests need comes first, and what reverts it comes last. */
const FIRST = ['organizations', 'services', 'cancelreasons', 'appointments/queue'];
const LAST = ['appointments/cancel'];
export const placeInRun = (name: string): number => (FIRST.includes(name) ? -1 : Number(LAST.includes(name)));

/** The example of an operation with variables in place of record ids. */
export function withVariables(operation: string, example: object): object {
  const [group = ''] = operation.split('/');
  const own = IDS[group];
  const replaced = JSON.parse(
    JSON.stringify(example, (name, value: unknown) => {
      const variable = FIELDS[name];
      return variable ? use(variable) : value;
    }),
  ) as object;
  return own && 'Id' in replaced ? { ...replaced, Id: use(own) } : replaced;
}

const NO_RECORDS = ['zip', 'day'];

/** The record variables in a body. */
export const recordsIn = (body: string): readonly string[] => [
  ...new Set(
    [...body.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).filter((name) => !NO_RECORDS.includes(name)),
  ),
];

const isNumber = (name: string): boolean => typeof VARIABLES[name as Variable] === 'number';

/** A body as text, with numbers unquoted. */
export const bodyText = (body: object): string =>
  JSON.stringify(body, null, 2).replaceAll(/"\{\{(\w+)\}\}"/g, (text, name: string) =>
    isNumber(name) ? `{{${name}}}` : text,
  );
