import type * as z from 'zod';
import type { Shape } from '../resources/fields.ts';
import type { inputs } from '../resources/resource.ts';
import type { FailureKind } from '../shared/failure.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import type { Context } from './context.ts';
import type { Need } from './needs.ts';
import type { Access } from './roles.ts';

/** What a handler gets of a request whose shape is `Of`: `undefined` not given, `null` to clear. */
export type RequestOf<Of extends Shape> = z.output<z.ZodObject<ReturnType<typeof inputs<Of>>>>;
/** What a handler must answer; `Message` is `""` unless there is something to say. */
export type ResponseOf<Of extends Shape> = { readonly [Name in keyof Of]: z.output<Of[Name]['output']> } & {
  readonly Message?: string;
};

/**
 * A decision to be stored: the changes are committed in one transaction with the idempotency record, then the answer is
 * sent.
 */
export class Saved<Answer> {
  readonly changes: readonly Change[];
  readonly answer: Answer;
  /** What the log is to say of it besides: a hash, and never a word of anybody's. */
  readonly noted: Noted;

  constructor(changes: readonly Change[], answer: Answer, noted: Noted = {}) {
    this.changes = changes;
    this.answer = answer;
    this.noted = noted;
  }
}

type Noted = Readonly<Record<string, string>>;

/** Whether an operation answered with a decision; code beside a bundle (infra/side-files.ts) has a class Saved of its own. */
export const isSaved = (result: object): result is Saved<object> => 'changes' in result && 'answer' in result;

/**
 * Ends a writing operation. Where a condition of a change no longer holds at the commit, the operation runs again on
 * what is there then.
 */
export const save = <Answer>(changes: readonly Change[], answer: Answer, noted?: Noted): Saved<Answer> =>
  new Saved(changes, answer, noted);

/**
 * An operation as its one definition says; routing, validation, documentation, permissions and the shared tests all
 * come from it.
 */
export interface Definition<Request extends Shape = Shape, Response extends Shape = Shape, Needs extends Need = Need> {
  /** `group/operation`, as in the path. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** More, for the documentation: rules, order, units. */
  readonly description?: string;
  readonly access: Access;
  /** What `context` carries and the IAM statement allows. */
  readonly needs: readonly Needs[];
  /** `header`: the key comes in X-Api-Key only, and the body has no field for it. */
  readonly credential?: 'any' | 'header';
  /** The fields a request may bring, besides the result fields, which are accepted and ignored. */
  readonly request: () => Request;
  /** The result fields. */
  readonly response: () => Response;
  readonly failures: readonly FailureKind[];
  /** A request body without the key, for the documentation; a test sends it. */
  readonly example: Record<string, unknown>;
  run(
    request: RequestOf<Request>,
    context: Context<Needs>,
  ): Promise<ResponseOf<Response> | Saved<ResponseOf<Response>>>;
}

/** An operation of whatever shapes, as the pipeline and the document handle it. */
export interface Operation extends Omit<Definition, 'run'> {
  readonly group: string;
  readonly operation: string;
  run(request: never, context: Context<Need>): Promise<object>;
}

/** Defines an operation. */
export function operation<const Request extends Shape, const Response extends Shape, const Needs extends Need>(
  definition: Definition<Request, Response, Needs>,
): Operation {
  const [group = '', name = ''] = definition.name.split('/');
  return {
    ...definition,
    group,
    operation: name,
    run: (request, context) => definition.run(request as RequestOf<Request>, context as Context<Needs>),
  };
}
