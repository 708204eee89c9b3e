import {
  type FieldsInput,
  code,
  moment,
  described,
  double,
  flag,
  id,
  int32,
  nested,
  nullable,
  required,
  resource,
  text,
  year,
} from './fields.ts';
import { through } from './queries.ts';

// Only the settings for the download's Kind apply; typed clients send the others empty (interface, section 11).

const excluded = () => ({ IncludeExcludedOrgs: described(flag(), 'Includes suspended organizations.') });
const geography = () => ({ IncludeGeoZones: flag(), IncludeGeoShapes: flag() });
const invoiceStatuses = () => ({ Open: flag(), Paid: flag(), Voided: flag(), Unapproved: flag() });

export const DownloadAppointmentSettings = resource('DownloadAppointmentSettings', () => ({
  ScheduledFrom: nullable(moment()),
  ScheduledThrough: nullable(moment()),
  CompletedFrom: nullable(moment()),
  CompletedThrough: nullable(moment()),
  Scheduled: flag(),
  Completed: flag(),
  Queued: flag(),
  Canceled: flag(),
  Started: flag(),
  IncludeCustomFields: flag(),
  ...excluded(),
  IncludeOrgCustomFields: flag(),
}));

export const DownloadCampaignBudgetSettings = resource('DownloadCampaignBudgetSettings', () => ({ Year: year() }));

export const DownloadChannelsCampaignsSettings = resource('DownloadChannelsCampaignsSettings', excluded);

export const DownloadDepositSettings = resource('DownloadDepositSettings', excluded);

export const DownloadOrganizationSettings = resource('DownloadOrganizationSettings', excluded);

export const DownloadPartSettings = resource('DownloadPartSettings', excluded);

export const DownloadServiceSettings = resource('DownloadServiceSettings', excluded);

export const DownloadContactSettings = resource('DownloadContactSettings', () => ({
  InvoicedAfter: nullable(moment()),
  Tags: described(text(), 'Comma-separated names; a contact must have all of them.'),
  WithEmails: flag(),
  WithoutEmails: flag(),
  NationalAccountsOnly: flag(),
  IncludeCustomFields: flag(),
  IncludeOrgCustomFields: flag(),
  ...geography(),
  ...excluded(),
}));

export const DownloadInvoiceLineSettings = resource('DownloadInvoiceLineSettings', () => ({
  ...invoiceStatuses(),
  ...excluded(),
}));

export const DownloadInvoiceSettings = resource('DownloadInvoiceSettings', () => ({
  ...invoiceStatuses(),
  IncludeLines: flag(),
  ...excluded(),
}));

export const DownloadProposalSettings = resource('DownloadProposalSettings', () => ({
  IncludeBundled: flag(),
  IncludeTags: flag(),
  IncludeLines: flag(),
  IncludeCustomFields: flag(),
  IncludeOrgCustomFields: flag(),
  ...geography(),
  IncludeSolutions: flag(),
  ...excluded(),
  AcceptedBefore: nullable(moment()),
  AcceptedAfter: nullable(moment()),
  Status: nullable(code(['Internal', 'Open', 'Accepted', 'Declined', 'Invoiced', 'Scheduled', 'Complete', 'Expired'])),
}));

export const DownloadRevenueForecastSettings = resource('DownloadRevenueForecastSettings', () => ({ Year: year() }));

/** The request of the startdownload operations. */
export const startDownloadFields = () => ({
  Kind: required(
    described(
      text(50),
      'appointments, contacts, deposits, invoices, invoicelines, proposals, services, parts, organizations, ' +
        'campaignbudgets, revenueforecasts, channelscampaigns or payments; the older prefix branding- is accepted.',
    ),
  ),
  CreatedFrom: moment(),
  CreatedThrough: through(),
  UpdatedFrom: moment(),
  UpdatedThrough: through(),
  DateFrom: described(moment(), 'Of the time of appointments, and the Date of invoices, proposals and payments.'),
  DateThrough: through(),
  CompletedBefore: described(moment(), 'Appointments only; inclusive, a date with its whole day.'),
  CompletedAfter: described(moment(), 'Appointments only; inclusive.'),
  OrganizationId: id(),
  RowId: described(id(), 'The first id, inclusive, of the column by which the rows are ordered.'),
  UserId: described(id(), 'A user of the account, on whose behalf the download is made; it must exist.'),
  Appointments: nested(DownloadAppointmentSettings),
  Contacts: nested(DownloadContactSettings),
  Deposits: nested(DownloadDepositSettings),
  Invoices: nested(DownloadInvoiceSettings),
  InvoiceLines: nested(DownloadInvoiceLineSettings),
  Proposals: nested(DownloadProposalSettings),
  Services: nested(DownloadServiceSettings),
  Parts: nested(DownloadPartSettings),
  Organizations: nested(DownloadOrganizationSettings),
  CampaignBudgets: nested(DownloadCampaignBudgetSettings),
  RevenueForecasts: nested(DownloadRevenueForecastSettings),
  ChannelsCampaigns: nested(DownloadChannelsCampaignsSettings),
});
export type StartDownloadInput = FieldsInput<ReturnType<typeof startDownloadFields>>;

export const downloadId = () => described(text(100), 'From startdownload.');

/** The response of the downloadstatus operations. */
export const downloadStatusFields = () => ({
  DownloadId: downloadId(),
  Records: described(int32(0), 'Rows so far; it never falls.'),
  Ready: described(flag(), 'Whether getdownload has the file.'),
});

/** The response of the getdownload operations. */
export const downloadLinkFields = () => ({
  DownloadId: downloadId(),
  Url: described(text(4096), 'The file, for 15 minutes; a program that reads it needs no key.'),
  Format: described(text(10), 'csv or jsonl.'),
  Records: described(int32(0), 'Rows, without the header.'),
  Bytes: described(double(), 'Of the file, uncompressed.'),
  Sha256: described(text(64), 'Of the file, uncompressed.'),
});

const format = {
  values: ['csv', 'jsonl'],
  about: 'The format of the file: CSV with a header, or an object of JSON a line.',
} as const;

/** Parameters of the query string of startdownload. */
export const startDownloadParameters = {
  format,
  bom: { values: ['0', '1'], about: '1: CSV begins with a byte order mark, by which Excel knows UTF-8.' },
} as const;

/** Parameters of the query string of getdownload. */
export const getDownloadParameters = {
  format,
  gzip: { values: ['0', '1'], about: '1: Url is the file with Content-Encoding: gzip, for a program that reads it.' },
} as const;
