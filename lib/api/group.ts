import { Failure, InternalError } from '../shared/failure.ts';
import type { Need } from './context.ts';
import type { ListedOperation, Operation } from './operation.ts';
import { type Handler, type Serve, pipeline } from './pipeline.ts';

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
  /** Whether links of clients open it, and no key: its function then reads no keys, and takes no calls from their rates. */
  readonly isForClients?: true;
  /** Whether it has no operations of its own and calls those of others, whose metrics count its calls. */
  readonly callsOthers?: true;
  readonly handler: Handler;
}

/** A group that others call in their process. */
export interface OperationGroup extends Group {
  readonly serve: Serve;
}

/**
 * Makes a group of its operations; the name of each starts with the group's name. `separate` are operations that a
 * function of their own serves, for the hint at a misspelt name.
 */
export function group(
  name: string,
  description: string,
  all: readonly Operation[],
  separate: readonly string[] = [],
): OperationGroup {
  const operations = all.filter(({ draft }) => !draft);
  const byName = new Map<string, ListedOperation>(operations.map((operation) => [operation.operation, operation]));
  const stray = operations.find((operation) => operation.group !== name);
  if (stray) throw new InternalError(`${stray.name} does not belong to group ${name}`);

  const findOperation = async (requested: string): Promise<Operation> => {
    const found = byName.get(requested);
    if (found) return found.load();
    const { suggestOperation } = await import('./http/suggest-path.ts');
    const names = [...byName.keys(), ...separate];
    const near = suggestOperation(requested, names);
    const hint = near ? `Did you mean ${name}/${near}?` : `The operations are ${names.join(', ')}.`;
    throw new Failure('unknown_path', `There is no operation ${name}/${requested.slice(0, 64)}. ${hint}`);
  };
  const serve = pipeline(({ pathParameters }) => findOperation(pathParameters?.['operation'] ?? ''));
  return {
    name,
    description,
    operations,
    paths: [`/api/${name}/{operation}`],
    needs: needsOf(operations),
    handler: (event, lambda) => serve(event, lambda, {}),
    serve,
  };
}

/**
 * Operations of other groups that a function of its own serves, since they carry libraries and permissions that the
 * others of their groups do without. Each has its own route, which API Gateway prefers to that of its group.
 */
export function separateGroup(name: string, description: string, all: readonly Operation[]): Group {
  const operations = all.filter(({ draft }) => !draft);
  const byPath = new Map<string, ListedOperation>(operations.map((operation) => [`/api/${operation.name}`, operation]));
  const findOperation = (path: string): Promise<Operation> => {
    const found = byPath.get(path);
    if (!found) throw new Failure('unknown_path', `Path ${path.slice(0, 100)} not found.`);
    return found.load();
  };
  const serve = pipeline(({ rawPath }) => findOperation(rawPath));
  const handler: Handler = (event, lambda) => serve(event, lambda, {});
  return { name, description, operations, paths: [...byPath.keys()], needs: needsOf(operations), handler };
}

const needsOf = (operations: readonly ListedOperation[]): Need[] => [
  ...new Set(operations.flatMap(({ needs }) => needs)),
];
