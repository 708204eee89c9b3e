import { id, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A thing named beside its id, where the whole of it would be too much. */
export const IdName = resource('IdName', () => ({ Id: id(), Name: text(200) }));
export type IdName = Output<typeof IdName>;
