import type { ContactRecord } from '../../entities/contacts.ts';
import {
  applyContactInput,
  changedFields,
  findContradictions,
  referenceErrors,
} from '../../domain/contacts/apply-input.ts';
import { findDuplicates } from '../../domain/contacts/duplicates.ts';
import { TAGS_FULL, contactSizeErrors, hasIdentifyingInfo, tagNameKey } from '../../domain/contacts/record.ts';
import { ownerError } from '../../domain/users.ts';
import { type FieldError, type IndexedError, collectErrors } from '../../shared/field-errors.ts';
import { callerOrganization, findOnlyOrganization } from '../../store/accounts/accounts.ts';
import {
  type ContactWrite,
  MAX_CHANGES,
  contactChanges,
  findGuard,
  newGuardRanges,
} from '../../store/contacts/contacts.ts';
import { type Change, partChanges } from '../../store/dynamodb/changes.ts';
import { prefetchIds } from '../../store/dynamodb/ids.ts';
import { tagChanges } from '../../store/contacts/tags.ts';
import {
  type ContactUpsert,
  type PlanContext,
  type UpsertContext,
  type Lookup,
  lookUp,
  tagNames,
} from './match-contacts.ts';
import { newContact, resolveOrganization } from './place-contact.ts';
import { type TagsByName, applyListedFields } from './apply-contact.ts';

export interface UpsertedContacts {
  readonly records: readonly ContactRecord[];
  readonly changes: readonly Change[];
  /** Why new leads belong to their organizations, a sentence each. */
  readonly reasons: readonly string[];
}

/** What becomes of the contacts; `index` is that of a contact among them. */
export type UpsertPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly IndexedError[] }
  | { readonly kind: 'ambiguous'; readonly index: number; readonly candidates: readonly ContactRecord[] }
  | { readonly kind: 'missing'; readonly index: number }
  | ({ readonly kind: 'ready' } & UpsertedContacts);

/**
 * The rules of contacts/addupdate for callers with errors of their own: web leads and imports. The changes are for one
 * transaction; a contact that does not change has none.
 */
export async function planUpserts(upserts: readonly ContactUpsert[], planContext: PlanContext): Promise<UpsertPlan> {
  const { table, caller, now } = planContext;
  const [defaultOrganization, onlyOrganizationId] = await Promise.all([
    callerOrganization(table, caller),
    findOnlyOrganization(table, caller.accountId),
  ]);
  const context = { ...planContext, defaultOrganization, onlyOrganizationId };
  const unnamed = upserts.filter(({ input }) => !input.Id && !input.Hash).length;
  const [lookups] = await Promise.all([
    Promise.all(upserts.map((upsert) => lookUp(upsert, context))),
    prefetchIds(table, caller.accountId, 'Contact', unnamed),
  ]);
  const missing = lookups.findIndex(({ matches }) => matches.isNamed && !matches.candidates.length);
  if (missing >= 0) return { kind: 'missing', index: missing };
  const ambiguous = lookups.findIndex(({ matches }) => matches.candidates.length > 1);
  if (ambiguous >= 0)
    return { kind: 'ambiguous', index: ambiguous, candidates: lookups[ambiguous]?.matches.candidates ?? [] };

  const newTags = await reserveTags(upserts, lookups, context);
  if (newTags === 'full')
    return {
      kind: 'invalid',
      errors: [{ index: firstNewTag(lookups), field: 'Tags', code: 'limit', message: TAGS_FULL }],
    };
  const prepared = await Promise.all(lookups.map((lookup) => prepareWrite(lookup, newTags.byName, context)));
  const writes = prepared.map(({ write }) => write);
  const errors = [
    ...prepared.flatMap(({ errors: own }, index) => own.map((error) => ({ ...error, index }))),
    ...findDuplicates(writes),
    ...contactSizeErrors(writes.map(({ after }) => after)),
  ];
  if (errors.length) return { kind: 'invalid', errors };

  const changed = writes.filter(({ before, after }) => !before || changedFields(before, after).length > 0);
  const changes = contactChanges(caller.accountId, changed, { now, beside: newTags.changes });
  const { length } = partChanges(changes).transaction;
  if (length > MAX_CHANGES) {
    const field = newTags.changes.length ? 'Tags' : 'Notes';
    const count = `need ${length} changes with the contacts and new tags`;
    const message = `${count}, and one call makes at most ${MAX_CHANGES}; send some of them in another call`;
    return { kind: 'invalid', errors: [{ index: upserts.length - 1, field, code: 'limit', message }] };
  }
  return {
    kind: 'ready',
    records: writes.map(({ after }) => after),
    changes,
    reasons: prepared.flatMap(({ reason }) => reason || []),
  };
}

/** The tags of all contacts, once: a new name on several contacts is one tag. */
async function reserveTags(
  upserts: readonly ContactUpsert[],
  lookups: readonly Lookup[],
  { table, caller }: PlanContext,
): Promise<{ byName: TagsByName; changes: readonly Change[] } | 'full'> {
  const known = new Map(lookups.flatMap(({ tags }) => [...tags]));
  const names = upserts.flatMap(({ input }) => tagNames(input));
  const result = await tagChanges(table, caller.accountId, names, known);
  if (result.kind === 'full') return 'full';
  const { tags, changes } = result;
  return { byName: new Map(tags.map((tag) => [tagNameKey(tag.Name), tag])), changes };
}

/** The contact that names the first new tag. */
const firstNewTag = (lookups: readonly Lookup[]): number =>
  lookups.findIndex(({ upsert, tags }) => tagNames(upsert.input).some((name) => !tags.has(tagNameKey(name))));

interface PreparedWrite {
  readonly write: ContactWrite;
  readonly errors: readonly FieldError[];
  readonly reason: string;
}

/** Places a contact in its organization, applies the input, and guards its new e-mail and phone. */
async function prepareWrite(lookup: Lookup, tagsByName: TagsByName, context: UpsertContext): Promise<PreparedWrite> {
  const { table, caller, now } = context;
  const { input } = lookup.upsert;
  const [before] = lookup.matches.candidates;
  const { organization, reason, errors } = await resolveOrganization(lookup, context);
  const start = before ?? (await newContact(organization, context));
  const facts = { organization, postalOwner: lookup.postalOwner, at: now.getTime() };
  const merged = applyContactInput(start, input, facts);
  const complete = await applyListedFields(merged.contact, input, tagsByName, context);
  const after = complete.contact;
  const write = { before, after, guards: [] };
  const guards = newGuardRanges(caller.accountId, write).map((range) =>
    findGuard(table, range, after.OrganizationId, lookup.matches.taken),
  );
  return {
    write: { ...write, guards: await Promise.all(guards) },
    errors: [
      ...errors,
      ...(before ? findContradictions(before, input) : []),
      ...merged.errors,
      ...referenceErrors(start, input, lookup.references),
      ...complete.errors,
      ...collectErrors(
        ['OwnerUserId', ownerError(after.OwnerUserId, start.OwnerUserId, lookup.users, organization.Id), 'not_found'],
        [
          'Email',
          !hasIdentifyingInfo(after) && 'or a name, phone, address or DigitalTrackingId is required',
          'required',
        ],
      ),
    ],
    reason,
  };
}
