import type { FieldError } from '../../shared/field-errors.ts';
import type { AppointmentRecord, Feedback } from './record.ts';

const THIRTY_DAYS = 30 * 86_400_000;

/** What a client says. */
export type FeedbackInput = { readonly [Field in Exclude<keyof Feedback, 'At'>]?: Feedback[Field] | null | undefined };

/** The appointment with the feedback; faults in what is said; or that the time for saying it otherwise is over (`since`). */
export type FeedbackOutcome =
  | { readonly kind: 'given'; readonly appointment: AppointmentRecord }
  | { readonly kind: 'faults'; readonly faults: readonly FieldError[] }
  | { readonly kind: 'closed'; readonly since: number };

/** One feedback an appointment: a later one replaces it, for 30 days from the first. It must say something, and not both good and bad. */
export function applyFeedback(appointment: AppointmentRecord, given: FeedbackInput, now: number): FeedbackOutcome {
  const Note = (given.Note ?? '').trim();
  const said = given.Score != null || given.Positive || given.Negative || Note !== '';
  if (given.Positive && given.Negative)
    return { kind: 'faults', faults: [{ field: 'Negative', message: 'cannot be true where Positive is' }] };
  if (!said)
    return { kind: 'faults', faults: [{ field: 'Score', message: 'or Positive, Negative or Note is required' }] };
  const first = appointment.Feedback?.At ?? now;
  if (now - first > THIRTY_DAYS) return { kind: 'closed', since: first };
  const feedback = {
    Score: given.Score ?? null,
    Positive: given.Positive ?? null,
    Negative: given.Negative ?? null,
    Note,
    ContactMe: given.ContactMe ?? false,
    At: first,
  };
  return { kind: 'given', appointment: { ...appointment, Feedback: feedback } };
}
