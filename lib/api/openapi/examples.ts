import type { JsonSchema } from './schemas.ts';

/** Example values by field name; the first matching pattern counts. */
const valuesByName: readonly (readonly [RegExp, unknown])[] = [
  [/Hash(Key)?$/, '7gQ2mXc0RkZ4tVb9LhW1sE'],
  [/^(Skip|EventCount|Count|Records)$/, 1],
  [/Id$/, 1042],
  [/Email/, 'ada.reyes@example.com'],
  [/Phone$|^CallerNumber$/, '(207) 555-0142'],
  [/^Name$|ContactName/, 'Ada Reyes'],
  [/^Company$/, 'Reyes Bakery'],
  [/^Address1?$/, '18 Commercial Street'],
  [/^City$/, 'Portland'],
  [/^State$/, 'ME'],
  [/^(Zip|PostalCode|PostalCodes)$/, '04101'],
  [/^Country$/, 'US'],
  [/^(Timezone|TimeZone)$/, 'America/New_York'],
  [/Formatted$/, 'Sun, Mar 8 2026 9:00 AM'],
  [/^(DateTime|ActualStart|ActualFinish|SelectedDate)$/, '2026-03-08T09:00:00-04:00'],
  [/Date$|^Due$/, '2026-03-08'],
  [/(Url|Uri|Link)$/, 'https://example.com/7gQ2mXc0RkZ4tVb9LhW1sE'],
  [/(Price|Total|Subtotal|Amount|Extended|BalanceDue)$/, 189.5],
  [/^Quantity$/, 2],
];

/** Levels of nesting in an example; deeper lists are empty. */
const MAX_DEPTH = 2;

type Components = Record<string, JsonSchema>;

const resolve = (schema: JsonSchema, components: Components): JsonSchema =>
  schema.$ref ? (components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;

const ifOfType = (type: string | undefined, value: unknown): unknown =>
  typeof value === type || ((type === 'integer' || type === 'number') && typeof value === 'number') ? value : undefined;

/** A value of the schema, the same at every call: from the request's example, then by field name, then by type. */
export function exampleValue(
  schema: JsonSchema,
  components: Components,
  requestExample: Record<string, unknown> = {},
  name = '',
  depth = 0,
): unknown {
  if (schema.anyOf) {
    const isNullable = schema.anyOf.some(({ type }) => type === 'null');
    if (isNullable && depth > 1) return null;
    return exampleValue(schema.anyOf[0] ?? {}, components, requestExample, name, depth);
  }
  const resolved = resolve(schema, components);
  const [type] = [resolved.type ?? (resolved.properties ? 'object' : 'any')].flat() as string[];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(resolved.properties ?? {}).map(([field, property]) => [
        field,
        exampleValue(property as JsonSchema, components, requestExample, field, depth + 1),
      ]),
    );
  if (type === 'array')
    return depth > MAX_DEPTH
      ? []
      : [exampleValue(resolved.items as JsonSchema, components, requestExample, name, depth)];
  if (resolved.enum) return resolved.enum[0];
  if (resolved.format === 'date-time') return '2026-03-08T13:00:00Z';
  return (
    ifOfType(type, requestExample[name]) ??
    ifOfType(type, valuesByName.find(([pattern]) => pattern.test(name))?.[1]) ??
    { string: '', boolean: false, integer: 0, number: 0 }[type ?? ''] ??
    null
  );
}
