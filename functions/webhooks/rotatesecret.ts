import { operation, save } from '../../lib/api/operation.ts';
import { moment, described, id, int32, text } from '../../lib/resources/fields.ts';
import { HOUR, toUtc } from '../../lib/shared/time/time.ts';
import { rotateSecret } from '../../lib/workflows/webhooks/rotate-secret.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';

const DEFAULT_GRACE_HOURS = 24;

export const rotatesecret = operation({
  title: 'Replace the signing secret',
  summary: 'Replaces the secret that signs the calls of a webhook.',
  rules: [
    'Until PreviousValidUntil every call has a signature by each of both secrets.',
    'Without Id it replaces the secret of the account. It signs the calls of addresses of records, such as ' +
      'NotificationUri, and of webhooks that were created before each had its own.',
  ],
  access: 'write',
  needs: ['table:write', 'callbacks:sign'],
  request: () => ({
    Id: described(id(), 'The webhook.'),
    GraceHours: described(int32(0, 720), `How long the secret before signs too; ${DEFAULT_GRACE_HOURS} by default.`),
  }),
  response: () => ({
    Secret: described(text(100), 'It is shown only once: a repeated call returns an empty text.'),
    PreviousValidUntil: moment(),
  }),
  shownOnce: ['Secret'],
  example: { Id: 1, GraceHours: 48 },
  async run({ Id, GraceHours }, context) {
    const grace = (GraceHours ?? DEFAULT_GRACE_HOURS) * HOUR;
    const rotation = { webhookId: Id ?? undefined, grace, readKey: readCallbackKey };
    const { secret, previousUntil, changes } = await rotateSecret(rotation, webhookEditor(context));
    return save(changes, { Secret: secret, PreviousValidUntil: toUtc(previousUntil) });
  },
});
