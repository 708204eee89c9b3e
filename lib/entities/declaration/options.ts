/** What the declaration of a field says besides its kind. */
export interface FieldOptions {
  /** Every item has it since the first version. A field that is added later cannot be required. */
  readonly required?: true;
  /** The record may lack it too: its absence means what no value can say. */
  readonly optional?: true;
  readonly nullable?: true;
  /** The value of an item without it, if it is not `''`, 0, false, `[]`, `{}`, or `null` where it is nullable. */
  readonly absent?: unknown;
  /** The resource has it as it is stored, under the same name or under this one; a moment as UTC. */
  readonly resource?: true | string;
  /** Callers set it as it is, under the same name or under this one; a contacts file has a column of it. */
  readonly input?: true | string;
  /** Other names of its column in a contacts file, separated by spaces: in lower case, without spaces and signs. */
  readonly csv?: string;
  /** Downloads have a column of it, under the same name or under this one. */
  readonly download?: true | string;
  /** What its column in downloads is, for their documentation, where the name does not say it. */
  readonly about?: string;
  /** What becomes of it when the person that the record is about is erased. */
  readonly personal?: PersonalMark;
  /** Events never show it, and operations and downloads only to those who may see it. */
  readonly secret?: true;
  /** Its changes are events, and their Data has it as it is stored, besides the resource. */
  readonly event?: true;
  /** A sentence for the API document: the meaning of a code, a unit. */
  readonly description?: string;
  /** The contract does not have it: the document marks it `x-extension`. */
  readonly extension?: true;
  /** The least that a caller may send; the most, of a text its characters. */
  readonly min?: number;
  readonly max?: number;
  /** In an answer it may be `null` by the contract, although every record has it. */
  readonly shownNullable?: true;
  /** No request sets it: each operation ignores it. The document describes it so. */
  readonly readOnly?: true;
  /** It is not stored: the entity computes it for the resource. */
  readonly computed?: true;
  /** It is not stored: who makes the resource gives it. */
  readonly given?: true;
}

/**
 * `identity`: who the person is; goes with the contact. `written`: people write it about the person; it is cleared, and
 * looked through for others whom it mentions. `named`: a text of the company; replaced where it names the person, and
 * looked through. `private`: cleared. `replaced`: like `written`, but never empty: a word takes its place.
 */
type PersonalMark = 'identity' | 'written' | 'replaced' | 'named' | 'private';
