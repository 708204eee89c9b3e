import type { DownloadKind, KindDefinition } from './kind.ts';

/** A download is of one kind: the others, with their records and resources, are not loaded for it. */
const kinds: Readonly<Record<DownloadKind, () => Promise<KindDefinition>>> = {
  appointments: async () => (await import('./appointments.ts')).appointments,
  contacts: async () => (await import('./contacts.ts')).contacts,
  deposits: async () => (await import('./invoices.ts')).deposits,
  invoices: async () => (await import('./invoices.ts')).invoices,
  invoicelines: async () => (await import('./invoices.ts')).invoiceLines,
  proposals: async () => (await import('./proposals.ts')).proposals,
  services: async () => (await import('./price-book.ts')).services,
  parts: async () => (await import('./price-book.ts')).parts,
  organizations: async () => (await import('./organizations.ts')).organizations,
  campaignbudgets: async () => (await import('./channels.ts')).campaignBudgets,
  revenueforecasts: async () => (await import('./organizations.ts')).revenueForecasts,
  channelscampaigns: async () => (await import('./channels.ts')).channelsCampaigns,
  payments: async () => (await import('./invoices.ts')).payments,
};

export const loadKind = (kind: DownloadKind): Promise<KindDefinition> => kinds[kind]();
