import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import { mergePage } from '../../lib/pages/office/merge-page.ts';
import type { DuplicatePair } from '../../lib/resources/duplicates.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { readId, readText } from '../pages/parameters.ts';
import { locate } from './clients.ts';
import { findClient } from './find-client.ts';
import { type OfficePage, type UserCall, htmlAnswer, refusedNotice, sendChange } from './office-page.ts';

async function show(call: UserCall, failure?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, query } = call;
  if (id === undefined || !call.mayCall('contacts/merge')) return undefined;
  const asked = readText(query, 'q', 200).trim();
  const [contact, { Pairs }, located] = await Promise.all([
    findClient(call, id),
    call.call<{ Pairs: readonly DuplicatePair[] }>({ operation: 'contacts/duplicates', request: { ContactId: id } }),
    asked ? locate(call, asked) : undefined,
  ]);
  const view = {
    contact,
    pairs: Pairs,
    asked,
    found: located?.found.filter(({ Id }) => Id !== contact.Id),
    hasMore: located?.hasMore ?? false,
  };
  const notice = refusedNotice(call, failure);
  return htmlAnswer(mergePage(call.frame(`/office/merge/${id}`), view, [notice]), failure?.status ?? 200);
}

/** Merges another client, who is a duplicate or was searched for, into this one. */
export const merge: OfficePage = {
  show: (call) => show(call),
  async send(form) {
    const { id, action, sent } = form;
    if (action !== 'merge' || id === undefined) return undefined;
    const called = { operation: 'contacts/merge', request: { ContactId: id, MergeId: readId(sent.get('merge')) } };
    return sendChange(form, `client/${id}`, { called, done: 'merged' }, show);
  },
};
