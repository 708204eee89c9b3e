import { operation, save } from '../../lib/api/operation.ts';
import { applyFeedback } from '../../lib/domain/appointments/feedback.ts';
import { described, flag, id, int32, nullable, text } from '../../lib/resources/fields.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/format-moments.ts';
import { findAppointment, findAppointmentByHash, appointmentChanges } from '../../lib/store/appointments.ts';

const said = () => ({
  Note: text(),
  ContactMe: flag(),
  Score: nullable(int32(0, 10)),
  Positive: nullable(flag()),
  Negative: nullable(flag()),
});

export const feedback = operation({
  name: 'appointments/feedback',
  summary: 'Keeps what a client says of an appointment, named by its HashKey or Id.',
  description:
    'Score is 0 to 10; Positive and Negative exclude each other; one of these or a Note is required. An appointment has one feedback: a later one replaces ' +
    'it for 30 days, after that it is 409.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({
    Id: id(),
    HashKey: described(text(22), "The appointment's public handle, the end of its TrackingUrl."),
    ...said(),
  }),
  response: () => ({ Id: nullable(id()), HashKey: text(22), ...said() }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { Id: 2, Score: 9, Positive: true, Note: 'On time and friendly.' },
  async run({ Id, HashKey, ...input }, { table, caller, now }) {
    const hash = HashKey?.trim();
    if (!hash && !Id) throw invalid({ field: 'HashKey', message: 'or Id is required' });
    const before = hash
      ? await findAppointmentByHash(table, caller, hash)
      : await findAppointment(table, caller, Id ?? 0);
    if (!before) throw notFound('appointment', hash ? 'HashKey' : 'Id', hash || Id);
    if (Id && before.Id !== Id) throw invalid({ field: 'Id', message: 'is of another appointment than HashKey' });
    const outcome = applyFeedback(before, input, now.getTime());
    if (outcome.kind === 'invalid') throw invalid(...outcome.errors);
    if (outcome.kind === 'closed')
      throw conflict(`Feedback was given at ${toUtc(outcome.since)} and can be replaced for 30 days only.`);
    const { record, changes } = appointmentChanges(caller.accountId, { before, after: outcome.appointment, now });
    const { Note = '', ContactMe = false, Score = null, Positive = null, Negative = null } = record.Feedback ?? {};
    return save(changes, { Id: record.Id, HashKey: record.HashKey, Note, ContactMe, Score, Positive, Negative });
  },
});
