import { appointments } from './appointments.ts';
import { campaignBudgets, channelsCampaigns } from './channels.ts';
import { contacts } from './contacts.ts';
import { deposits, invoiceLines, invoices, payments } from './invoices.ts';
import type { DownloadKind, KindDefinition } from './kind.ts';
import { organizations, revenueForecasts } from './organizations.ts';
import { parts, services } from './price-book.ts';
import { proposals } from './proposals.ts';

/** The contents of a download of each kind. */
export const downloadKinds: Readonly<Record<DownloadKind, KindDefinition>> = {
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
