import { tagNameKey } from '../../domain/contacts/tags.ts';
import { Tag } from '../../resources/contacts.ts';
import { described, id, required } from '../../resources/fields.ts';
import { many } from '../../resources/resource.ts';
import { invalid } from '../../shared/failure.ts';

/** What addtags and removetags are asked with. */
export const tagRequest = () => ({
  ContactId: required(id()),
  TagList: required(described(many(Tag, 50), 'Tags by Id or Name.')),
});

/** What the three tag operations answer: the contact's tags as they are then. */
export const tagResponse = () => ({ ContactId: id(), TagList: many(Tag) });

/** A tag as a request names it. */
interface GivenTag {
  readonly Id?: number | null | undefined;
  readonly Name?: string | null | undefined;
}

/** Each tag must have an Id or a Name with something in it; 400 names those that have neither. */
export function requestedTags(input: readonly GivenTag[]): { ids: number[]; names: string[] } {
  const nameless = input.flatMap(({ Id, Name }, index) =>
    Id || tagNameKey(Name ?? '') ? [] : [{ field: `TagList[${index}].Name`, message: 'is required, or Id' }],
  );
  if (nameless.length) throw invalid(...nameless);
  return {
    ids: input.flatMap(({ Id }) => (Id ? [Id] : [])),
    names: input.flatMap(({ Id, Name }) => (!Id && Name ? [Name.trim()] : [])),
  };
}
