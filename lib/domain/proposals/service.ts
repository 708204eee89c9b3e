import type { Fault } from '../faults.ts';
import { isAvailable } from '../pricebook/available.ts';
import { notOffered } from '../pricebook/offered.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/records.ts';
import { said, saidText } from '../said.ts';
import { alikeNamed, namedAnew } from './named.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';
import type { ProposalInput } from './surroundings.ts';

type Told = Pick<ProposalRecord, 'ServiceId' | 'ServiceName' | 'Description' | 'Taxable' | 'AskedQuantity'>;

/**
 * What a proposal says of its service; what it does not say for itself is as the service says, also as another one does.
 */
export function tellService(
  before: ProposalRecord,
  given: ProposalInput,
  { old, service }: { readonly old: ServiceRecord; readonly service: ServiceRecord },
): Told {
  const isNew = before.V === 0;
  const changed = service.Id !== before.ServiceId;
  const description = saidText(given.Description, before.Description);
  const followsDescription = changed && (description === old.Description || (isNew && !description));
  const saysTaxable = given.Taxable != null && (isNew || given.Taxable !== before.Taxable);
  const followsTaxable = given.Taxable === null || (changed && before.Taxable === old.Taxable);
  const taxable = followsTaxable ? service.Taxable : before.Taxable;
  // Typed clients send 0 where they say nothing, and what was answered.
  const saysQuantity = given.Quantity !== 0 && (isNew || given.Quantity !== before.Quantity);
  return {
    ServiceId: changed ? service.Id : before.ServiceId,
    ServiceName: changed ? service.Name : before.ServiceName,
    Description: followsDescription ? service.Description : description,
    Taxable: saysTaxable ? (given.Taxable ?? false) : taxable,
    AskedQuantity: saysQuantity ? said(given.Quantity, before.AskedQuantity, null) : before.AskedQuantity,
  };
}

/** What is wrong about the service that a request names, and about parts that are not sold with it. */
export function serviceFaults(
  before: ProposalRecord,
  given: ProposalInput,
  {
    service,
    lines,
    parts,
  }: { service: ServiceRecord; lines: readonly ProposalLineRecord[]; parts: ReadonlyMap<number, PartRecord> },
): Fault[] {
  if (service.Id === before.ServiceId) return [];
  const own = { Id: before.ServiceId, Name: before.ServiceName };
  const { id, name } = namedAnew({ Id: given.ServiceId, Name: given.ServiceName }, own);
  const other = name !== undefined && !alikeNamed(name, service.Name);
  const kept = new Set(before.Lines.map(({ Id }) => Id));
  const unsold = lines.flatMap(({ Id, PartId, AssemblyLineId }) => {
    const part = parts.get(PartId);
    return part && kept.has(Id) && AssemblyLineId === null && !isAvailable(service, part) ? part.Name : [];
  });
  const anew = id === undefined ? name && 'ServiceName' : 'ServiceId';
  const notSold = `names a service with which these are not sold: ${unsold.join(', ')}`;
  return [
    ...(anew && !service.Active ? [{ field: anew, message: notOffered(service.Name) }] : []),
    ...(other ? [{ field: 'ServiceName', message: `is not that of service ${service.Id}: ${service.Name}` }] : []),
    ...(unsold.length ? [{ field: 'ServiceId', message: notSold }] : []),
  ];
}
