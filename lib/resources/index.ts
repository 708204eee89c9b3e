import * as addresses from './addresses.ts';
import * as appointments from './appointments.ts';
import * as blogs from './blogs.ts';
import * as channels from './channels.ts';
import * as contacts from './contacts.ts';
import * as customFields from './custom-fields.ts';
import * as downloads from './downloads.ts';
import * as duplicates from './duplicates.ts';
import * as events from './events.ts';
import * as eventData from './event-data.ts';
import * as invoices from './invoices.ts';
import * as organizationLists from './organization-lists.ts';
import * as organizationModule from './organizations.ts';
import * as parts from './parts.ts';
import * as pricing from './pricing.ts';
import * as proposals from './proposals.ts';
import type { Resource } from './fields.ts';
import * as services from './services.ts';
import * as settings from './settings.ts';
import * as subscriptions from './subscriptions.ts';
import * as tasks from './tasks.ts';
import * as webhooks from './webhooks.ts';

/** A request form, and not a resource of the contract. */
const { OrganizationForm: _, ...organizations } = organizationModule;

const modules: readonly object[] = [
  addresses,
  appointments,
  blogs,
  channels,
  contacts,
  customFields,
  downloads,
  duplicates,
  events,
  eventData,
  invoices,
  organizationLists,
  organizations,
  parts,
  pricing,
  proposals,
  services,
  settings,
  subscriptions,
  tasks,
  webhooks,
];

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'title' in value && 'shape' in value;

/** Resources that are one of several by the value of a field, for the document. */
export const variants = [eventData.eventVariants];

/** All resources, for the document and the tests. An operation imports only those it uses, to keep its bundle small. */
export const resources: readonly Resource[] = modules.flatMap((module) => Object.values(module)).filter(isResource);
