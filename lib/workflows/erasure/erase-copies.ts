import type { Person } from '../../domain/contacts/person.ts';
import { eventPayload } from '../../events/event-text.ts';
import { listDeadCallbacks } from '../../store/events/callbacks.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { writeErasedResponses } from '../../store/requests/idempotency.ts';
import { removePersonalDownloads } from '../downloads/remove-downloads.ts';
import { removePersonFromKeptFiles } from '../events/redrive.ts';
import { type Work, idsOf, commit } from './erasure-work.ts';
import { isAbout, removeCallbacks } from './erase-events.ts';

/** A download that was made earlier has rows of the person; the caller who started it can start it again. */
export async function removeDownloads(work: Work): Promise<void> {
  const { store, files } = work;
  if (!files) return;
  await commit(work, [], { Downloads: await removePersonalDownloads(store, files, work.now()) });
}

/** Callbacks that were given up keep their event, which may have expired. */
export async function removeDeadCallbacks(work: Work): Promise<void> {
  const { store } = work;
  const dead = await listDeadCallbacks(store, { limit: Infinity });
  const own = dead.filter(({ Payload }) => Payload && isAbout(work, eventPayload(Payload), new Set()));
  await removeCallbacks(work, [...new Set(own.map(({ EventId }) => EventId))]);
}

export async function eraseSavedResponses(work: Work, others: Person): Promise<void> {
  const { store, person } = work;
  const ids = idsOf(work).join('|');
  const ofContact = new RegExp(`"(ContactId|MergeId|MergedId)":(${ids})[,}]`);
  const ownRecord = new RegExp(`"Id":(${ids})[,}]`);
  const isAbout = (body: string) =>
    ofContact.test(body) || others.isMeantIn(body) || (ownRecord.test(body) && person.isMeantIn(body));
  const count = await retryUnavailable(() => writeErasedResponses(store, isAbout));
  await commit(work, [], { SavedResponses: count });
}

export async function eraseParkedRecords(work: Work): Promise<void> {
  const { files, store, discardedPrefix } = work;
  if (!files) return;
  for (const id of idsOf(work)) {
    const count = await removePersonFromKeptFiles(files, { account: store.account, contactId: id, discardedPrefix });
    await commit(work, [], { ParkedRecords: count });
  }
}
