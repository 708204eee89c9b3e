import { toUtc } from '../domain/moments-out.ts';
import type { OrganizationRecord } from '../domain/organizations.ts';
import { detailsOf } from '../domain/organizations/resource.ts';
import type { EntityKind } from './kinds.ts';

/** Changes of organizations. Their people have events of their own and are left out of Data. */
export const organization: EntityKind = {
  kinds: { created: 'organization.created', updated: 'organization.updated', deleted: 'organization.deleted' },
  resource: (image, { lists }) => {
    const record = image as unknown as OrganizationRecord;
    const {
      Users: _,
      AccountManager: __,
      ...details
    } = detailsOf(record, { users: new Map(), customFields: lists.customFields });
    return {
      ...details,
      OpenSince: record.OpenSince === null ? null : toUtc(record.OpenSince),
      SlotSearchWindowDays: record.SlotSearchWindowDays,
    };
  },
  contactId: () => null,
  updated: ({ before, after }) =>
    before?.['CancelDate'] === null && after?.['CancelDate'] !== null ? 'organization.canceled' : undefined,
};
