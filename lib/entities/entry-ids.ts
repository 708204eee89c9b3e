import { type Stored, entity } from './entity.ts';
import { id } from './fields.ts';

/** What leads to a record by its id: the guard of a name, or an entry of a list. */
const entryEntity = entity('Entry', { Id: id() });

export const idOf = (entry: Stored): number => entryEntity.read(entry).Id;
