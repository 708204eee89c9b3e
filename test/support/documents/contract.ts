import contract from '../../contract/contract.json' with { type: 'json' };

/** A field as the contract lists it; `required` false is its mark N. */
export interface ContractField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** A resource as the contract lists it. */
export interface ContractResource {
  readonly fields: readonly ContractField[];
  readonly variantFields?: readonly ContractField[];
}

const common = new Set(['ApiKey', 'ResultCode', 'Message']);
const titles: Record<string, string> = {
  'service (detailed variant)': 'servicedetailed',
  'part (detailed variant)': 'partdetailed',
  'upload (contact form)': 'contactupload',
  'upload (proposal form)': 'proposalupload',
};

/** The resources of the contract by our title in lower case. */
export const contractResources: ReadonlyMap<string, ContractResource> = new Map(
  Object.entries<ContractResource>(contract.resources).map(([name, of]) => [titles[name] ?? name, of]),
);

/** The fields that are a resource's own, without ApiKey, ResultCode and Message. */
export const ownFields = (of: ContractResource): readonly ContractField[] =>
  of.fields.filter(({ name }) => !common.has(name));

/** Whether the list of a resource holds ApiKey, ResultCode and Message too. */
export const listsResult = (of: ContractResource): boolean => of.fields.some(({ name }) => common.has(name));
