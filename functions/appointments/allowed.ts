import { conflict, faulty, notFound } from '../../lib/api/failure.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** What the engine answered, where it did not refuse; 400, 404 or 409 where it did. */
export function allowed<Of>(answer: Of | Refusal): Of {
  if (!isRefusal(answer)) return answer;
  if (answer.refused === 'conflict') throw conflict(answer.message);
  throw answer.refused === 'faults' ? faulty(answer.faults) : notFound(answer.what, answer.field, answer.id);
}
