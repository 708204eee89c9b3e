import type { ContactFault, ContactInput } from './merge.ts';
import type { ContactRecord } from './record.ts';

/** Contacts that a request's contact names, as far as they exist for the caller. */
export interface LinkedContacts {
  readonly ids: ReadonlySet<number>;
  /** Hash → id. */
  readonly hashes: ReadonlyMap<string, number>;
}

/**
 * What is wrong with the contacts that a request names as referring or managing this one. What stands there already may
 * be sent back, also by a caller who may not see it.
 */
export function linkFaults(contact: ContactRecord, given: ContactInput, linked: LinkedContacts): ContactFault[] {
  const fault = (field: keyof ContactInput, id: number | undefined, what: string): ContactFault[] => {
    if (id === undefined) return [{ field, message: `must be the ${what} of a contact there is` }];
    return id === contact.Id ? [{ field, message: 'must be another contact' }] : [];
  };
  const byId = (['ReferredByContactId', 'ManagedByContactId'] as const).flatMap((field) => {
    const id = given[field];
    return !id || id === contact[field] ? [] : fault(field, linked.ids.has(id) ? id : undefined, 'id');
  });
  const hash = given.ReferredByHash?.trim();
  if (!hash || hash === contact.ReferredByHash) return byId;
  const referrer = linked.hashes.get(hash);
  const other = referrer !== undefined && given.ReferredByContactId && given.ReferredByContactId !== referrer;
  return [
    ...byId,
    ...(other
      ? [{ field: 'ReferredByHash', message: `is not that of contact ${given.ReferredByContactId}` }]
      : fault('ReferredByHash', referrer, 'Hash')),
  ];
}
