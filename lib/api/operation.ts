import * as z from 'zod';
import { type FieldsInput, type Shape, type Unchanged, inputs, outputs } from '../resources/fields.ts';
import { once } from '../shared/promises.ts';
import type { Change } from '../store/dynamodb/changes.ts';
import type { Context, Need } from './context.ts';

/** The validated request of an operation: `undefined` means not given, `null` means clear. */
type RequestOf<Of extends Shape> = FieldsInput<Of>;
/**
 * The answer of an operation; `Message` defaults to `""`. A page whose list has no Count names the Skip of the next
 * one, if one may follow: it is the header X-Next-Skip.
 */
type ResponseOf<Of extends Shape> = { readonly [Name in keyof Of]: Unchanged<z.output<Of[Name]['output']>> } & {
  readonly Message?: string;
  readonly NextSkip?: number | undefined;
};

/** Fields that an operation adds to its log line: hashes and counts, never personal data. */
export type LogFields = Readonly<Record<string, string>>;

/** Takes back what an operation did outside of the table, once it is certain that its changes were not made. */
export type Undo = () => Promise<void>;

/** An answer with the changes to commit before it is sent. */
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
 * Ends a writing operation: the changes are committed in one transaction with the saved response of the
 * Idempotency-Key, then the answer is sent. If a condition of a change fails at the commit, the operation runs again.
 */
export const save = <Answer>(
  changes: readonly Change[],
  answer: Answer,
  logFields?: LogFields,
  undo?: Undo,
): Saved<Answer> => new Saved(changes, answer, logFields, undo);

/** `admin` operations change who may do what; only an Owner may call them. */
export type Access = 'read' | 'write' | 'admin';

/** What operations need that name no needs of their own. */
type UsualNeed<Accesses extends Access> = Accesses extends 'read' ? 'table:read' : 'table:write';

/** Every operation that writes may end in a conflict: its Idempotency-Key may belong to another request. */
type OwnFailure<Accesses extends Access> = Accesses extends 'read' ? 'notFound' | 'conflict' : 'notFound';

/** A body of multipart/form-data. */
export interface FormBody {
  /** With its boundary. */
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/**
 * The one definition of an operation: routing, validation, documentation, permissions and shared tests come from it.
 */
export interface Definition<
  Request extends Shape = Shape,
  Response extends Shape = Shape,
  Accesses extends Access = Access,
  Needs extends Need = Need,
> {
  /** For lists and headings: `Book an appointment`. */
  readonly title: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** What a caller must know, each a sentence or two; at most eight. What is longer belongs into a guide. */
  readonly rules?: readonly string[];
  readonly access: Accesses;
  /** Whether a request of a reading operation changes something: for roles, keys and Idempotency-Key it is a write. */
  readonly isWrite?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** A read that decides by what the table holds, as writes do, and not by what the container remembers. */
  readonly isCurrent?: true;
  /** Whether keys that were made for other operations may call it too: it tells a key about itself alone. */
  readonly isForEveryKey?: true;
  /** What `context` carries and the IAM statement allows, if that is not the table: to read it, or to write too. */
  readonly needs?: readonly Needs[];
  /** Bytes that a request may have, if 256 KB are too few. */
  readonly maxBody?: number;
  /** Parameters of the query string, and their values; the first is the default. */
  readonly query?: Readonly<Record<string, { readonly values: readonly string[]; readonly about: string }>>;
  /**
   * Where a caller goes at once who accepts one of these types: the answer is 303 then. A lenient key that does not
   * accept JSON gets the file itself, if it fits an answer.
   */
  readonly redirect?: {
    readonly types: readonly string[];
    readonly location: (answer: never) => string;
    readonly fits: (answer: never) => boolean;
  };
  /** Values that a body may have, if it is large for other reasons than many values. */
  readonly maxValues?: number;
  /**
   * Makes the fields of a request of the parts of multipart/form-data, for operations that take files. Throws 401 for
   * another key than that of the call.
   */
  readonly readForm?: (body: FormBody, key: string) => Promise<Record<string, unknown>>;
  /**
   * Reads, in place, what a lenient key sends, before it is validated: no request is lost for one value. Returns
   * sentences for Message. The country is that of the key's organization.
   */
  readonly readLenient?: (body: Record<string, unknown>, country: string) => readonly string[];
  /** The fields a request may contain, besides the result fields, which are accepted and ignored; none by default. */
  readonly request?: () => Request;
  /** Fields of the request that typed clients of several operations send, and that mean nothing here. */
  readonly ignores?: () => readonly (keyof Request & string)[];
  /** Others without effect, from which a caller may expect one: `Message` names those that are not blank. */
  readonly ignoresWithRemark?: () => readonly (keyof Request & string)[];
  /** The result fields. */
  readonly response: () => Response;
  /** What a caller may do where the answer would exceed 6 MB, if it has no pages: a sentence. */
  readonly ifTooLarge?: string;
  /** Texts of the response that a saved response of an Idempotency-Key does not have: a repeat answers them empty. */
  readonly shownOnce?: readonly (keyof Response & string)[];
  /** What the document lists beside the failures of every operation, if it is not what the request shows. */
  readonly failures?: readonly OwnFailure<Accesses>[];
  /** What the document has beside what follows from the definition. */
  readonly document?: () => {
    /** Fields that `run` requires, with a message of its own. */
    readonly required?: readonly (keyof Request & string)[];
    /** Sentences about fields of this operation, such as when one is required. */
    readonly fields?: { readonly [Name in keyof Request]?: string };
    /** Media types that a request may also have, with their Media Type Objects. */
    readonly requests?: Readonly<Record<string, object>>;
    /** Response Objects by status, like a 303. */
    readonly responses?: Readonly<Record<string, object>>;
  };
  /** A request body without the key, for the documentation; tests send it. An empty one by default. */
  readonly example?: Record<string, unknown>;
  /** What must be called before the example succeeds in the demo company: a sentence. */
  readonly beforeExample?: string;
  run(
    request: RequestOf<Request>,
    context: Context<Needs>,
  ): Promise<ResponseOf<Response> | Saved<ResponseOf<Response>>>;
}

/** An operation of any shape, before its group gives it its name. */
export interface UnnamedOperation extends Omit<Definition, 'needs' | 'run'> {
  readonly needs: readonly Need[];
  readonly request: () => Shape;
  readonly example: Record<string, unknown>;
  /** Built on first use: schemas cost several milliseconds of a cold start. */
  readonly requestSchema: () => z.ZodType;
  readonly responseSchema: () => z.ZodType;
  /** The field by which a request limits its page, if it has pages. */
  readonly pageSizeField: () => 'Take' | 'Limit' | undefined;
  /** `request` is the output of `requestSchema`. */
  run(request: unknown, context: Context<Need>): Promise<object>;
}

/** An operation as the pipeline and the document handle it. */
export interface Operation extends UnnamedOperation {
  /** `group/operation`, as in the path. */
  readonly name: string;
  readonly group: string;
  readonly operation: string;
}

/** A result field, which typed clients send back in a request; it is ignored. A list must be one. */
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

/** The fields of the request, and the ignored result fields; nothing else. */
type RequestDefinition = Pick<UnnamedOperation, 'request' | 'response' | 'ignores' | 'ignoresWithRemark'>;

/** The fields of the request that have no effect. */
export const ignoredFields = ({ ignores, ignoresWithRemark }: Omit<RequestDefinition, 'request' | 'response'>) => [
  ...(ignores?.() ?? []),
  ...(ignoresWithRemark?.() ?? []),
];

function requestSchema(definition: RequestDefinition) {
  const { request, response } = definition;
  const results = Object.entries(response()).map(([name, { output }]) => [name, ignored(output)] as const);
  const common = { ApiKey: z.string('must be a string').nullish(), ResultCode: ignored(), Message: ignored() };
  const fields: Record<string, z.ZodType> = inputs(request());
  // Checked like any field, and dropped: what the definition calls ignored has no effect.
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
    // The pipeline passes the output of requestSchema and a context of every need.
    run: definition.run as UnnamedOperation['run'],
  };
}
