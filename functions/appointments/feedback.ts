import { operation, save } from '../../lib/api/operation.ts';
import { applyFeedback } from '../../lib/domain/appointments/feedback.ts';
import { described, flag, id, int32, nullable, text } from '../../lib/resources/fields.ts';
import { conflict, invalid, orNotFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/time/time.ts';
import { appointmentChanges, findAppointment, findAppointmentByHash } from '../../lib/store/appointments.ts';

const feedbackFields = () => ({
  Note: text(),
  ContactMe: flag(),
  Score: nullable(int32(0, 10)),
  Positive: nullable(flag()),
  Negative: nullable(flag()),
});

export const feedback = operation({
  title: 'Record feedback',
  summary: 'Stores the feedback of a client on the appointment of HashKey or Id.',
  rules: [
    'Score is 0 to 10. Positive and Negative exclude each other.',
    'A Score, Positive, Negative or a Note is required.',
    'An appointment has one feedback: a later one replaces it within 30 days of the first, and is 409 after that.',
  ],
  access: 'write',
  request: () => ({
    Id: id(),
    HashKey: described(text(22), 'The public handle of the appointment, in appointments/query and in its events.'),
    ...feedbackFields(),
  }),
  response: () => ({ Id: nullable(id()), HashKey: text(22), ...feedbackFields() }),
  document: () => ({
    fields: {
      Id: 'Required without HashKey.',
      HashKey: 'Required without Id.',
      Score: 'Required without Positive, Negative and Note.',
    },
  }),
  example: { Id: 2, Score: 9, Positive: true, Note: 'On time and friendly.' },
  async run({ Id, HashKey, ...input }, { store, now }) {
    const hash = HashKey?.trim();
    if (!hash && !Id) throw invalid({ field: 'HashKey', code: 'required', message: 'or Id is required' });
    const found = hash ? await findAppointmentByHash(store, hash) : await findAppointment(store, Id ?? 0);
    const before = orNotFound(found, 'appointment', hash ? 'HashKey' : 'Id', hash || Id);
    if (Id && before.Id !== Id)
      throw invalid({ field: 'Id', code: 'mismatch', message: 'is not the appointment of HashKey' });
    const result = applyFeedback(before, input, now.getTime());
    if (result.kind === 'invalid') throw invalid(...result.errors);
    if (result.kind === 'closed')
      throw conflict(
        'fixed_value',
        `The first feedback is of ${toUtc(result.since)} and can be replaced only for 30 days.`,
      );
    const { record, changes } = appointmentChanges(store, { before, after: result.appointment, now });
    const { Note = '', ContactMe = false, Score = null, Positive = null, Negative = null } = record.Feedback ?? {};
    return save(changes, { Id: record.Id, HashKey: record.HashKey, Note, ContactMe, Score, Positive, Negative });
  },
});
