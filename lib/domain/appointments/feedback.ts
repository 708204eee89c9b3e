import type { FieldError } from '../../shared/field-errors.ts';
import type { AppointmentRecord, Feedback } from './record.ts';

const THIRTY_DAYS = 30 * 86_400_000;

/** What a client says. */
export type FeedbackInput = { readonly [Field in Exclude<keyof Feedback, 'At'>]?: Feedback[Field] | null | undefined };

/** The appointment with the feedback; faults in what is said; or that the time for saying it otherwise is over (`since`). */
export type FeedbackOutcome =
  | { readonly kind: 'given'; readonly appointment: AppointmentRecord }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'closed'; readonly since: number };

/** One feedback an appointment: a later one replaces it, for 30 days from the first. It must say something, and not both good and bad. */
export function applyFeedback(appointment: AppointmentRecord, input: FeedbackInput, now: number): FeedbackOutcome {
  const Note = (input.Note ?? '').trim();
  const said = input.Score != null || input.Positive || input.Negative || Note !== '';
  if (input.Positive && input.Negative)
    return { kind: 'invalid', errors: [{ field: 'Negative', message: 'cannot be true where Positive is' }] };
  if (!said)
    return { kind: 'invalid', errors: [{ field: 'Score', message: 'or Positive, Negative or Note is required' }] };
  const first = appointment.Feedback?.At ?? now;
  if (now - first > THIRTY_DAYS) return { kind: 'closed', since: first };
  const feedback = {
    Score: input.Score ?? null,
    Positive: input.Positive ?? null,
    Negative: input.Negative ?? null,
    Note,
    ContactMe: input.ContactMe ?? false,
    At: first,
  };
  return { kind: 'given', appointment: { ...appointment, Feedback: feedback } };
}
