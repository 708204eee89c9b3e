import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { PartTemplate } from '../../entities/price-book.ts';
import type { ProposalRecord, Proposal } from '../../entities/proposals.ts';
import type { UserRecord } from '../../entities/users.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import type { FieldError } from '../../shared/failure.ts';

/** A proposal in a request: `undefined` leaves a field as it is, `null` clears it. */
export type ProposalInput = Input<typeof Proposal>;
export type LineInput = NonNullable<ProposalInput['ProposalLines']>[number];

/** Everything that a proposal's input may refer to, in its current state. */
export interface ProposalReferences {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly contact: Pick<ContactRecord, 'CustomFields' | 'NamedTaxRateId' | 'AccountingClass' | 'Zip'>;
  /** The requested service, if it differs from the proposal's own. */
  readonly service: ServiceRecord | undefined;
  /** The requested parts that are new to the proposal, and the items of assemblies among them. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  /** Asks whether another part is meant by an unknown name, or returns nothing. */
  readonly suggestPart?: ((name: string) => string) | undefined;
  /** The organization's country, which decides how numbers in texts of custom fields are read. */
  readonly country: string;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
  /** The requested users that the caller may know. */
  readonly owners: readonly UserRecord[];
  /** The requested service agents that exist. */
  readonly agentIds: ReadonlySet<number>;
  /** What to do if the requested one is not among them; `""` if nothing is known. */
  readonly agentAdvice: string;
  /** A local stack may call programs on its own machine. */
  readonly allowLoopback: boolean;
  /** Ids for new records, as many as `countNewIds` says. */
  readonly ids: {
    readonly lines: readonly number[];
    readonly options: readonly number[];
    readonly notes: readonly number[];
  };
}

/** A proposal with its input applied, before it is priced. */
export interface ProposalUpdate {
  readonly proposal: ProposalRecord;
  /** Line id → its index in the request. */
  readonly indexes: ReadonlyMap<number, number>;
  readonly errors: readonly FieldError[];
}

/** The CustomField.TableType of fields of proposals and their lines. */
export const PROPOSAL_FIELDS = 2;
export const LINE_FIELDS = 3;
