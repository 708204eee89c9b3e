/** What the declaration of a field says in addition to its kind. */
export interface FieldOptions {
  /** Every item has had it since the first version. A field that is added later cannot be required. */
  readonly required?: true;
  /** The record may lack it too: its absence has a meaning that no value expresses. */
  readonly optional?: true;
  readonly nullable?: true;
  /** The default of an absent field, if it is not `''`, 0, false, `[]`, `{}`, or `null` if nullable. */
  readonly absent?: unknown;
  /** The resource has it in its stored form, under the same name or under this one; moments as UTC. */
  readonly resource?: true | string;
  /** The base variant of the resource has it, under the same name or under this one. */
  readonly base?: true | string;
  /** Callers set it directly, under the same name or under this one; contacts files have a column for it. */
  readonly input?: true | string;
  /**
   * Other names of its column in contacts files, separated by spaces: in lower case, without spaces and punctuation.
   */
  readonly csv?: string;
  /** Downloads have a column for it, under the same name or under this one. */
  readonly download?: true | string;
  /** Describes its column in the documentation of downloads, if the name is not enough. */
  readonly about?: string;
  /** What happens to it when the person that the record is about is erased. */
  readonly personal?: PersonalMark;
  /** Never shown in events; operations and downloads show it only to those who may see it. */
  readonly secret?: true;
  /** Its changes are events, whose Data has it in its stored form in addition to the resource. */
  readonly event?: true;
  /** A sentence for the API document: the meaning of a code, a unit. */
  readonly description?: string;
  /** It is not part of the contract: the document marks it `x-extension`. */
  readonly extension?: true;
  /** The minimum and maximum that a caller may send; for texts, the number of characters. */
  readonly min?: number;
  readonly max?: number;
  /** Responses may have `null` according to the contract, although every record has it. */
  readonly shownNullable?: true;
  /** Requests cannot set it: every operation ignores it, and the document says so. */
  readonly readOnly?: true;
  /** It is not stored: the entity computes it for the resource. */
  readonly computed?: true;
  /** It is not stored: the maker of the resource passes it in. */
  readonly given?: true;
}

/** Both variants of the resource have it. */
export const both = { resource: true, base: true } as const;

/**
 * `identity`: identifies the person; removed with the contact. `written`: written about the person; cleared, and
 * searched for other persons whom it mentions. `named`: a text of the company; replaced if it names the person, and
 * searched. `private`: cleared. `replaced`: like `written`, but never empty: a word takes its place.
 */
type PersonalMark = 'identity' | 'written' | 'replaced' | 'named' | 'private';
