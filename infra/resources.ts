import * as apiKeys from '../lib/entities/api-keys.ts';
import * as appointments from '../lib/entities/appointments.ts';
import * as bands from '../lib/entities/bands.ts';
import * as blogs from '../lib/entities/blogs.ts';
import * as calls from '../lib/entities/calls.ts';
import * as contactEntries from '../lib/entities/contact-entries.ts';
import * as contactParts from '../lib/entities/contact-parts.ts';
import * as contacts from '../lib/entities/contacts.ts';
import * as figures from '../lib/entities/figures.ts';
import * as invoices from '../lib/entities/invoices.ts';
import * as messages from '../lib/entities/messages.ts';
import * as organizations from '../lib/entities/organizations.ts';
import * as parts from '../lib/entities/parts.ts';
import * as payments from '../lib/entities/payments.ts';
import * as postalCodes from '../lib/entities/postal-codes.ts';
import * as priceBook from '../lib/entities/price-book.ts';
import * as proposalParts from '../lib/entities/proposal-parts.ts';
import * as proposals from '../lib/entities/proposals.ts';
import * as serviceAgents from '../lib/entities/service-agents.ts';
import * as services from '../lib/entities/services.ts';
import * as tasks from '../lib/entities/tasks.ts';
import * as taxRates from '../lib/entities/tax-rates.ts';
import * as uploads from '../lib/entities/uploads.ts';
import * as users from '../lib/entities/users.ts';
import * as eventData from '../lib/events/event-data.ts';
import * as addresses from '../lib/resources/addresses.ts';
import * as appointmentForms from '../lib/resources/appointments.ts';
import * as channels from '../lib/resources/channels.ts';
import * as contactForms from '../lib/resources/contacts.ts';
import * as customFields from '../lib/resources/custom-fields.ts';
import * as dayPlans from '../lib/resources/day-plans.ts';
import * as downloads from '../lib/resources/downloads.ts';
import * as duplicates from '../lib/resources/duplicates.ts';
import * as events from '../lib/resources/events.ts';
import type { Resource } from '../lib/resources/fields.ts';
import * as messageForms from '../lib/resources/messages.ts';
import * as organizationLists from '../lib/resources/organization-lists.ts';
import * as organizationModule from '../lib/resources/organizations.ts';
import * as subscriptions from '../lib/resources/subscriptions.ts';
import * as webhooks from '../lib/resources/webhooks.ts';

/** A request form, not a resource of the contract. */
const { OrganizationForm: _, ...organizationForms } = organizationModule;

const nouns: readonly object[] = [
  apiKeys,
  appointments,
  bands,
  blogs,
  calls,
  contactEntries,
  contactParts,
  contacts,
  figures,
  invoices,
  messages,
  organizations,
  parts,
  payments,
  postalCodes,
  priceBook,
  proposalParts,
  proposals,
  serviceAgents,
  services,
  tasks,
  taxRates,
  uploads,
  users,
];

const others: readonly object[] = [
  addresses,
  appointmentForms,
  channels,
  contactForms,
  customFields,
  dayPlans,
  downloads,
  duplicates,
  events,
  messageForms,
  organizationForms,
  organizationLists,
  subscriptions,
  webhooks,
];

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'title' in value && 'shape' in value;

/** Resources whose type depends on the value of a field, for the document. */
export const variants = [eventData.eventVariants];

/** All resources, for the document and the tests. Operations import only what they use, to keep their bundles small. */
export const resources: readonly Resource[] = [...nouns, ...others]
  .flatMap((module) => Object.values(module))
  .filter(isResource);
