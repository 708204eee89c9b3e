import { toUtc } from '../domain/moments-out.ts';
import { userOf, type UserRecord } from '../domain/users.ts';
import type { EntityKind } from './kinds.ts';

/** Changes of users. That of a second factor is one too: Changed names it, Data holds what operations answer. */
export const user: EntityKind = {
  kinds: { created: 'user.created', updated: 'user.updated', deleted: 'user.deleted' },
  resource: (image) => {
    const record = image as unknown as UserRecord;
    const { MobilePhone, MfaEnabled, MfaResetAt } = record;
    return { ...userOf(record), MobilePhone, MfaEnabled, MfaResetAt: MfaResetAt === null ? null : toUtc(MfaResetAt) };
  },
  shown: ({ MobilePhone: _, MfaEnabled: __, MfaResetAt: ___, ...shown }) => shown,
  contactId: () => null,
};
