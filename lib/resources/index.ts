import { Address, City, IdName } from './addresses.ts';
import { AddOnPart, AddOnPartReduced, AdditionalServiceAgent, AppointmentSlot, CancelReason } from './appointments.ts';
import { Blog } from './blogs.ts';
import { Campaign, CampaignActual, CampaignBudget, CampaignUpdate, Channel } from './channels.ts';
import {
  Contact,
  ContactDocument,
  ContactPicture,
  ContactUpload,
  Note,
  ProposalUpload,
  ServiceDocumentLink,
  Tag,
} from './contacts.ts';
import { CustomField, CustomFieldOption } from './custom-fields.ts';
import {
  DownloadAppointmentSettings,
  DownloadCampaignBudgetSettings,
  DownloadChannelsCampaignsSettings,
  DownloadContactSettings,
  DownloadDepositSettings,
  DownloadInvoiceLineSettings,
  DownloadInvoiceSettings,
  DownloadOrganizationSettings,
  DownloadPartSettings,
  DownloadProposalSettings,
  DownloadRevenueForecastSettings,
  DownloadServiceSettings,
} from './downloads.ts';
import { DataSubscriberEvent, EventPayload } from './events.ts';
import { Invoice, InvoiceLine, InvoiceLineReduced, Payment, PaymentReduced } from './invoices.ts';
import { BulkMfaResult, OrganizationDetails, ServiceAgent, TimeSlot, User } from './organizations.ts';
import {
  AssemblyItem,
  AssemblyItemAttached,
  Dimension,
  Part,
  PartDetailed,
  PartTemplate,
  SolutionPrice,
} from './parts.ts';
import {
  BrandingRevenueCategory,
  PartQtyPricing,
  PartQtyPricingDetailed,
  PricingBand,
  PricingBandDetailed,
} from './pricing.ts';
import {
  Proposal,
  ProposalLine,
  ProposalNote,
  ProposalOption,
  ProposalSummary,
  ProposalTemplate,
  ProposalTemplateLine,
} from './proposals.ts';
import type { Resource } from './resource.ts';
import { Service, ServiceDetailed } from './services.ts';
import { AccountingClassPostalCodes, Forecast, NamedTaxRate, OrganizationForecast } from './settings.ts';
import {
  ProposalDateLine,
  ProposalDateLineDetailed,
  SubscriptionDate,
  SubscriptionDateDetailed,
} from './subscriptions.ts';
import { Task } from './tasks.ts';

/**
 * All the resources, for the document and the tests; an operation imports those that it uses, so that its bundle holds
 * no others.
 */
export const resources: readonly Resource[] = [
  AccountingClassPostalCodes,
  Address,
  CancelReason,
  AddOnPart,
  AddOnPartReduced,
  AdditionalServiceAgent,
  AppointmentSlot,
  AssemblyItem,
  AssemblyItemAttached,
  Blog,
  CampaignBudget,
  CampaignActual,
  Campaign,
  Channel,
  CampaignUpdate,
  City,
  ContactDocument,
  ContactPicture,
  ServiceDocumentLink,
  Contact,
  CustomFieldOption,
  CustomField,
  DownloadAppointmentSettings,
  DownloadCampaignBudgetSettings,
  DownloadChannelsCampaignsSettings,
  DownloadDepositSettings,
  DownloadOrganizationSettings,
  DownloadPartSettings,
  DownloadServiceSettings,
  DownloadContactSettings,
  DownloadInvoiceLineSettings,
  DownloadInvoiceSettings,
  DownloadProposalSettings,
  DownloadRevenueForecastSettings,
  EventPayload,
  DataSubscriberEvent,
  Forecast,
  OrganizationForecast,
  InvoiceLine,
  InvoiceLineReduced,
  Invoice,
  IdName,
  Note,
  Tag,
  OrganizationDetails,
  SolutionPrice,
  PartDetailed,
  Dimension,
  PartTemplate,
  Part,
  Payment,
  PaymentReduced,
  PricingBand,
  PricingBandDetailed,
  PartQtyPricing,
  PartQtyPricingDetailed,
  ProposalOption,
  ProposalLine,
  ProposalTemplateLine,
  ProposalTemplate,
  ProposalNote,
  ProposalSummary,
  Proposal,
  BrandingRevenueCategory,
  TimeSlot,
  ServiceAgent,
  ServiceDetailed,
  Service,
  ProposalDateLine,
  ProposalDateLineDetailed,
  SubscriptionDate,
  SubscriptionDateDetailed,
  Task,
  NamedTaxRate,
  ContactUpload,
  ProposalUpload,
  User,
  BulkMfaResult,
];
