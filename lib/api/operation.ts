import * as z from 'zod';
import { type FieldsInput, type Shape, type Unchanged, inputs, outputs } from '../resources/fields.ts';
import { once } from '../shared/promises.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import type { Context, Need } from './context.ts';

/** The validated request of an operation: `undefined` means not given, `null` means clear. */
type RequestOf<Of extends Shape> = FieldsInput<Of>;
/**
 * The answer of an operation; `Message` defaults to `""`. A page whose list has no Count names the Skip of the next
 * page, if there may be one, for the header X-Next-Skip.
 */
type ResponseOf<Of extends Shape> = { readonly [Name in keyof Of]: Unchanged<z.output<Of[Name]['output']>> } & {
  readonly Message?: string;
  readonly NextSkip?: number | undefined;
};

/** Fields that an operation adds to its log line: hashes and counts, never personal data. */
export type LogFields = Readonly<Record<string, string>>;

/** Reverts what an operation did outside the table, once it is certain that its changes were not made. */
export type Undo = () => Promise<void>;

/** An answer, with the changes to commit before it is sent. */
export class Saved<Answer> {
  readonly changes: readonly Change[];
  readonly answer: Answer;
  readonly logFields: LogFields;
  readonly undo: Undo | undefined;

  constructor(changes: readonly Change[], answer: Answer, logFields: LogFields = {}, undo?: Undo) {
    this.changes = changes;
    this.answer = answer;
    this.logFields = logFields;
    this.undo = undo;
  }
}

/**
 * Ends a writing operation: the changes and the saved response of the Idempotency-Key are committed in one transaction,
 * then the answer is sent. If a condition of a change fails at the commit, the operation runs again.
 */
export const save = <Answer>(
  changes: readonly Change[],
  answer: Answer,
  logFields?: LogFields,
  undo?: Undo,
): Saved<Answer> => new Saved(changes, answer, logFields, undo);

/** `admin` operations change permissions; only an Owner may call them. */
export type Access = 'read' | 'write' | 'admin';

/** The need of operations that declare none. */
type UsualNeed<Accesses extends Access> = Accesses extends 'read' ? 'table:read' : 'table:write';

/** Every writing operation may end in a conflict: its Idempotency-Key may belong to another request. */
type OwnFailure<Accesses extends Access> = Accesses extends 'read' ? 'notFound' | 'conflict' : 'notFound';

/** A multipart/form-data body. */
export interface FormBody {
  /** Includes the boundary. */
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/**
 * The single definition of an operation: routing, validation, documentation, permissions and shared tests come from it.
 */
export interface Definition<
  Request extends Shape = Shape,
  Response extends Shape = Shape,
  Accesses extends Access = Access,
  Needs extends Need = Need,
> {
  /** A title for lists and headings: `Book an appointment`. */
  readonly title: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** What a caller must know, in at most eight rules of a sentence or two. Longer texts belong in a guide. */
  readonly rules?: readonly string[];
  readonly access: Accesses;
  /**
   * Whether a request of a reading operation changes something: roles, keys and Idempotency-Key then treat it as a
   * write.
   */
  readonly isWrite?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** Whether a read uses the table's current state, as writes do, and not the container's caches. */
  readonly isCurrent?: true;
  /** Whether keys restricted to other operations may call it too, because it only tells a key about itself. */
  readonly isForEveryKey?: true;
  /** What `context` has and the IAM statement allows, if it is not just reading or writing the table. */
  readonly needs?: readonly Needs[];
  /** The most bytes of a request, if 256 KB are too few. */
  readonly maxBody?: number;
  /** Query parameters and their values; the first value is the default. */
  readonly query?: Readonly<Record<string, { readonly values: readonly string[]; readonly about: string }>>;
  /**
   * Where a caller that accepts one of these types is redirected by a 303. A lenient key that does not accept JSON gets
   * the file itself, if it fits in an answer.
   */
  readonly redirect?: {
    readonly types: readonly string[];
    readonly location: (answer: never) => string;
    readonly fits: (answer: never) => boolean;
  };
  /** The most values in a body that is large because of its values. */
  readonly maxValues?: number;
  /**
   * Builds the request fields from the parts of multipart/form-data, for operations that take files. Throws 401 if a
   * part has a key other than that of the call.
   */
  readonly readForm?: (body: FormBody, key: string) => Promise<Record<string, unknown>>;
  /**
   * Adjusts in place what a lenient key sends before it is validated, so that no request is lost for one value. Returns
   * sentences for Message. The country is that of the key's organization.
   */
  readonly readLenient?: (body: Record<string, unknown>, country: string) => readonly string[];
  /** The fields that a request may contain; none by default. Result fields are accepted too, and ignored. */
  readonly request?: () => Request;
  /** Request fields that typed clients of several operations send, and that mean nothing here. */
  readonly ignores?: () => readonly (keyof Request & string)[];
  /** Further ignored fields from which a caller may expect an effect: `Message` names those that are not blank. */
  readonly ignoresWithRemark?: () => readonly (keyof Request & string)[];
  /** The result fields. */
  readonly response: () => Response;
  /** A sentence on what to do if the answer exceeds 6 MB, for operations without pages. */
  readonly ifTooLarge?: string;
  /** Texts of the response that the saved response of an Idempotency-Key omits: a repeat answers them empty. */
  readonly shownOnce?: readonly (keyof Response & string)[];
  /** Failures that the document lists beside those of every operation, if they do not follow from the request. */
  readonly failures?: readonly OwnFailure<Accesses>[];
  /** What the document has beyond what follows from the definition. */
  readonly document?: () => {
    /** Fields that `run` requires, with a message of its own. */
    readonly required?: readonly (keyof Request & string)[];
    /** Sentences about fields of this operation, such as when one is required. */
    readonly fields?: { readonly [Name in keyof Request]?: string };
    /** Further media types of a request, with their Media Type Objects. */
    readonly requests?: Readonly<Record<string, object>>;
    /** Response Objects by status, like a 303. */
    readonly responses?: Readonly<Record<string, object>>;
  };
  /** A request body without the key, for the documentation and tests. Empty by default. */
  readonly example?: Record<string, unknown>;
  /** A sentence on what must be called before the example succeeds in the demo company. */
  readonly beforeExample?: string;
  run(
    request: RequestOf<Request>,
    context: Context<Needs>,
  ): Promise<ResponseOf<Response> | Saved<ResponseOf<Response>>>;
}

/** An operation of any shape before its group names it. */
export interface UnnamedOperation extends Omit<Definition, 'needs' | 'run'> {
  readonly needs: readonly Need[];
  readonly request: () => Shape;
  readonly example: Record<string, unknown>;
  /** Built on first use: schemas cost several milliseconds of a cold start. */
  readonly requestSchema: () => z.ZodType;
  readonly responseSchema: () => z.ZodType;
  /** The field by which a request limits its page, if there are pages. */
  readonly pageSizeField: () => 'Take' | 'Limit' | undefined;
  /** `request` is the output of `requestSchema`. */
  run(request: unknown, context: Context<Need>): Promise<object>;
}

/** An operation as the pipeline and the document use it. */
export interface Operation extends UnnamedOperation {
  /** `group/operation`, as in the path. */
  readonly name: string;
  readonly group: string;
  readonly operation: string;
}

/** A result field that typed clients send back in a request; it is ignored. A list must still be a list. */
const ignored = (result?: z.ZodType) =>
  (result instanceof z.ZodArray
    ? z.preprocess(
        (sent) => (sent === '' ? undefined : sent),
        z
          .array(z.unknown(), 'must be an array')
          .nullish()
          .transform(() => undefined),
      )
    : z.unknown()
  ).optional();

/** The schema of a request: its fields, the ignored result fields, and nothing else. */
type RequestDefinition = Pick<UnnamedOperation, 'request' | 'response' | 'ignores' | 'ignoresWithRemark'>;

/** The request fields without effect. */
export const ignoredFields = ({ ignores, ignoresWithRemark }: Omit<RequestDefinition, 'request' | 'response'>) => [
  ...(ignores?.() ?? []),
  ...(ignoresWithRemark?.() ?? []),
];

function requestSchema(definition: RequestDefinition) {
  const { request, response } = definition;
  const results = Object.entries(response()).map(([name, { output }]) => [name, ignored(output)] as const);
  const common = { ApiKey: z.string('must be a string').nullish(), ResultCode: ignored(), Message: ignored() };
  const fields: Record<string, z.ZodType> = inputs(request());
  // Validated like any field and then dropped, because the definition ignores them.
  for (const name of ignoredFields(definition)) fields[name] = (fields[name] ?? ignored()).transform(() => undefined);
  return z.strictObject({ ...Object.fromEntries(results), ...common, ...fields }, 'must be an object');
}

function pageSizeField({ request }: Pick<UnnamedOperation, 'request'>): 'Take' | 'Limit' | undefined {
  const fields = request();
  return 'Skip' in fields ? (['Take', 'Limit'] as const).find((name) => name in fields) : undefined;
}

export function operation<
  const Request extends Shape = Record<never, never>,
  const Response extends Shape = Shape,
  const Accesses extends Access = Access,
  const Needs extends Need = UsualNeed<Accesses>,
>(definition: Definition<Request, Response, Accesses, Needs>): UnnamedOperation {
  const request = definition.request ?? (() => ({}));
  const usual: Need = definition.access === 'read' ? 'table:read' : 'table:write';
  return {
    ...definition,
    request,
    example: definition.example ?? {},
    needs: definition.needs ?? [usual],
    requestSchema: once(() => requestSchema({ ...definition, request })),
    responseSchema: once(() =>
      z.object({ ...outputs(definition.response()), ResultCode: z.int(), Message: z.string() }),
    ),
    pageSizeField: once(() => pageSizeField({ request })),
    // The pipeline passes the output of requestSchema and a context with every need.
    run: definition.run as UnnamedOperation['run'],
  };
}
