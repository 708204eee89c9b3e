import * as z from 'zod';

/** A schema without what wraps it: optional, nullable, lazy, preprocessed. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodLazy) return bare(schema.unwrap());
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.out) : schema;
}

/**
 * What a schema takes in the terms of the contract: `int32`, `number`, `string`, `boolean`, `dictionary`, `any`, a
 * resource's title, or one of these with `[]`.
 */
export function kindOf(schema: z.core.$ZodType): string {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) return `${kindOf(inner.element)}[]`;
  if (inner instanceof z.ZodNumber) return inner.format?.includes('int') ? 'int32' : 'number';
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum) return 'string';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  if (inner instanceof z.ZodRecord) return 'dictionary';
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodUnion) return 'any';
  if (inner instanceof z.ZodObject) return inner.meta()?.id ?? 'object';
  throw new TypeError(`no kind for a ${inner.constructor.name}`);
}
