import { faulty, notFound } from '../../lib/api/failure.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** What the engine answered, where it did not refuse; 400 or 404 where it did. */
export function allowed<Of>(answer: Of | Refusal): Of {
  if (!isRefusal(answer)) return answer;
  throw answer.refused === 'faults' ? faulty(answer.faults) : notFound(answer.what, answer.field, answer.id);
}
