import type { Fault } from '../faults.ts';
import { isAvailable } from '../pricebook/available.ts';
import { notOffered } from '../pricebook/offered.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/records.ts';
import { alikeNamed, namedAnew } from './named.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';
import type { ProposalInput } from './surroundings.ts';

type Told = Pick<ProposalRecord, 'ServiceId' | 'ServiceName' | 'Description' | 'Taxable' | 'AskedQuantity'>;

/** What a proposal says of its service; what it does not say for itself is as the service says, also as another one does. */
export function tellService(before: ProposalRecord, given: ProposalInput, { old, service }: { old: ServiceRecord; service: ServiceRecord }): Told {
  const isNew = before.V === 0;
  const description = given.Description?.trim() ?? '';
  const ownDescription = given.Description === undefined ? before.Description : description;
  const saysTaxable = given.Taxable != null && (isNew || given.Taxable !== before.Taxable);
  const changed = service.Id !== before.ServiceId;
  const follows = before.Taxable === old.Taxable;
  return {
    ServiceId: changed ? service.Id : before.ServiceId,
    ServiceName: changed ? service.Name : before.ServiceName,
    Description: changed && (ownDescription === old.Description || (isNew && !ownDescription)) ? service.Description : ownDescription,
    Taxable: saysTaxable ? (given.Taxable ?? false) : given.Taxable === null || (changed && follows) ? service.Taxable : before.Taxable,
    // Typed clients send 0 where they say nothing.
    AskedQuantity: given.Quantity === undefined || given.Quantity === 0 || (!isNew && given.Quantity === before.Quantity) ? before.AskedQuantity : given.Quantity,
  };
}

/** What is wrong about the service that a request names, and about parts that are not sold with it. */
export function serviceFaults(
  before: ProposalRecord,
  given: ProposalInput,
  { service, lines, parts }: { service: ServiceRecord; lines: readonly ProposalLineRecord[]; parts: ReadonlyMap<number, PartRecord> },
): Fault[] {
  if (service.Id === before.ServiceId) return [];
  const { id, name } = namedAnew({ Id: given.ServiceId, Name: given.ServiceName }, { Id: before.ServiceId, Name: before.ServiceName });
  const other = name !== undefined && !alikeNamed(name, service.Name);
  const kept = new Set(before.Lines.map(({ Id }) => Id));
  const unsold = lines.flatMap(({ Id, PartId, AssemblyLineId }) => {
    const part = parts.get(PartId);
    return part && kept.has(Id) && AssemblyLineId === null && !isAvailable(service, part) ? part.Name : [];
  });
  const anew = id === undefined ? name && 'ServiceName' : 'ServiceId';
  return [
    ...(anew && !service.Active ? [{ field: anew, message: notOffered(service.Name) }] : []),
    ...(other ? [{ field: 'ServiceName', message: `is not that of service ${service.Id}: ${service.Name}` }] : []),
    ...(unsold.length ? [{ field: 'ServiceId', message: `names a service with which these are not sold: ${unsold.join(', ')}` }] : []),
  ];
}
