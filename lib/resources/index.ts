import { AccountingClassPostalCodes } from './accounting-classes.ts';
import { Address } from './addresses.ts';
import { CancelReason, AddOnPart, AddOnPartReduced, AdditionalServiceAgent, AppointmentSlot } from './appointments.ts';
import { AssemblyItem, AssemblyItemAttached } from './assemblies.ts';
import { Blog } from './blogs.ts';
import { CampaignBudget, CampaignActual, Campaign, Channel, CampaignUpdate } from './channels.ts';
import { City } from './cities.ts';
import { ContactDocument, ContactPicture, ServiceDocumentLink, Contact } from './contacts.ts';
import { CustomFieldOption, CustomField } from './custom-fields.ts';
import { Dimension } from './dimensions.ts';
import {
  DownloadAppointmentSettings, DownloadCampaignBudgetSettings, DownloadChannelsCampaignsSettings,
  DownloadDepositSettings, DownloadOrganizationSettings, DownloadPartSettings, DownloadServiceSettings,
  DownloadContactSettings, DownloadInvoiceLineSettings, DownloadInvoiceSettings, DownloadProposalSettings,
  DownloadRevenueForecastSettings,
} from './downloads.ts';
import { EventPayload, DataSubscriberEvent } from './events.ts';
import { Forecast, OrganizationForecast } from './forecasts.ts';
import { InvoiceLine, InvoiceLineReduced, Invoice } from './invoices.ts';
import { IdName } from './names.ts';
import { Note, Tag } from './notes.ts';
import { OrganizationDetails } from './organizations.ts';
import { SolutionPrice, PartDetailed } from './part-details.ts';
import { PartTemplate, Part } from './parts.ts';
import { Payment, PaymentReduced } from './payments.ts';
import { PricingBand, PricingBandDetailed, PartQtyPricing, PartQtyPricingDetailed } from './pricing.ts';
import { ProposalOption, ProposalLine } from './proposal-lines.ts';
import { ProposalTemplateLine, ProposalTemplate } from './proposal-templates.ts';
import { ProposalNote, ProposalSummary, Proposal } from './proposals.ts';
import { BrandingRevenueCategory } from './revenue-categories.ts';
import { TimeSlot, ServiceAgent } from './service-agents.ts';
import { ServiceDetailed } from './service-details.ts';
import { Service } from './services.ts';
import {
  ProposalDateLine, ProposalDateLineDetailed, SubscriptionDate, SubscriptionDateDetailed,
} from './subscriptions.ts';
import { Task } from './tasks.ts';
import { NamedTaxRate } from './taxes.ts';
import { ContactUpload, ProposalUpload } from './uploads.ts';
import { User, BulkMfaResult } from './users.ts';
import type { Resource } from './resource.ts';

/**
 * All the resources, for the document and the tests; an operation imports those that it uses, so that its bundle holds
 * no others.
 */
export const resources: readonly Resource[] = [
  AccountingClassPostalCodes,
  Address,
  CancelReason, AddOnPart, AddOnPartReduced, AdditionalServiceAgent, AppointmentSlot,
  AssemblyItem, AssemblyItemAttached,
  Blog,
  CampaignBudget, CampaignActual, Campaign, Channel, CampaignUpdate,
  City,
  ContactDocument, ContactPicture, ServiceDocumentLink, Contact,
  CustomFieldOption, CustomField,
  DownloadAppointmentSettings, DownloadCampaignBudgetSettings, DownloadChannelsCampaignsSettings,
  DownloadDepositSettings, DownloadOrganizationSettings, DownloadPartSettings, DownloadServiceSettings,
  DownloadContactSettings, DownloadInvoiceLineSettings, DownloadInvoiceSettings, DownloadProposalSettings,
  DownloadRevenueForecastSettings,
  EventPayload, DataSubscriberEvent,
  Forecast, OrganizationForecast,
  InvoiceLine, InvoiceLineReduced, Invoice,
  IdName,
  Note, Tag,
  OrganizationDetails,
  SolutionPrice, PartDetailed,
  Dimension,
  PartTemplate, Part,
  Payment, PaymentReduced,
  PricingBand, PricingBandDetailed, PartQtyPricing, PartQtyPricingDetailed,
  ProposalOption, ProposalLine,
  ProposalTemplateLine, ProposalTemplate,
  ProposalNote, ProposalSummary, Proposal,
  BrandingRevenueCategory,
  TimeSlot, ServiceAgent,
  ServiceDetailed,
  Service,
  ProposalDateLine, ProposalDateLineDetailed, SubscriptionDate, SubscriptionDateDetailed,
  Task,
  NamedTaxRate,
  ContactUpload, ProposalUpload,
  User, BulkMfaResult,
];
