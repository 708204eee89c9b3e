import type { AppointmentRecord, Feedback } from '../../entities/appointments.ts';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import type { FieldError } from '../../shared/failure.ts';
import { DAY } from '../../shared/time/time.ts';

const REPLACEABLE = 30 * DAY;

type FeedbackInput = { readonly [Field in Exclude<keyof Feedback, 'At'>]?: Feedback[Field] | null | undefined };

type FeedbackResult =
  | { readonly kind: 'applied'; readonly appointment: AppointmentRecord }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** The first feedback, at `since`, can no longer be replaced. */
  | { readonly kind: 'closed'; readonly since: number };

/** An appointment has one feedback; a later one replaces it within 30 days of the first. */
export function applyFeedback(appointment: AppointmentRecord, input: FeedbackInput, now: number): FeedbackResult {
  const { Score = null, Positive = null, Negative = null } = input;
  const Note = (input.Note ?? '').trim();
  if (Positive && Negative) return invalidField('Negative', 'cannot be true if Positive is', 'mismatch');
  if (Score === null && !Positive && !Negative && !Note)
    return invalidField('Score', 'or Positive, Negative or Note is required', 'required');
  const At = appointment.Feedback?.At ?? now;
  if (now - At > REPLACEABLE) return { kind: 'closed', since: At };
  const feedback = { Score, Positive, Negative, Note, ContactMe: input.ContactMe ?? false, At };
  return { kind: 'applied', appointment: { ...appointment, Feedback: feedback } };
}

const invalidField = (field: string, message: string, code: FieldErrorCode): FeedbackResult => ({
  kind: 'invalid',
  errors: [{ field, code, message }],
});
