import type { JsonSchema } from './schemas.ts';

/** Values by the name of a field, by the first pattern that fits; a reader takes in `04101` sooner than `string`. */
const byName: readonly (readonly [RegExp, unknown])[] = [
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

/** Levels of nesting an example shows; below them lists are empty, so that it stays readable. */
const DEEPEST = 2;

type Components = Record<string, JsonSchema>;

const resolved = (schema: JsonSchema, components: Components): JsonSchema =>
  schema.$ref ? (components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;

/**
 * A value of the schema, the same at every call: `known` values first (those of the request's example), then by name,
 * then by type.
 */
export function sample(
  schema: JsonSchema,
  components: Components,
  known: Record<string, unknown> = {},
  name = '',
  depth = 0,
): unknown {
  if (schema.anyOf) {
    const nothing = schema.anyOf.some(({ type }) => type === 'null');
    return nothing && depth > 1 ? null : sample(schema.anyOf[0] ?? {}, components, known, name, depth);
  }
  const of = resolved(schema, components);
  const [type] = [of.type ?? (of.properties ? 'object' : 'any')].flat() as string[];
  if (type === 'object') {
    const entries = Object.entries(of.properties ?? {}).map(([field, one]) => [
      field,
      sample(one as JsonSchema, components, known, field, depth + 1),
    ]);
    return Object.fromEntries(entries) as unknown;
  }
  if (type === 'array') return depth > DEEPEST ? [] : [sample(of.items as JsonSchema, components, known, name, depth)];
  if (of.enum) return of.enum[0];
  const found = fits(type, known[name]) ?? fits(type, byName.find(([pattern]) => pattern.test(name))?.[1]);
  if (of.format === 'date-time') return '2026-03-08T13:00:00Z';
  return found ?? { string: '', boolean: false, integer: 0, number: 0 }[type ?? ''] ?? null;
}

const fits = (type: string | undefined, value: unknown): unknown =>
  typeof value === type || ((type === 'integer' || type === 'number') && typeof value === 'number') ? value : undefined;
