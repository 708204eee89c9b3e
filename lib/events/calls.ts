import type { CallRecord } from '../domain/calls.ts';
import type { EntityKind } from './kinds.ts';

type StoredCall = CallRecord & {
  readonly Id: number;
  readonly V: number;
  readonly OrganizationId: number;
  readonly Created: number;
};

/** Call records, with or without a contact. No operation answers one, so that this is where its form is decided. */
export const call: EntityKind = {
  kinds: { created: 'call.logged', updated: 'call.updated', deleted: 'call.deleted' },
  resource: (image) => {
    const { V: _, Created, ...fields } = image as unknown as StoredCall;
    return { ...fields, CreatedAt: new Date(Created).toISOString() };
  },
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
};
