import { code, datetime, described, flag, nullable, text, year } from './fields.ts';
import { resource } from './resource.ts';

// Only the settings of the download's Kind apply; typed clients send the others empty (interface, section 11).

const excluded = () => ({ IncludeExcludedOrgs: described(flag(), 'Includes suspended organizations.') });
const geography = () => ({ IncludeGeoZones: flag(), IncludeGeoShapes: flag() });
const invoiceStatuses = () => ({ Open: flag(), Paid: flag(), Voided: flag(), Unapproved: flag() });

export const DownloadAppointmentSettings = resource('DownloadAppointmentSettings', () => ({
  ScheduledFrom: nullable(datetime()),
  ScheduledThrough: nullable(datetime()),
  CompletedFrom: nullable(datetime()),
  CompletedThrough: nullable(datetime()),
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
  InvoicedAfter: nullable(datetime()),
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
  AcceptedBefore: nullable(datetime()),
  AcceptedAfter: nullable(datetime()),
  Status: nullable(code(['Internal', 'Open', 'Accepted', 'Declined', 'Invoiced', 'Scheduled', 'Complete', 'Expired'])),
}));

export const DownloadRevenueForecastSettings = resource('DownloadRevenueForecastSettings', () => ({ Year: year() }));
