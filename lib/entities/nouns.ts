import type { Stored } from './declaration/read.ts';
import { keyEntryEntity } from './api-keys.ts';
import { appointmentEntity } from './appointments.ts';
import { callEntity } from './calls.ts';
import { contactEntity } from './contacts.ts';
import type { Entity } from './declaration/entity.ts';
import { invoiceEntity } from './invoices.ts';
import { messageEntity } from './messages.ts';
import { organizationEntity } from './organizations.ts';
import { partEntity } from './parts.ts';
import { paymentEntity } from './payments.ts';
import { proposalEntity } from './proposals.ts';
import { serviceAgentEntity } from './service-agents.ts';
import { serviceEntity } from './services.ts';
import { taskEntity } from './tasks.ts';
import { uploadEntity } from './uploads.ts';
import { userEntity } from './users.ts';

/** The business nouns, by the name of their items: their changes are events. */
export const nouns = {
  Contact: contactEntity,
  Call: callEntity,
  Task: taskEntity,
  Upload: uploadEntity,
  Appointment: appointmentEntity,
  Proposal: proposalEntity,
  Invoice: invoiceEntity,
  Payment: paymentEntity,
  Message: messageEntity,
  Organization: organizationEntity,
  ServiceAgent: serviceAgentEntity,
  User: userEntity,
  Service: serviceEntity,
  Part: partEntity,
  Key: keyEntryEntity,
} as const;

/** The nouns about people: their texts may mention other persons. */
export const personalNouns = [
  'Contact',
  'Call',
  'Task',
  'Appointment',
  'Proposal',
  'Invoice',
  'Payment',
  'Upload',
] as const satisfies readonly (keyof typeof nouns)[];
export type PersonalNoun = (typeof personalNouns)[number];

/** A noun with any fields. */
interface AnyNoun extends Pick<Entity, 'name' | 'fields'> {
  read(stored: Stored): Stored;
  readDeclared(stored: Stored): Stored;
}

/** The noun of an item, if it is one. */
export const nounOf = (name: string): AnyNoun | undefined => (nouns as Readonly<Record<string, AnyNoun>>)[name];

export const nounNames: ReadonlySet<string> = new Set(Object.keys(nouns));
