import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { Proposal } from '../../resources/proposals.ts';
import type { Input } from '../../resources/resource.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import type { ContactRecord } from '../contacts/record.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';

/** A proposal as a request brings it: `undefined` leaves a field as it is, `null` clears it. */
export type ProposalInput = Input<typeof Proposal>;
export type LineInput = NonNullable<ProposalInput['ProposalLines']>[number];

/** All that a proposal draws on when it is told something; everything is as it is now. */
export interface ProposalReferences {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly contact: Pick<ContactRecord, 'CustomFields' | 'NamedTaxRateId' | 'AccountingClass' | 'Zip'>;
  /** The service that the request names, where that is another than the proposal's. */
  readonly service: ServiceRecord | undefined;
  /** The parts that the request names and the proposal does not have yet, and the items of assemblies among them. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  /** The account's custom fields. */
  readonly definitions: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
  /** Those of the users and service agents named that there are. */
  readonly userIds: ReadonlySet<number>;
  readonly agentIds: ReadonlySet<number>;
  /** A local stack may call programs on its own machine. */
  readonly allowLoopback: boolean;
  /** Ids for what is new, as many as may be needed. */
  readonly ids: {
    readonly lines: readonly number[];
    readonly options: readonly number[];
    readonly notes: readonly number[];
  };
}

/** The tables that custom fields belong to. */
export const PROPOSAL_FIELDS = 2;
export const LINE_FIELDS = 3;
