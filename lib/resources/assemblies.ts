import { decimal, id, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A part that an assembly expands into, to a depth of 5 (interface, section 7). */
export const AssemblyItem = resource('AssemblyItem', () => ({
  PartId: id(),
  PartName: text(200),
  Quantity: decimal(),
}));
export type AssemblyItem = Output<typeof AssemblyItem>;

/** The variant that names the assembly instead of the item, as PartDetailed holds it. */
export const AssemblyItemAttached = resource('AssemblyItemAttached', () => ({
  AttachedToPartId: id(),
  PartId: id(),
  Quantity: decimal(),
}));
export type AssemblyItemAttached = Output<typeof AssemblyItemAttached>;
