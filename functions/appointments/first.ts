import { conflict } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { findCallCenter } from '../../lib/store/appointments.ts';
import type { Asking } from './home.ts';

/** The appointment that a CallCenterTransactionId has made already: a repeat does nothing and is answered with it. */
export async function firstOf({ table, caller }: Asking, transaction: number | null | undefined): Promise<AppointmentRecord | undefined> {
  const first = await findCallCenter(table, caller, transaction);
  if (first === 'foreign') throw conflict(`CallCenterTransactionId ${transaction} was used in another organization. Use a new one.`);
  return first;
}
