import { type RecordOf, entity } from './declaration/entity.ts';
import { moment, object, properties, text, word } from './declaration/fields.ts';

/** An action that changes no record but must be accounted for. It has no personal data. */
export const auditEntity = entity('Audit', {
  Kind: word(
    [
      'download.started',
      'contact.exported',
      'account.suspended',
      'account.resumed',
      'account.retention',
      'events.retention',
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
      'webhook.secret_rotated',
    ],
    { required: true },
  ),
  At: moment({ required: true }),
  Actor: object({ Key: text(), Name: text() }),
  Data: properties(),
});
export type AuditEntry = RecordOf<typeof auditEntity>;
export type AuditKind = AuditEntry['Kind'];

/** When a key made calls on a day; the counts themselves are separate attributes. */
export const auditCountsEntity = entity('AuditCounts', { First: moment(), Last: moment(), LastFrom: text() });
