import * as z from 'zod';
import type { FieldErrorCode } from '../shared/failure-codes.ts';
import { type Failure, type FieldError, MAX_ERRORS, invalidFields, quote } from '../shared/failure.ts';
import { type UnknownField, formatPath, unwrap } from './http/read-values.ts';
import type { Operation } from './operation.ts';
import { dependsOnCountry, readNumber } from '../shared/text/read-values.ts';
import { suggestField } from './suggest-field.ts';

/** Says what is wrong with a request and what its schema expects in that place. */

type Path = readonly PropertyKey[];

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], body);

/** The schema at `path`, inside optional, nullable, lazy and preprocessed ones. */
const schemaAt = (schema: z.ZodType, path: Path): z.core.$ZodType | undefined =>
  path.reduce<z.core.$ZodType | undefined>((outer, step) => {
    if (outer instanceof z.ZodArray) return unwrap(outer.element);
    return outer instanceof z.ZodObject
      ? unwrap((outer.shape as Record<PropertyKey, z.core.$ZodType>)[step])
      : undefined;
  }, unwrap(schema));

/** The most unknown fields per answer for which the nearest name is looked up: each is compared with 60 names. */
const MAX_HINTS = 10;

/** Fields that integrators expect everywhere, with advice for objects that lack them. */
const hintsByField: ReadonlyMap<string, string> = new Map([
  ['OrganizationId', '; the organization follows from the key, or from the record that the call names'],
  ['SkipConflictChecks', '; appointments/book and update take it'],
]);

type Asked = Pick<Operation, 'group' | 'request' | 'response' | 'requestSchema'>;

/** The fields of a request without the result fields, which it may contain without effect. */
function settable({ request, response, requestSchema }: Asked): z.core.$ZodType {
  const own = request();
  const results = Object.keys(response()).filter((name) => !(name in own));
  const schema = requestSchema() as z.ZodObject<Record<string, z.ZodType>>;
  return schema.omit(Object.fromEntries(results.map((name) => [name, true])) as Record<string, true>);
}

/** `ProposalId` in proposal/update, whose own Id is called Id. */
const isOwnId = (name: string, { group, request }: Asked): boolean =>
  name.toLowerCase() === `${group.replace(/s$/, '')}id` && 'Id' in request();

/** A field name of this object, else of an object within it: `DateTime` → `Slots[0].DateTime`. */
function suggest(name: string, schema: z.core.$ZodType | undefined): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const within = nestedFields(schema).find(({ field }) => field.toLowerCase() === name.toLowerCase());
  return within?.path ?? suggestField(name, Object.keys(schema.shape));
}

/** Says that its object does not have a field, and which one may be meant. */
function describeUnknown(key: string, path: Path, operation: Asked, hasHint: boolean): string {
  const isTop = path.length === 0;
  const object = isTop ? settable(operation) : schemaAt(operation.requestSchema(), path);
  const near = isTop && isOwnId(key, operation) ? 'Id' : hasHint ? suggest(key, object) : undefined;
  return `is not a field${near ? `; did you mean ${near}?` : (hintsByField.get(key) ?? '')}`;
}

const unknownFieldErrors = (
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  operation: Asked,
  limit: number,
  hints: number,
): FieldError[] =>
  keys
    .slice(0, limit)
    .map((key, index) => ({
      field: formatPath([...path, key.slice(0, 100)]),
      code: 'unknown_field',
      message: describeUnknown(key, path, operation, index < hints),
    }));

/** Values that typed clients send for fields they do not set. */
const isBlank = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** Remarks in Message about fields that have no effect here although a caller may expect one. */
export function unusedRemarks(
  { name, ignoresWithRemark }: Pick<Operation, 'name' | 'ignoresWithRemark'>,
  body: Readonly<Record<string, unknown>>,
): string[] {
  const sent = ignoresWithRemark?.().filter((field) => !isBlank(body[field])) ?? [];
  return sent.length ? [`${name} does not use ${sent.join(', ')}.`] : [];
}

/** Remarks in Message about unknown fields that a lenient key sent, a sentence each. */
export function ignoredRemarks(operation: Asked, unknown: readonly UnknownField[]): string[] {
  const remarks = unknown.slice(0, MAX_HINTS).map(({ path, name }) => {
    const message = describeUnknown(String(path.at(-1)), path.slice(0, -1), operation, true);
    const sentence = `${quote(name)} ${message.replace('is not a field', 'is not a field and is ignored')}`;
    return sentence.endsWith('?') ? sentence : `${sentence}.`;
  });
  const more = unknown.length - remarks.length;
  return more > 0 ? [...remarks, `${more} more ${more === 1 ? 'field is' : 'fields are'} ignored.`] : remarks;
}

/** The first issue of the union's branch that accepts values of this type: a text is too long, not of another type. */
function issueOfType(issue: z.core.$ZodIssueInvalidUnion, value: unknown): z.core.$ZodIssue | undefined {
  const takesType = ([first]: z.core.$ZodIssue[]) =>
    first?.path.length === 0 && (first.code !== 'invalid_type' || (first.expected === 'array' && Array.isArray(value)));
  const [found] = issue.errors.find(takesType) ?? [];
  return found && { ...found, path: issue.path };
}

function toError(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown): FieldError {
  const value = valueAt(body, issue.path);
  const inner = issue.code === 'invalid_union' ? issueOfType(issue, value) : undefined;
  if (inner) return toError(inner, schema, body);
  const field = formatPath(issue.path);
  if (issue.code !== 'invalid_type') return { field, code: codeOf(issue), message: issue.message };
  if (value == null || value === '' || value === 0) return { field, code: 'required', message: 'is required' };
  const hint = isMoment(issue.message)
    ? ', such as "2027-04-01T09:00"'
    : describeType(issue.expected, value, schemaAt(schema, issue.path));
  const code = issue.expected === 'array' && Array.isArray(value) ? 'too_long' : 'type';
  return { field, code, message: `${issue.message}${hint || describeId(field, value)}` };
}

/** The code of an issue whose value has the right type. */
function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  if (issue.code === 'too_small' && issue.origin === 'array') return 'required';
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    const hasLength = issue.origin === 'string' || issue.origin === 'array';
    return hasLength ? 'too_long' : 'range';
  }
  if (issue.code === 'custom') return (issue.params?.['code'] as FieldErrorCode | undefined) ?? 'invalid_value';
  if (issue.code === 'invalid_format') return 'format';
  if (issue.code === 'invalid_value') return 'unknown_value';
  return issue.code === 'invalid_union' ? 'type' : 'invalid_value';
}

/** A number is not a moment in quotes either. */
const isMoment = (message: string): boolean => message === 'must be a date and time';

/** Hints at ids, because names are often sent instead. */
const describeId = (field: string, value: unknown): string =>
  typeof value === 'string' && /[a-z](?:Id|ID)$/.test(field) ? ': the id, not a name' : '';

/** The number of a code's word: `; send 1 for Call`. */
function describeWord(word: string, description: string): string {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const code = [...description.matchAll(/\b(\d+) ([^,]+)/g)].find(([, , name = '']) => letters(name) === letters(word));
  return code ? `; send ${code[1]} for ${code[2]}` : `: ${description}`;
}

/** What a value of the wrong type should look like: `, such as {"Id": 1}`; empty if the message says enough. */
function describeType(expected: string, value: unknown, schema: z.core.$ZodType | undefined): string {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (expected === 'array' ? !Array.isArray(value) : ['object', 'record'].includes(expected) && !isObject) {
    const isEncoded = typeof value === 'string' && /^\s*[[{]/.test(value);
    const sample = sampleOf(schema);
    const example = sample ? `, such as ${sample}` : '';
    return isEncoded ? ` and not text that contains JSON${example}` : example;
  }
  if (expected === 'string' && typeof value === 'number') return `; send "${value}" in quotes`;
  if (expected === 'string' && typeof value === 'object')
    return Array.isArray(value) ? ', not a list' : ', not an object';
  if (typeof value !== 'string') return '';
  const text = value.trim().slice(0, 40);
  const isNumber = expected === 'number' || expected === 'int';
  if (isNumber && dependsOnCountry(text))
    return `; send ${text.replace(',', '')} or ${text.replace(',', '.')} without quotes`;
  const amount = readNumber(text.replace(/^[$€£]/, ''));
  if (isNumber && amount !== undefined) return `; send ${amount} without quotes`;
  const meta = schema instanceof z.ZodNumber ? schema.meta() : undefined;
  return meta?.['x-enum-varnames'] ? describeWord(text, meta.description?.replace(/\.$/, '') ?? '') : '';
}

/** The 400 of a request that its schema refuses, with every invalid field. */
export function invalidRequest(operation: Asked, { issues }: z.core.$ZodError, body: unknown): Failure {
  const schema = operation.requestSchema();
  const errors: FieldError[] = [];
  let hints = MAX_HINTS;
  for (const issue of issues) {
    const left = MAX_ERRORS - errors.length;
    if (left <= 0) break;
    if (issue.code === 'unrecognized_keys') {
      errors.push(...unknownFieldErrors(issue, operation, left, hints));
      hints = Math.max(0, hints - issue.keys.length);
    } else errors.push(toError(issue, schema, body));
  }
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
  return invalidFields(errors, count);
}

type Schema = z.core.$ZodType | undefined;

const fieldsOf = (schema: z.ZodObject): (readonly [string, Schema])[] =>
  Object.entries(schema.shape as Record<string, z.core.$ZodType>);

/** Fields of many objects: a request that lacks one may mean any of them. */
const COMMON = new Set(['Id', 'Name', 'Description', 'Notes', 'Value', 'ApiKey', 'ResultCode', 'Message']);

/** The fields of nested objects and of objects in lists: `{ field: 'DateTime', path: 'Slots[0].DateTime' }`. */
const nestedFields = (schema: z.ZodObject): { readonly field: string; readonly path: string }[] =>
  fieldsOf(schema).flatMap(([name, of]) => {
    const own = unwrap(of);
    const [inner, path] = own instanceof z.ZodArray ? [unwrap(own.element), `${name}[0]`] : [own, name];
    return inner instanceof z.ZodObject
      ? Object.keys(inner.shape as object)
          .filter((field) => !COMMON.has(field))
          .map((field) => ({ field, path: `${path}.${field}` }))
      : [];
  });

/** The fields that best name a record come first, then the order of the resource. */
const FIRST = ['Id', 'Name', 'ContactId', 'DateTime', 'ServiceAgentId', 'PartId', 'Quantity'];
const SAMPLE_FIELDS = 3;

/** A value of a simple type as JSON. */
function simpleSample(schema: Schema): string | undefined {
  if (schema instanceof z.ZodNumber) return '1';
  if (schema instanceof z.ZodString) return '"text"';
  if (schema instanceof z.ZodBoolean) return 'true';
  return schema instanceof z.ZodEnum ? JSON.stringify(schema.options[0]) : undefined;
}

/** A value of an object or a list as JSON, shortened: `{"Id": 1, "Name": "text", …}`. */
function sampleOf(schema: Schema): string | undefined {
  if (schema instanceof z.ZodArray) {
    const element = unwrap(schema.element);
    const sample = sampleOf(element) ?? simpleSample(element);
    return sample && `[${sample}]`;
  }
  if (schema instanceof z.ZodRecord) return '{"name": "value"}';
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = fieldsOf(schema).flatMap(([name, of]) => {
    const sample = simpleSample(unwrap(of));
    return sample ? [{ name, text: `"${name}": ${sample}` }] : [];
  });
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const listed = fields.toSorted((one, other) => rank(one.name) - rank(other.name)).slice(0, SAMPLE_FIELDS);
  return listed.length
    ? `{${listed.map(({ text }) => text).join(', ')}${fields.length > listed.length ? ', …' : ''}}`
    : '{}';
}
