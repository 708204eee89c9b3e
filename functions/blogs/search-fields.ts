import { described, text } from '../../lib/resources/fields.ts';

/** The search fields that blogs/find and blogs/get share. */
export const searchFields = () => ({
  NameSearch: described(text(200), 'Words; each must begin a word of the title. Case and accents do not count.'),
  DateSearch: described(text(64), 'A day such as 2026-03-08, or a month such as 2026-03.'),
  IdSearch: described(text(200), 'The id or the slug.'),
});
