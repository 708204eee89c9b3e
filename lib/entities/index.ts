import { keyEntryEntity } from './api-keys.ts';
import { appointmentEntity } from './appointments.ts';
import { callEntity } from './calls.ts';
import { contactEntity } from './contacts.ts';
import type { Entity, Stored } from './entity.ts';
import { invoiceEntity } from './invoices.ts';
import { organizationEntity } from './organizations.ts';
import { partEntity } from './parts.ts';
import { paymentEntity } from './payments.ts';
import { proposalEntity } from './proposals.ts';
import { serviceAgentEntity } from './service-agents.ts';
import { serviceEntity } from './services.ts';
import { taskEntity } from './tasks.ts';
import { uploadEntity } from './uploads.ts';
import { userEntity } from './users.ts';

/** An entity, whatever its fields are. */
interface AnyEntity extends Pick<Entity, 'name' | 'fields'> {
  read(stored: Stored): Stored;
  readImage(...image: Parameters<Entity['readImage']>): Stored;
}

/** The records whose changes are events, by the noun of their items. */
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
