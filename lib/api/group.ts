import { Failure } from '../shared/failure.ts';
import { InternalError } from '../shared/internal-error.ts';
import { nearest } from '../shared/text.ts';
import type { Operation } from './operation.ts';
import { type Handler, pipeline } from './pipeline.ts';

/** A group of operations: one Lambda function, one route `ANY /api/<group>/{operation}`. */
export interface Group {
  readonly name: string;
  /** One sentence for the document. */
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly handler: Handler;
}

/** Makes a group of its operations; the name of each starts with the group's name. */
export function group(name: string, description: string, operations: readonly Operation[]): Group {
  const byName = new Map(operations.map((operation) => [operation.operation, operation]));
  const stray = operations.find((operation) => operation.group !== name);
  if (stray) throw new InternalError(`${stray.name} does not belong to group ${name}`);

  const findOperation = (requested: string): Operation => {
    const found = byName.get(requested);
    if (found) return found;
    const near = nearest(requested, byName.keys());
    const hint = near ? `Did you mean ${name}/${near}?` : `The operations are ${[...byName.keys()].join(', ')}.`;
    throw new Failure(404, `There is no operation ${name}/${requested.slice(0, 64)}. ${hint}`);
  };
  return { name, description, operations, handler: pipeline(findOperation) };
}
