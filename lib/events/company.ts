import { nouns } from '../entities/nouns.ts';
import type { KeyEntry } from '../entities/api-keys.ts';
import type { UserRecord } from '../entities/users.ts';
import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { ServiceRecord } from '../entities/services.ts';
import type { PartRecord } from '../entities/parts.ts';
import type { OrganizationRecord } from '../entities/organizations.ts';
import { organizationToDetails } from '../domain/organizations.ts';
import { partToDetailedResource } from '../domain/pricebook/part-to-resource.ts';
import { distributionToResource } from '../domain/pricebook/calendar-dates.ts';
import { serviceToDetailedResource } from '../domain/pricebook/service-to-resource.ts';
import { serviceAgentToResource } from '../domain/service-agents.ts';
import { userToResource } from '../domain/users.ts';
import { withoutSecrets } from '../entities/declaration/marks.ts';
import { omit } from '../shared/objects.ts';
import type { EntityKind } from './entity-kind.ts';

/** The users of an organization have events of their own and are not in Data. */
export const organization: EntityKind<OrganizationRecord> = {
  noun: 'organization',
  resource(record, { lists }) {
    const {
      Users: _,
      AccountManager: __,
      ...details
    } = organizationToDetails(record, { users: new Map(), customFields: lists.customFields });
    return { ...details, ...nouns.Organization.eventFields(record) };
  },
  // Every subscriber reads Data; secrets are only for Owner and Admin, who call organizations/details.
  data: (data) => ({ ...data, ...withoutSecrets(nouns.Organization.fields) }),
  contactId: () => null,
};

/** Data is the detailed variant, without parts by default, plus the fields that only the base variant has. */
export const service: EntityKind<ServiceRecord> = {
  noun: 'service',
  resource(record, { revenueCategories }) {
    return { ...serviceToDetailedResource(record, [], { revenueCategories }), ...nouns.Service.eventFields(record) };
  },
  // A change of band fields that only services/all shows is an event too; Data has the bands of services/details.
  data: (resource, { PricingBands }) => ({
    ...resource,
    PricingBands: PricingBands.map((band) => omit(band, 'IsOverageBand')),
  }),
  contactId: () => null,
};

/** Data is the detailed variant plus the fields that only the base variant has. */
export const part: EntityKind<PartRecord> = {
  noun: 'part',
  resource(record) {
    return { ...partToDetailedResource(record), ...nouns.Part.eventFields(record), ...distributionToResource(record) };
  },
  contactId: () => null,
};

export const serviceAgent: EntityKind<ServiceAgentRecord> = {
  noun: 'serviceagent',
  resource: (record) => serviceAgentToResource(record),
  contactId: () => null,
};

/** An API key as the operator's tool prints it, never with its secret or anything derived from it. */
export const key: EntityKind<KeyEntry> = {
  noun: 'key',
  resource: (record) => ({ ...nouns.Key.toResource(record), ReplacedBy: record.ReplacedBy ?? null }),
  contactId: () => null,
};

/** A change of a second factor is an event too: Changed names it, but Data has only what operations return. */
export const user: EntityKind<UserRecord> = {
  noun: 'user',
  resource: (record) => ({ ...userToResource(record), ...nouns.User.eventFields(record) }),
  data: (_, record) => userToResource(record),
  contactId: () => null,
};
