import { operation, save } from '../../lib/api/operation.ts';
import { Status, statusName } from '../../lib/domain/appointments/status.ts';
import { decimal, described, id, required } from '../../lib/resources/fields.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { findAppointment, appointmentChanges } from '../../lib/store/appointments.ts';

const MOST = 1_000_000;

/** The sum, exact: both are whole numbers of ten-thousandths. 0.1 and 0.2 are 0.3. */
const sum = (one: number, other: number): number => (Math.round(one * 10_000) + Math.round(other * 10_000)) / 10_000;

export const addtip = operation({
  name: 'appointments/addtip',
  summary: 'Adds a tip to an appointment that is Started or Completed.',
  description:
    'Amount is above 0 and has at most 4 decimals. Tips of one appointment add up; the answer has their sum.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ AppointmentId: required(id()), Amount: required(decimal()) }),
  response: () => ({ AppointmentId: id(), Amount: described(decimal(), 'All tips of the appointment together.') }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { AppointmentId: 2, Amount: 12.5 },
  async run({ AppointmentId, Amount }, { table, caller, now }) {
    if (Amount <= 0 || Amount > MOST)
      throw invalid({ field: 'Amount', message: `must be above 0 and at most ${MOST}` });
    const before = await findAppointment(table, caller, AppointmentId);
    if (!before) throw notFound('appointment', 'AppointmentId', AppointmentId);
    const { Status: status } = before;
    if (status !== Status.Started && status !== Status.Completed)
      throw conflict(`The appointment is ${statusName(status)}; a tip is for one that is Started or Completed.`);
    const Tip = sum(before.Tip, Amount);
    const { changes } = appointmentChanges(caller.accountId, { before, after: { ...before, Tip }, now });
    return save(changes, { AppointmentId, Amount: Tip });
  },
});
