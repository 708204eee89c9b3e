import * as z from 'zod';
import type { Output, Resource } from './resource.ts';

interface Template {
  readonly values: Record<string, unknown>;
  /** The fields whose empty value is an object, of which every caller gets its own. */
  readonly objects: readonly string[];
}

const templates = new WeakMap<object, Template>();

function emptyValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodUnknown) return null;
  if (schema instanceof z.ZodString) return '';
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  throw new TypeError(`no empty value for a field of type ${schema.type}`);
}

function templateOf(of: Pick<Resource, 'shape'>): Template {
  const known = templates.get(of);
  if (known) return known;
  const values = Object.fromEntries(Object.entries(of.shape()).map(([name, { output }]) => [name, emptyValue(output)]));
  const objects = Object.keys(values).filter((name) => typeof values[name] === 'object' && values[name] !== null);
  const made = { values, objects };
  templates.set(of, made);
  return made;
}

/**
 * The whole of a resource with nothing in it, so that `{ ...emptyOf(Contact), ...stored }` is a complete response
 * however little is stored:
 * `""`, `0`, `false`, `[]`, `{}`, `null` for what is marked N or nested, and the first word of a choice.
 */
export function emptyOf<Of extends Resource>(of: Of): Output<Of> {
  const { values, objects } = templateOf(of);
  const empty = { ...values };
  for (const name of objects) empty[name] = Array.isArray(values[name]) ? [] : {};
  return empty as Output<Of>;
}
