import { datetime, described, flag, int32, nullable, text, year } from './fields.ts';
import { type Output, resource } from './resource.ts';

// Of the settings of startdownload only those of its Kind apply; typed clients send all the others, empty (interface,
// section 11).

const excluded = () => ({ IncludeExcludedOrgs: described(flag(), 'Also organizations that are suspended.') });
const geography = () => ({ IncludeGeoZones: flag(), IncludeGeoShapes: flag() });
const invoiceStatuses = () => ({ Open: flag(), Paid: flag(), Voided: flag(), Unapproved: flag() });

/** Which appointments are downloaded, and with what. */
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
export type DownloadAppointmentSettings = Output<typeof DownloadAppointmentSettings>;

/** Which campaign budgets are downloaded. */
export const DownloadCampaignBudgetSettings = resource('DownloadCampaignBudgetSettings', () => ({ Year: year() }));
export type DownloadCampaignBudgetSettings = Output<typeof DownloadCampaignBudgetSettings>;

/** Whose channels and campaigns are downloaded. */
export const DownloadChannelsCampaignsSettings = resource('DownloadChannelsCampaignsSettings', excluded);
export type DownloadChannelsCampaignsSettings = Output<typeof DownloadChannelsCampaignsSettings>;

/** Whose deposits are downloaded. */
export const DownloadDepositSettings = resource('DownloadDepositSettings', excluded);
export type DownloadDepositSettings = Output<typeof DownloadDepositSettings>;

/** Which organizations are downloaded. */
export const DownloadOrganizationSettings = resource('DownloadOrganizationSettings', excluded);
export type DownloadOrganizationSettings = Output<typeof DownloadOrganizationSettings>;

/** Whose parts are downloaded. */
export const DownloadPartSettings = resource('DownloadPartSettings', excluded);
export type DownloadPartSettings = Output<typeof DownloadPartSettings>;

/** Whose services are downloaded. */
export const DownloadServiceSettings = resource('DownloadServiceSettings', excluded);
export type DownloadServiceSettings = Output<typeof DownloadServiceSettings>;

/** Which contacts are downloaded, and with what. */
export const DownloadContactSettings = resource('DownloadContactSettings', () => ({
  InvoicedAfter: nullable(datetime()),
  Tags: described(text(), 'Comma-separated names; a contact has all of them.'),
  WithEmails: flag(),
  WithoutEmails: flag(),
  NationalAccountsOnly: flag(),
  IncludeCustomFields: flag(),
  IncludeOrgCustomFields: flag(),
  ...geography(),
  ...excluded(),
}));
export type DownloadContactSettings = Output<typeof DownloadContactSettings>;

/** Of which invoices the lines are downloaded. */
export const DownloadInvoiceLineSettings = resource('DownloadInvoiceLineSettings', () => ({
  ...invoiceStatuses(),
  ...excluded(),
}));
export type DownloadInvoiceLineSettings = Output<typeof DownloadInvoiceLineSettings>;

/** Which invoices are downloaded, and with what. */
export const DownloadInvoiceSettings = resource('DownloadInvoiceSettings', () => ({
  ...invoiceStatuses(),
  IncludeLines: flag(),
  ...excluded(),
}));
export type DownloadInvoiceSettings = Output<typeof DownloadInvoiceSettings>;

/** Which proposals are downloaded, and with what. */
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
  Status: nullable(
    described(
      int32(0, 7),
      '0 Internal, 1 Open, 2 Accepted, 3 Declined, 4 Invoiced, 5 Scheduled, 6 Complete, 7 Expired.',
    ),
  ),
}));
export type DownloadProposalSettings = Output<typeof DownloadProposalSettings>;

/** Of which year the revenue forecasts are downloaded. */
export const DownloadRevenueForecastSettings = resource('DownloadRevenueForecastSettings', () => ({ Year: year() }));
export type DownloadRevenueForecastSettings = Output<typeof DownloadRevenueForecastSettings>;
