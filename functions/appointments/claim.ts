import { conflict, invalid } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Claiming } from './claiming.ts';
import { engine } from './engine.ts';
import type { Writing } from './writing.ts';

/** The changes that give an appointment its time and all its agents', and take what it had before; 409 where it cannot have it. */
export async function claim(writing: Writing, claiming: Claiming): Promise<{ readonly thing: AppointmentRecord; readonly changes: Change[] }> {
  const claimed = await (await engine()).tryClaim(writing, claiming);
  if (claimed.kind === 'refused') throw conflict(claimed.message);
  if (claimed.kind === 'large') throw invalid({ Field: 'Slots[0].AdditionalServiceAgents', Message: claimed.message });
  return claimed;
}
