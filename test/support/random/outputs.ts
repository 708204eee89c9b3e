import * as fc from 'fast-check';
import * as z from 'zod';
import { type Resource, emptyOf } from '../../../lib/resources/fields.ts';
import { bare } from '../documents/schemas.ts';

const numbers = ({ minValue, maxValue, format }: z.ZodNumber): fc.Arbitrary<number> => {
  if (format?.includes('int')) return fc.integer({ min: minValue ?? -1e15, max: maxValue ?? 1e15 });
  return fc.integer({ min: -1e9, max: 1e9 }).map((tenThousandths) => tenThousandths / 10_000);
};

/** A grapheme may be several characters; the limit counts characters. */
const texts = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', maxLength: Math.min(max, 40) }).filter((text) => text.length <= max);

/**
 * Values of a field of a response, within what its input schema lets in: what a client could have read and sends back.
 */
function values(output: z.core.$ZodType, input: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (output instanceof z.ZodNullable) return fc.option(values(output.unwrap(), input), { freq: 4 });
  const [out, taken] = [bare(output), bare(input)];
  if (out instanceof z.ZodObject && taken instanceof z.ZodObject) return objects(out, taken);
  if (out instanceof z.ZodArray && taken instanceof z.ZodArray) {
    return fc.array(values(out.element, taken.element), { maxLength: 2 });
  }
  if (taken instanceof z.ZodString) return texts(taken.maxLength ?? 40);
  if (taken instanceof z.ZodNumber) return numbers(taken);
  if (taken instanceof z.ZodBoolean) return fc.boolean();
  if (taken instanceof z.ZodEnum) return fc.constantFrom(...taken.options);
  if (taken instanceof z.ZodUnion) return fc.oneof(texts(40), fc.integer(), fc.boolean(), fc.array(texts(40)));
  if (taken instanceof z.ZodRecord) {
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !(name in Object.prototype)),
      fc.oneof(texts(40), fc.integer(), fc.constant(null)),
    );
  }
  throw new TypeError(`no values for a ${taken.constructor.name}`);
}

function objects(output: z.ZodObject, input: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(output.shape);
  const arbitraries = fields.map(([name, schema]) => [name, values(schema, input.shape[name] as z.ZodType)] as const);
  return fc.record(Object.fromEntries(arbitraries), { noNullPrototype: true });
}

/** Complete responses of a resource; now and then a field is empty, as responses have it. */
export function outputsOf(of: Resource): fc.Arbitrary<Record<string, unknown>> {
  const empty = Object.entries(emptyOf(of));
  return fc
    .tuple(objects(of.output(), of.input()), fc.subarray(empty))
    .map(([filled, emptied]) => Object.assign({}, filled, Object.fromEntries(emptied)));
}
