import { id, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A remark kept with a contact. */
export const Note = resource('Note', () => ({ Id: id(), Title: text(200), Body: text() }));
export type Note = Output<typeof Note>;

/** A word that marks contacts; its name is unique in the account whatever its case. */
export const Tag = resource('Tag', () => ({ Id: id(), Name: text(100) }));
export type Tag = Output<typeof Tag>;
