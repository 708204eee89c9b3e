import type { Fields, StoredType } from './field.ts';
import type { FieldOptions } from './options.ts';

/** The names of the fields whose declaration has these options. */
export type MarkedNames<Of extends Fields, Mark> = {
  [Name in keyof Of]: Of[Name]['options'] extends Mark ? Name : never;
}[keyof Of] &
  string;

type InputNames<Of extends Fields, Value> = {
  [Name in MarkedNames<Of, { readonly input: true }>]: Of[Name]['absent'] extends Value ? Name : never;
}[MarkedNames<Of, { readonly input: true }>];

const namesWhere = <Name extends string>(
  fields: Fields,
  isMarked: (options: FieldOptions, stored: StoredType) => boolean,
): Name[] =>
  Object.entries(fields).flatMap(([name, { options, stored }]) => (isMarked(options, stored) ? [name as Name] : []));

/** The fields that callers set directly, by their stored type. */
export function inputNames<const Of extends Fields>(fields: Of) {
  const inputs = <Value>(type: StoredType) =>
    namesWhere<InputNames<Of, Value>>(fields, ({ input }, stored) => input === true && stored === type);
  return {
    texts: inputs<string>('string'),
    flags: inputs<boolean>('boolean'),
    ids: inputs<number | null>('number'),
  } as const;
}

/** The fields that identify a person. */
export const identityNames = <const Of extends Fields>(fields: Of) =>
  namesWhere<MarkedNames<Of, { readonly personal: 'identity' }>>(fields, ({ personal }) => personal === 'identity');

/** The fields that the base variant of the resource has under another name, with that name. */
export const baseNames = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { options }]) =>
      typeof options.base === 'string' ? [[name, options.base]] : [],
    ),
  );

export const secretNames = <const Of extends Fields>(fields: Of) =>
  namesWhere<MarkedNames<Of, { readonly secret: true }>>(fields, ({ secret }) => secret === true);

/** Replacements for the secrets of a resource when it is shown to somebody who may not see them. */
export const withoutSecrets = <const Of extends Fields>(fields: Of) =>
  Object.fromEntries(secretNames(fields).map((name) => [name, fields[name]?.absent])) as {
    readonly [Name in MarkedNames<Of, { readonly secret: true }>]: Of[Name]['absent'];
  };
