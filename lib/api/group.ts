import type { Context as LambdaContext } from 'aws-lambda';
import { Failure } from '../shared/failure.ts';
import type { Need } from './context.ts';
import { suggestOperation } from './http/suggest-path.ts';
import type { Operation, UnnamedOperation } from './operation.ts';
import type { CallMode } from './perform.ts';
import { pipeline } from './pipeline.ts';
import type { Event, Handler, Result } from './respond.ts';

/** What one Lambda function serves. */
export interface Group {
  readonly name: string;
  /** One sentence for the document. */
  readonly description: string;
  readonly operations: readonly Operation[];
  /** `/api/<group>/{operation}`, or the paths that only this function serves. */
  readonly paths: readonly string[];
  /** What its IAM statements allow. */
  readonly needs: readonly Need[];
  /** Whether anyone may call it without a key. Its function then has no access to the table. */
  readonly isPublic?: true;
  /**
   * Whether links of clients open it, and no key: its function then reads no keys, and takes no calls from their rates.
   */
  readonly isForClients?: true;
  /** Whether it has no operations of its own and calls those of others, whose metrics count its calls. */
  readonly callsOthers?: true;
  readonly handler: Handler;
}

/** A group that others call in their process. */
export interface OperationGroup extends Group {
  /** The handler, in a mode that no call over HTTP has. */
  readonly serve: (event: Event, context: LambdaContext, mode: CallMode) => Promise<Result>;
}

/** What the IAM statements of their function allow. */
const needsOf = (operations: readonly Operation[]): readonly Need[] => [
  ...new Set(operations.flatMap(({ needs }) => needs)),
];

/** The operation as a group has it. */
export function named(operation: UnnamedOperation, name: string): Operation {
  const [group = '', last = ''] = name.split('/');
  return { ...operation, name, group, operation: last };
}

/**
 * Makes a group of its operations, each under the last part of its path. `separate` are operations that a function of
 * their own serves, for the hint at a misspelt name.
 */
export function group(
  name: string,
  description: string,
  all: Readonly<Record<string, UnnamedOperation>>,
  separate: readonly string[] = [],
): OperationGroup {
  const operations = Object.entries(all).map(([last, operation]) => named(operation, `${name}/${last}`));
  const findOperation = (requested: string): Operation => {
    const found = operations.find(({ operation }) => operation === requested);
    if (found) return found;
    const names = [...operations.map(({ operation }) => operation), ...separate];
    const near = suggestOperation(requested, names);
    const hint = near ? `Did you mean ${name}/${near}?` : `The operations are ${names.join(', ')}.`;
    throw new Failure('unknown_path', `There is no operation ${name}/${requested.slice(0, 64)}. ${hint}`);
  };
  const handler = pipeline(({ pathParameters }) => findOperation(pathParameters?.['operation'] ?? ''));
  return {
    name,
    description,
    operations,
    paths: [`/api/${name}/{operation}`],
    needs: needsOf(operations),
    handler,
    serve: (event, lambda, mode) => handler(event, { ...lambda, mode }),
  };
}

/**
 * Operations of other groups, by their paths, that a function of its own serves, since they carry libraries and
 * permissions that the others of their groups do without. Each has its own route, which API Gateway prefers to that of
 * its group.
 */
export function separateGroup(
  name: string,
  description: string,
  all: Readonly<Record<string, UnnamedOperation>>,
): Group {
  const operations = Object.entries(all).map(([path, operation]) => named(operation, path));
  const findOperation = (path: string): Operation => {
    const found = operations.find((operation) => path === `/api/${operation.name}`);
    if (!found) throw new Failure('unknown_path', `Path ${path.slice(0, 100)} not found.`);
    return found;
  };
  return {
    name,
    description,
    operations,
    paths: operations.map((operation) => `/api/${operation.name}`),
    needs: needsOf(operations),
    handler: pipeline(({ rawPath }) => findOperation(rawPath)),
  };
}
