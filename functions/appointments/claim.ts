import { conflict, invalid, type Failure } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Claimed, Claiming } from './claiming.ts';
import { engine } from './engine.ts';
import type { Writing } from './writing.ts';

/** What is answered where the time cannot be had. */
export const refusalOf = ({ kind, message }: Exclude<Claimed, { kind: 'claimed' }>): Failure =>
  kind === 'refused' ? conflict(message) : invalid({ Field: 'Slots[0].AdditionalServiceAgents', Message: message });

/** The changes that give an appointment its time and all its agents', and take what it had before; 409 where it cannot have it. */
export async function claim(writing: Writing, claiming: Claiming): Promise<{ readonly thing: AppointmentRecord; readonly changes: Change[] }> {
  const claimed = await (await engine()).tryClaim(writing, claiming);
  if (claimed.kind !== 'claimed') throw refusalOf(claimed);
  return claimed;
}
