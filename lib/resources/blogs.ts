import { described, text } from './fields.ts';

export const searchFields = () => ({
  NameSearch: described(text(200), 'Words; each must start a word of the title. Case and accents are ignored.'),
  DateSearch: described(text(64), 'A day such as 2026-03-08, or a month such as 2026-03.'),
  IdSearch: described(text(200), 'The id or the slug.'),
});
