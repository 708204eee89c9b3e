import { operation, save } from '../../lib/api/operation.ts';
import { Status, statusName } from '../../lib/domain/appointments/record.ts';
import { MAX_TIP } from '../../lib/domain/appointments/tips.ts';
import { decimal, described, id, required } from '../../lib/resources/fields.ts';
import { conflict, invalid, orNotFound } from '../../lib/shared/failure.ts';
import { add } from '../../lib/shared/money.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';

export const addtip = operation({
  title: 'Add a tip',
  summary: 'Adds a tip to a Started or Completed appointment.',
  rules: [
    'Amount is above 0 and has at most 4 decimals.',
    'The tips of an appointment add up; the answer has the sum.',
  ],
  access: 'write',
  request: () => ({ AppointmentId: required(id()), Amount: required(decimal()) }),
  response: () => ({ AppointmentId: id(), Amount: described(decimal(), 'The sum of all tips of the appointment.') }),
  example: { AppointmentId: 2, Amount: 12.5 },
  async run({ AppointmentId, Amount }, { store, now }) {
    if (Amount <= 0 || Amount > MAX_TIP)
      throw invalid({ field: 'Amount', code: 'range', message: `must be above 0 and at most ${MAX_TIP}` });
    const found = await findAppointment(store, AppointmentId);
    const before = orNotFound(found, 'appointment', 'AppointmentId', AppointmentId);
    if (before.Status !== Status.Started && before.Status !== Status.Completed)
      throw conflict(
        'wrong_state',
        `The appointment is ${statusName(before.Status)}. Tip a Started or Completed appointment.`,
      );
    const Tip = add(before.Tip, Amount);
    const { changes } = appointmentChanges(store, { before, after: { ...before, Tip }, now });
    return save(changes, { AppointmentId, Amount: Tip });
  },
});
