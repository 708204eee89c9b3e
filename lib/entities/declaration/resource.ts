import type { Field, Fields, Flat } from './field.ts';
import * as kinds from '../../resources/fields.ts';
import type * as z from 'zod';
import type { Entity, NameIn, Variant } from './entity.ts';
import type { FieldOptions } from './options.ts';

/**
 * The requests and responses of the API for a record, as its entity declares them. Calls are marked `@__PURE__`, so
 * that esbuild drops resources that nobody imports, and zod with them.
 */

type Contract<Of> =
  Of extends Field<unknown, infer Options, unknown, infer Kind>
    ? Options extends { readonly nullable: true } | { readonly shownNullable: true }
      ? Kind extends kinds.Field<infer Output, infer Input>
        ? kinds.Field<z.ZodNullable<Output>, Input, false>
        : never
      : Kind
    : never;

/** A field in requests, regardless of whether it may be `null`. */
type InputContract<Of> = Of extends Field<unknown, FieldOptions, unknown, infer Kind> ? Kind : never;

type Shown<Of extends Fields, Option extends Variant = 'resource'> = {
  [Name in keyof Of as NameIn<Option, Name, Of[Name]['options']> & string]: Contract<Of[Name]>;
};

type Taken<Of extends Fields> = {
  [Name in keyof Of as NameIn<'input', Name, Of[Name]['options']> & string]: InputContract<Of[Name]>;
};

type Event<Of extends Fields> = {
  [Name in keyof Of as Of[Name]['options'] extends { readonly event: true } ? Name & string : never]: Contract<
    Of[Name]
  >;
};

type With<Of, Others> = Flat<Omit<Of, keyof Others> & Others>;

function contractOf(name: string, { contract, options }: Field, mayBeNull: boolean): kinds.Field {
  if (!contract) throw new TypeError(`The contract has no kind for ${name}.`);
  const of = contract(kinds);
  const told = options.description === undefined ? of : kinds.described(of, options.description);
  const shown = mayBeNull ? kinds.nullable(told) : told;
  return options.extension ? kinds.extension(shown) : shown;
}

/** The fields with an option, under their names there. A field of `others` takes the place of its namesake. */
function shapeOf(fields: Fields, option: Variant | 'input' | 'event', others: kinds.Shape): kinds.Shape {
  const named = Object.entries(fields).flatMap(([name, field]): [string, kinds.Field][] => {
    const as = field.options[option];
    const shown = typeof as === 'string' ? as : name;
    const other = others[shown];
    if (other) return [[shown, other]];
    if (as === undefined) return [];
    const mayBeNull = option !== 'input' && (field.options.nullable ?? field.options.shownNullable) === true;
    return [[shown, contractOf(name, field, mayBeNull)]];
  });
  return { ...Object.fromEntries(named), ...others };
}

const none = () => ({});

/** The resource that shows a record: its fields with `resource`, computed fields, and `others`. */
export function resourceOf<const Of extends Fields, Others extends kinds.Shape = Record<never, never>>(
  { name, declared }: Pick<Entity<Of>, 'name' | 'declared'>,
  { title = name, ...options }: kinds.ResourceOptions<With<Shown<Of>, Others>> & { readonly title?: string } = {},
  others: () => Others = none as () => Others,
): kinds.Resource<With<Shown<Of>, Others>> {
  const shape = () => shapeOf(declared, 'resource', others()) as With<Shown<Of>, Others>;
  const readOnly = Object.entries<Field>(declared).flatMap(([field, { options }]) =>
    options.readOnly ? [typeof options.resource === 'string' ? options.resource : field] : [],
  );
  const computed = [...readOnly, ...(options.computed ?? [])] as (keyof With<Shown<Of>, Others> & string)[];
  return kinds.resource(title, shape, { ...options, computed });
}

/** The base variant of the resource: its fields with `base`, and `others`. */
export function baseOf<const Of extends Fields, Others extends kinds.Shape = Record<never, never>>(
  { name, declared }: Pick<Entity<Of>, 'name' | 'declared'>,
  others: () => Others = none as () => Others,
): kinds.Resource<With<Shown<Of, 'base'>, Others>> {
  return kinds.resource(name, () => shapeOf(declared, 'base', others()) as With<Shown<Of, 'base'>, Others>);
}

/** A form of a resource without some of its fields; a field of `others` takes the place of its namesake. */
export function reducedOf<
  Of extends kinds.Shape,
  Name extends keyof Of & string,
  Others extends { [Kept in Exclude<keyof Of, Name>]?: kinds.Field } = Record<never, never>,
>(
  of: kinds.Resource<Of>,
  {
    title,
    without,
    carriesResult = false,
  }: { readonly title: string; readonly without: readonly Name[]; readonly carriesResult?: boolean },
  others: () => Others = none as () => Others,
): kinds.Resource<With<Omit<Of, Name>, Others>> {
  const shape = () => ({ ...kinds.without(of, ...without), ...others() }) as unknown as With<Omit<Of, Name>, Others>;
  const removed: readonly string[] = without;
  const computed = of.computed.filter((name) => !removed.includes(name)) as (keyof With<Omit<Of, Name>, Others> &
    string)[];
  return kinds.resource(title, shape, { carriesResult, computed });
}

/** The Data of its events: its resource, the fields with `event`, and `others`. */
export function eventDataOf<
  const Of extends Fields,
  Shape extends kinds.Shape,
  Others extends kinds.Shape = Record<never, never>,
>(
  { name, declared }: Pick<Entity<Of>, 'name' | 'declared'>,
  resource: { shape(): Shape },
  others: () => Others = none as () => Others,
): kinds.Resource<With<With<Shape, Event<Of>>, Others>> {
  const shape = () => ({ ...resource.shape(), ...shapeOf(declared, 'event', others()) });
  return kinds.resource(`${name}EventData`, shape as unknown as () => With<With<Shape, Event<Of>>, Others>);
}

/** The fields that callers set: those with `input`, and `others`, which need more than their kind. */
export function inputOf<const Of extends Fields, Others extends kinds.Shape = Record<never, never>>(
  { declared }: Pick<Entity<Of>, 'declared'>,
  others: () => Others = none as () => Others,
): () => With<Taken<Of>, Others> {
  return () => shapeOf(declared, 'input', others()) as With<Taken<Of>, Others>;
}
