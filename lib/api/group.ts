import { Failure } from '../shared/failure.ts';
import { nearest } from '../shared/text.ts';
import type { Call } from './call.ts';
import type { Operation } from './operation.ts';
import { type Handler, pipeline } from './pipeline.ts';

/** A group of operations: one Lambda function, one route `ANY /api/<group>/{operation}`. */
export interface Group {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly handler: Handler;
}

/** The operation a path names, or 404 with the nearest one. */
function findOperation(name: string, operations: ReadonlyMap<string, Operation>, { event }: Call): Operation {
  const asked = event.pathParameters?.['operation'] ?? '';
  const found = operations.get(asked);
  if (found) return found;
  const near = nearest(asked, operations.keys());
  throw new Failure(
    404,
    `There is no operation ${name}/${asked.slice(0, 64)}.${near ? ` Did you mean ${name}/${near}?` : ` There are ${[...operations.keys()].join(', ')}.`}`,
  );
}

/** Makes a group of its operations, each of which must bear the group's name. */
export function group(name: string, operations: readonly Operation[]): Group {
  const byName = new Map(operations.map((operation) => [operation.operation, operation]));
  const stray = operations.find((operation) => operation.group !== name);
  if (stray) throw new TypeError(`${stray.name} does not belong to group ${name}`);
  return { name, operations, handler: pipeline((call) => findOperation(name, byName, call)) };
}
