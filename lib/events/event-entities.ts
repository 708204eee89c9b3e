import { keyEntryEntity } from '../entities/api-keys.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import { callEntity } from '../entities/calls.ts';
import { contactEntity } from '../entities/contacts.ts';
import type { Entity, Stored } from '../entities/declaration/entity.ts';
import { invoiceEntity } from '../entities/invoices.ts';
import { organizationEntity } from '../entities/organizations.ts';
import { partEntity } from '../entities/parts.ts';
import { paymentEntity } from '../entities/payments.ts';
import { proposalEntity } from '../entities/proposals.ts';
import { serviceAgentEntity } from '../entities/service-agents.ts';
import { serviceEntity } from '../entities/services.ts';
import { taskEntity } from '../entities/tasks.ts';
import { uploadEntity } from '../entities/uploads.ts';
import { userEntity } from '../entities/users.ts';

/** An entity, regardless of its fields. */
interface AnyEntity extends Pick<Entity, 'name' | 'fields'> {
  read(stored: Stored): Stored;
  readDeclared(stored: Stored): Stored;
}

/** The records whose changes are events, by the noun in their items. */
export const eventEntities: ReadonlyMap<string, AnyEntity> = new Map(
  [
    contactEntity,
    callEntity,
    taskEntity,
    uploadEntity,
    appointmentEntity,
    proposalEntity,
    invoiceEntity,
    paymentEntity,
    organizationEntity,
    serviceAgentEntity,
    userEntity,
    serviceEntity,
    partEntity,
    keyEntryEntity,
  ].map((entity): [string, AnyEntity] => [entity.name, entity]),
);
