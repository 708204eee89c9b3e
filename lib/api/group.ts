import { Failure } from '../shared/failure.ts';
import type { Need } from './context.ts';
import type { Operation, UnnamedOperation } from './operation.ts';
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

/** Operations by their paths after /api. */
class Operations {
  readonly #byPath = new Map<string, Operation>();

  /** Drafts are left out. */
  constructor(all: readonly (readonly [path: string, operation: UnnamedOperation])[]) {
    for (const [path, operation] of all) if (!operation.isDraft) this.#byPath.set(path, named(operation, path));
  }

  list(): readonly Operation[] {
    return [...this.#byPath.values()];
  }

  /** What the IAM statements of their function allow. */
  needs(): readonly Need[] {
    return [...new Set(this.list().flatMap(({ needs }) => needs))];
  }

  /** The whole operation, which a bundle loads at its first call. */
  async find(path: string): Promise<Operation | undefined> {
    const found = this.#byPath.get(path);
    return found && named(await found.load(), path);
  }
}

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
  const operations = new Operations(Object.entries(all).map(([last, operation]) => [`${name}/${last}`, operation]));
  const findOperation = async (requested: string): Promise<Operation> => {
    const found = await operations.find(`${name}/${requested}`);
    if (found) return found;
    const { suggestOperation } = await import('./http/suggest-path.ts');
    const names = [...operations.list().map(({ operation }) => operation), ...separate];
    const near = suggestOperation(requested, names);
    const hint = near ? `Did you mean ${name}/${near}?` : `The operations are ${names.join(', ')}.`;
    throw new Failure('unknown_path', `There is no operation ${name}/${requested.slice(0, 64)}. ${hint}`);
  };
  const serve = pipeline(({ pathParameters }) => findOperation(pathParameters?.['operation'] ?? ''));
  return {
    name,
    description,
    operations: operations.list(),
    paths: [`/api/${name}/{operation}`],
    needs: operations.needs(),
    handler: (event, lambda) => serve(event, lambda, {}),
    serve,
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
  const operations = new Operations(Object.entries(all));
  const findOperation = async (path: string): Promise<Operation> => {
    const found = await operations.find(path.replace('/api/', ''));
    if (!found) throw new Failure('unknown_path', `Path ${path.slice(0, 100)} not found.`);
    return found;
  };
  const serve = pipeline(({ rawPath }) => findOperation(rawPath));
  return {
    name,
    description,
    operations: operations.list(),
    paths: operations.list().map((operation) => `/api/${operation.name}`),
    needs: operations.needs(),
    handler: (event, lambda) => serve(event, lambda, {}),
  };
}
