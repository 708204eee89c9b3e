import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../../infra/openapi.ts';
import type { JsonSchema } from '../../../lib/api/openapi/schemas.ts';

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
}

/** An operation as the document has it; a response may be a reference to a shared one. */
interface DocumentedOperation {
  readonly 'x-extension'?: true;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body | { readonly $ref: string }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly summary: string } }>>;
  readonly paths: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Body>>;
  };
}

/** The full document as a reader gets it: what JSON cannot say is not in it. */
export const document = JSON.parse(JSON.stringify(apiDocument({ isFull: true }))) as Document;

const validators = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(validators);
validators.addSchema(document, 'document');

/** The errors of a value against the schema at a place of the document, found by a validator of its own. */
export function schemaErrors(place: readonly string[], value: unknown): string[] {
  const escaped = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = validators.getSchema(`document#/${escaped.join('/')}`);
  if (!validate) throw new TypeError(`${place.join('/')} is not in the document`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}

/** What a reference within the document points to; throws when it points nowhere. */
export function resolve(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  if (found === undefined) throw new TypeError(`${reference} points nowhere`);
  return found;
}

export const responseOf = (response: Body | { readonly $ref: string }): Body =>
  '$ref' in response ? (resolve(response.$ref) as Body) : response;

/** The one schema of a request or a response. */
export const schemaIn = ({ content }: Body): JsonSchema => Object.values(content)[0]?.schema ?? {};
export const exampleIn = ({ content }: Body): unknown => Object.values(content)[0]?.example;

/** Every alternative a schema allows, references followed. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
  const of = schema.$ref ? (resolve(schema.$ref) as JsonSchema) : schema;
  const any = of.anyOf ?? of.oneOf;
  return any ? any.flatMap(alternatives) : [of];
}

/** The JSON types a schema allows; `any` where it does not say. */
export const typesOf = (schema: JsonSchema): string[] =>
  alternatives(schema).flatMap((one) => (one.type as string | string[] | undefined) ?? 'any');

/** The fields of an object. */
export const fieldsOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  Object.assign({}, ...alternatives(schema).map(({ properties }) => properties ?? {})) as Record<string, JsonSchema>;

/** The names that an object must have. */
export const requiredIn = (schema: JsonSchema): string[] =>
  alternatives(schema).flatMap(({ required }) => required ?? []);

const scalars: Record<string, readonly string[]> = {
  int32: ['integer'],
  string: ['string'],
  boolean: ['boolean'],
  decimal: ['number'],
  double: ['number'],
  datetime: ['string'],
  char: ['string', 'array'],
  object: ['object', 'array', 'string', 'number', 'boolean', 'any'],
  'dictionary`2': ['object'],
  'ienumerable`1': ['array'],
  invoicestatus: ['string'],
  invoicetype: ['string'],
  brandingrevenuecategorymaximumperiod: ['string'],
};

/**
 * What is wrong with a schema that should hold a type of the contract (`int32`, `String[]`, `Contact`); empty when
 * nothing is.
 */
export function misfits(schema: JsonSchema, type: string): string {
  const types = typesOf(schema);
  if (type.endsWith('[]')) {
    const array = alternatives(schema).find((one) => [one.type].flat().includes('array'));
    return array
      ? misfits((array.items ?? {}) as JsonSchema, type.slice(0, -2))
      : `an array of ${type} is not ${types.join(' or ')}`;
  }
  const expected = scalars[type.toLowerCase()] ?? ['object'];
  return types.includes('any') || types.some((one) => expected.includes(one))
    ? ''
    : `${type} is not ${types.join(' or ')}`;
}
