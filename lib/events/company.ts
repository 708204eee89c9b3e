import { type OrganizationRecord, organizationToDetails } from '../domain/organizations.ts';
import { partToDetailedResource } from '../domain/pricebook/part-to-resource.ts';
import { distributionToResource } from '../domain/pricebook/calendar-dates.ts';
import type { PartRecord, ServiceRecord } from '../domain/pricebook/record.ts';
import { serviceToDetailedResource } from '../domain/pricebook/service-to-resource.ts';
import { type ServiceAgentRecord, serviceAgentToResource } from '../domain/service-agents.ts';
import { type UserRecord, userToResource } from '../domain/users.ts';
import { toUtc } from '../shared/time/format-moments.ts';
import { pick } from '../shared/objects.ts';
import { type EntityKind, kindsOf } from './entity-kind.ts';

/** The users of an organization have their own events and are not in Data. */
export const organization: EntityKind = {
  kinds: kindsOf('organization'),
  resource(image, { lists }) {
    const record = image as unknown as OrganizationRecord;
    const {
      Users: _,
      AccountManager: __,
      ...details
    } = organizationToDetails(record, { users: new Map(), customFields: lists.customFields });
    return {
      ...details,
      OpenSince: record.OpenSince === null ? null : toUtc(record.OpenSince),
      SlotSearchWindowDays: record.SlotSearchWindowDays,
    };
  },
  // Every subscriber reads Data; the TaxpayerID is for Owner and Admin, who call organizations/details.
  data: ({ TaxpayerID: _, ...data }) => ({ ...data, TaxpayerID: '' }),
  contactId: () => null,
  updated(before, after) {
    if (before['CancelDate'] === null && after['CancelDate'] !== null) return 'organization.canceled';
    if (before['Suspended'] === after['Suspended']) return undefined;
    return after['Suspended'] ? 'organization.suspended' : 'organization.reopened';
  },
};

/**
 * Data is the detailed variant and what only the base variant has. Parts have their own events and are not in Data; the
 * revenue category is its id.
 */
export const service: EntityKind = {
  kinds: kindsOf('service'),
  resource(image) {
    const record = image as unknown as ServiceRecord;
    const {
      AllAvailableParts: _,
      BrandingRevenueCategory: __,
      ...detailed
    } = serviceToDetailedResource(record, [], { revenueCategories: new Map() });
    return {
      ...detailed,
      ...pick(
        record,
        'PricingBands',
        'Category',
        'SelfSelect',
        'RecurringDescription',
        'RecordWeatherData',
        'CustomProperties',
        'BrandingRevenueCategoryId',
      ),
    };
  },
  contactId: () => null,
};

/** Data is the detailed variant and what only the base variant has. */
export const part: EntityKind = {
  kinds: kindsOf('part'),
  resource(image) {
    const record = image as unknown as PartRecord;
    return {
      ...partToDetailedResource(record),
      ...pick(record, 'RangePricing', 'SelfSelect', 'StoreItemId'),
      ...distributionToResource(record),
    };
  },
  contactId: () => null,
};

export const serviceAgent: EntityKind = {
  kinds: kindsOf('serviceagent'),
  resource: (image) => ({ ...serviceAgentToResource(image as unknown as ServiceAgentRecord) }),
  contactId: () => null,
};

const optionalUtc = (at: unknown): string | null => (typeof at === 'number' ? toUtc(at) : null);

/** An API key as the operator's tool prints it; never its secret or what is derived from it. */
export const key: EntityKind = {
  kinds: kindsOf('key'),
  resource: (image) => ({
    ...pick(image, 'Id', 'Public', 'Name', 'Role', 'OrganizationId', 'Rate', 'Burst', 'Subscriber', 'DateStyle'),
    ReplacedBy: image['ReplacedBy'] ?? null,
    CreatedAt: optionalUtc(image['CreatedAt']),
    ExpiresAt: optionalUtc(image['ExpiresAt']),
    RevokedAt: optionalUtc(image['RevokedAt']),
  }),
  contactId: () => null,
  updated(before, after) {
    if (before['RevokedAt'] === null && after['RevokedAt'] !== null) return 'key.revoked';
    return before['ReplacedBy'] === undefined && after['ReplacedBy'] !== undefined ? 'key.rotated' : undefined;
  },
};

/** A change of a second factor is an event too: Changed names it, Data has only what operations return. */
export const user: EntityKind = {
  kinds: kindsOf('user'),
  resource(image) {
    const record = image as unknown as UserRecord;
    const { MobilePhone, MfaEnabled, MfaResetAt } = record;
    return {
      ...userToResource(record),
      MobilePhone,
      MfaEnabled,
      MfaResetAt: MfaResetAt === null ? null : toUtc(MfaResetAt),
    };
  },
  data: ({ MobilePhone: _, MfaEnabled: __, MfaResetAt: ___, ...data }) => data,
  contactId: () => null,
};
