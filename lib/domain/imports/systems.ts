import type { OtherSystem } from './mapping.ts';

/** The client columns of Jobber's reports. */
const reportClient = { name: 'Client name', email: 'Client email', phone: 'Client phone', street: 'Service street' };

/** Jobber does not say whether the consent is for e-mail or text. */
const JOBBER_CONSENTS = [
  'Receives automatic visit reminders?',
  'Receives automatic job follow-ups?',
  'Receives automatic quote follow-ups?',
  'Receives automatic invoice follow-ups?',
];

/**
 * "Export clients" (a row per property; J-ID is `<client>_<property>`) and the reports Visits and Invoices, with all
 * columns. Custom fields are columns such as `CFT[Gate code]`: C for a client, P for a property.
 */
const jobber: OtherSystem = {
  system: 'jobber',
  title: 'Jobber',
  files: [
    {
      kind: 'contacts',
      id: ['J-ID', 'J-ID (client_property)'],
      separator: '_',
      fields: {
        Name: ['Display Name', 'Client Name'],
        Company: 'Company Name',
        Address1: 'Billing Street 1',
        Address2: 'Billing Street 2',
        City: 'Billing City',
        State: ['Billing State', 'Billing Province'],
        Zip: ['Billing Zip code', 'Billing Zip', 'Billing Postal code'],
        Country: 'Billing Country',
        LeadSource: 'Lead Source',
      },
      emails: ['E-mails'],
      phones: {
        Main: 'Main Phone #s',
        Mobile: 'Mobile Phone #s',
        Home: 'Home Phone #s',
        Work: 'Work Phone #s',
        Other: 'Other Phone #s',
        Text: ['Text Message Enabled Phone #', 'Text Message Enabled Phone #s'],
      },
      tags: ['Tags'],
      tagsIf: { Archived: 'Archived', Company: 'Is Company?' },
      consents: { DoNotEmail: JOBBER_CONSENTS, DoNotText: JOBBER_CONSENTS },
      notes: ['Title', 'Fax Phone #s'],
      properties: {
        Nickname: 'Service Property Name',
        Address1: 'Service Street 1',
        Address2: 'Service Street 2',
        City: 'Service City',
        State: ['Service State', 'Service Province'],
        Zip: ['Service Zip code', 'Service Zip', 'Service Postal code'],
        Country: 'Service Country',
      },
      // Display Name combines them.
      ignore: ['First Name', 'Last Name'],
    },
    {
      kind: 'visits',
      id: 'Job #',
      date: 'Date',
      times: 'Times',
      hours: ['Scheduled duration', 'Schedule duration'],
      title: ['Visit title', 'Title', 'Job title'],
      service: ['Line items', 'Visit title', 'Title'],
      agent: 'Assigned to',
      completed: ['Visit completed date', 'Visit completed', 'Completed', 'Completed date'],
      total: ['Visit based ($)', 'One-off job ($)'],
      notes: ['Instructions', 'Job type'],
      client: reportClient,
      ignore: ['Service property name', 'Service city', 'Service province', 'Service ZIP'],
    },
    {
      kind: 'invoices',
      number: 'Invoice #',
      date: ['Issued date', 'Created date'],
      total: ['Total ($)', 'Invoice total ($)', 'Total'],
      balance: ['Balance ($)', 'Balance'],
      tax: ['Tax amount ($)', 'Tax ($)'],
      subject: 'Subject',
      status: 'Status',
      paidOn: ['Marked paid date', 'Marked paid on', 'Paid date'],
      notes: ['Job #s', 'Job #', 'Due date'],
      client: reportClient,
      ignore: [
        'Pre-tax total ($)',
        'Service property name',
        'Service city',
        'Service province',
        'Service ZIP',
        'Last contacted',
      ],
    },
  ],
};

/** The client columns in the lists of jobs, invoices and estimates, which have no customer id. */
const listClient = {
  name: ['Customer name', 'Customer'],
  email: ['Customer email', 'Email'],
  phone: ['Customer mobile number', 'Customer home number', 'Customer work number', 'Phone'],
  street: ['Address', 'Street'],
};

/** "Export customers": 444 to 451 columns, most of them for 61 or more addresses; cells may be `="52"`. */
const housecallPro: OtherSystem = {
  system: 'housecallpro',
  title: 'Housecall Pro',
  files: [
    {
      kind: 'contacts',
      id: 'ID',
      fields: {
        Name: [{ join: ['First Name', 'Last Name'] }, 'Display Name'],
        Nickname: 'Display Name',
        Company: 'Company',
        LeadSource: 'Lead Source',
      },
      emails: ['Email', 'Additional Emails'],
      phones: { Mobile: 'Mobile Number', Home: 'Home Number', Work: 'Work Number' },
      tags: ['Tags', 'Customer Type'],
      tagsIf: { Contractor: 'Customer is Contractor', 'Do Not Service': 'Do Not Service' },
      consents: {
        DoNotEmail: ['Customer notifications enabled', 'Email marketing consent'],
        DoNotText: ['Customer notifications enabled', 'SMS marketing consent'],
      },
      notes: ['Notes', 'Role', 'Job Title', 'Bills to', 'Accepts bills from'],
      properties: {
        Address1: 'Address_{n} Street Line 1',
        Address2: 'Address_{n} Street Line 2',
        City: 'Address_{n} City',
        State: 'Address_{n} State',
        Zip: 'Address_{n} Postal Code',
        FlashMessage: 'Address_{n} Notes',
      },
      billing: 'Address_{n} Billing?',
    },
    {
      kind: 'visits',
      id: 'Job #',
      unique: true,
      date: ['Job scheduled start date', 'Job created date'],
      start: 'Job scheduled start date',
      end: 'Job scheduled end date',
      title: ['Job description', 'Job name'],
      service: ['Job name', 'Job description', 'Job type'],
      agent: 'Assigned employees',
      completed: 'Job status',
      total: 'Job amount',
      notes: ['Job type', 'Due amount'],
      client: listClient,
      ignore: ['Street 2', 'City', 'State', 'Zipcode'],
    },
    {
      kind: 'invoices',
      number: 'Invoice #',
      date: ['Created date', 'Invoice date'],
      total: 'Invoice amount',
      balance: 'Amount due',
      status: 'Invoice status',
      paidOn: 'Payment date',
      notes: ['Job #', 'Due date', 'Payment notes'],
      client: listClient,
    },
    {
      kind: 'estimates',
      number: 'Estimate #',
      date: 'Created date',
      subtotal: 'Sub-total',
      discount: 'Discount amount',
      tax: 'Tax amount',
      description: 'Description',
      status: 'Estimate status',
      client: listClient,
      // Repeats the subtotal by status.
      ignore: ['Open value', 'Won value', 'Lost value', 'Street 2', 'City', 'State', 'Zipcode'],
    },
  ],
};

export const OTHER_SYSTEMS: readonly OtherSystem[] = [jobber, housecallPro];
