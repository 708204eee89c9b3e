import type { Webhook } from '../../../../lib/resources/webhooks.ts';
import { ReportedError, formatList, formatTable, print } from '../../output.ts';
import { isKept } from '../../../../lib/domain/callbacks/targets.ts';
import type { Call, TestAnswer } from './account-webhooks.ts';

/** A webhook with what the newest calls show about its receiver. `calls` has the newest first. */
function withFailures(webhook: Webhook, calls: readonly Call[]) {
  const own = calls.filter(({ WebhookId }) => WebhookId === webhook.Id);
  const failed = own.filter((call) => call.Reason !== '' && call.State !== 'delivered' && !isKept(call));
  return {
    ...webhook,
    Failing: failed.filter(({ State }) => State === 'waiting').length,
    GivenUp: failed.filter(({ State }) => State === 'dead').length,
    Kept: own.filter(isKept).length,
    LastFailure: failed[0]?.Reason ?? '',
  };
}

const toRow = (webhook: Webhook) => ({ ...webhook, Kinds: webhook.Kinds.join(',') });
const secretNote = 'It is shown only once. docs/guides/webhooks.md says how to verify a call with it.';

type Json = boolean | undefined;

/** What the commands print, over HTTP and on the table. */
export const printed = {
  created(webhook: Webhook, secret: string, json: Json): void {
    const text = `${formatList(toRow(webhook))}\n\nSecret: ${secret}\n${secretNote}`;
    print({ ...webhook, Secret: secret }, { json, text });
  },
  webhook(webhook: Webhook, json: Json): void {
    print(webhook, { json, text: formatList(toRow(webhook)) });
  },
  list(webhooks: readonly Webhook[], calls: readonly Call[], json: Json): void {
    const rows = webhooks.map((webhook) => withFailures(webhook, calls));
    const text = rows.length ? formatTable(rows.map(toRow)) : 'The account has no webhooks.';
    print(rows, { json, text });
  },
  resumed(webhook: Webhook, made: number, json: Json): void {
    const calls = `${made} ${made === 1 ? 'call that was kept is' : 'calls that were kept are'} made now.`;
    print({ ...webhook, Made: made }, { json, text: `${formatList(toRow(webhook))}\n\n${calls}` });
  },
  removed(id: number, json: Json): void {
    print({ Id: id, Deleted: true }, { json, text: `Webhook ${id} is deleted; its waiting callbacks are given up.` });
  },
  rotated(Secret: string, PreviousValidUntil: string, json: Json): void {
    const previous = `Calls are signed with the previous secret too until ${PreviousValidUntil}.`;
    print({ Secret, PreviousValidUntil }, { json, text: `Secret: ${Secret}\n${secretNote}\n${previous}` });
  },
  tested(answer: TestAnswer, json: Json): void {
    print(answer, { json, text: formatList(answer) });
    const { Status } = answer;
    if (Status === null || Status < 200 || Status > 299) throw new ReportedError();
  },
};
