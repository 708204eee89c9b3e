import { faulty, invalid } from '../../lib/api/failure.ts';
import { actualsOf } from '../../lib/domain/appointments/actuals.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { parseMoment } from '../../lib/domain/moments-in.ts';
import { Status } from '../../lib/domain/scheduling/lifecycle.ts';
import { inQueue } from '../../lib/domain/appointments/queued.ts';
import type { GivenSlot } from './chosen.ts';
import { engine } from './engine.ts';
import { moved } from './moved.ts';
import type { Writing } from './writing.ts';

interface Said {
  readonly UpdateActuals?: boolean | null | undefined;
  readonly ActualStart?: string | null | undefined;
  readonly ActualFinish?: string | null | undefined;
}

function momentOf(field: string, text: string | null | undefined, zone: string): number | null | undefined {
  if (text == null) return text;
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) throw invalid({ Field: field, Message: `cannot be read: ${parsed.reason}` });
  return parsed.at;
}

/** The appointment in the status that an update asks for: by its actuals with UpdateActuals, else by the Status of the slot. 409 or 403 where it may not be. */
export async function restated({ caller, now }: Writing, before: AppointmentRecord, said: Said, slot: GivenSlot | undefined): Promise<AppointmentRecord> {
  if (said.UpdateActuals) {
    const actuals = { start: momentOf('ActualStart', said.ActualStart, before.Zone), finish: momentOf('ActualFinish', said.ActualFinish, before.Zone) };
    const { tellActuals } = await engine();
    const { told, faults } = tellActuals(before, actuals);
    if (faults.length) throw faulty(faults);
    return { ...(told.Status === before.Status ? before : moved(before, told.Status, caller)), ...told };
  }
  const to = slot?.Status;
  if (to == null || to === before.Status) return before;
  if (to === Status.Canceled) throw invalid({ Field: 'Slots[0].Status', Message: 'becomes Canceled with appointments/cancel, which takes the reason' });
  const after = moved(before, to, caller);
  if (to === Status.Queued) return inQueue(after, '', now.getTime());
  return { ...after, ...actualsOf(before, to, now.getTime()), CancelReasonId: null };
}
