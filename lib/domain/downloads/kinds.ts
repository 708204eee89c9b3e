import { appointments } from './appointments.ts';
import { contacts } from './contacts.ts';
import { deposits, invoiceLines, invoices, payments } from './invoices.ts';
import { type DownloadKind, type KindDefinition } from './kind.ts';
import { campaignBudgets, channelsCampaigns, organizations, parts, revenueForecasts, services } from './lists.ts';
import { proposals } from './proposals.ts';

export const kinds: Readonly<Record<DownloadKind, KindDefinition>> = {
  appointments,
  contacts,
  deposits,
  invoices,
  invoicelines: invoiceLines,
  proposals,
  services,
  parts,
  organizations,
  campaignbudgets: campaignBudgets,
  revenueforecasts: revenueForecasts,
  channelscampaigns: channelsCampaigns,
  payments,
};
