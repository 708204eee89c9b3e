import { invalid, notFound, type FieldError } from '../../lib/api/failure.ts';
import { notOffered } from '../../lib/domain/pricebook/offered.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { alikeNamed } from '../../lib/domain/proposals/named.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import type { ProposalTemplate } from '../../lib/resources/proposal-templates.ts';
import { cachedService } from '../../lib/store/service-memory.ts';
import type { Quoting } from './quoted.ts';

/** What a quote is of, as a request says it. */
export interface QuoteNamed {
  readonly ContactId: number;
  readonly ServiceId?: number | null | undefined;
  readonly ServiceName?: string | null | undefined;
  readonly ProposalTemplateId?: number | null | undefined;
}

/** What of the request says nothing, or the contrary of what it says elsewhere. */
export function contradictions(named: QuoteNamed, given: ProposalInput): FieldError[] {
  const { ContactId, ServiceId, ServiceName, ProposalTemplateId } = named;
  const names = [ServiceName, given.ServiceName].some((name) => name?.trim());
  const faults: (FieldError | false)[] = [
    !names && !ServiceId && !ProposalTemplateId && !given.ServiceId && {
      Field: 'ServiceId', Message: 'or ServiceName or ProposalTemplateId is required',
    },
    Boolean(given.Id) && {
      Field: 'Proposal.Id',
      Message: 'is what a proposal is given when it is made; one there already is changed with proposal/update',
    },
    Boolean(given.ContactId) && given.ContactId !== ContactId && {
      Field: 'Proposal.ContactId', Message: `is not ContactId, which is ${ContactId}`,
    },
  ];
  return faults.filter((fault) => fault !== false);
}

/** The service that request, proposal and template name in up to five places, which must agree. */
function namedService(named: QuoteNamed, given: ProposalInput, template: ProposalTemplate | undefined) {
  const ids = [
    { Field: 'ServiceId', id: named.ServiceId },
    { Field: 'Proposal.ServiceId', id: given.ServiceId },
    { Field: 'ProposalTemplateId', id: template?.ServiceId },
  ].flatMap(({ Field, id }) => (id ? { Field, id } : []));
  const names = [
    { Field: 'ServiceName', name: named.ServiceName?.trim() },
    { Field: 'Proposal.ServiceName', name: given.ServiceName?.trim() },
  ].flatMap(({ Field, name }) => (name ? { Field, name } : []));
  const [first] = ids;
  const others = ids.filter(({ id }) => id !== first?.id);
  if (first && others.length) {
    const Message = (id: number) => `is of service ${id}, but ${first.Field} is of service ${first.id}`;
    throw invalid(...others.map(({ Field, id }) => ({ Field, Message: Message(id) })));
  }
  return { first, names };
}

/** The service, as the contact's organization has it; 404 where it has not, 400 where it is also named otherwise, or no longer offered. */
export async function serviceOf(
  { table, caller, now }: Quoting,
  organizationId: number,
  { named, given, template }: { named: QuoteNamed; given: ProposalInput; template: ProposalTemplate | undefined },
): Promise<ServiceRecord> {
  const { first, names } = namedService(named, given, template);
  const [name] = names;
  const viewer = { accountId: caller.accountId, organizationId };
  const service = await cachedService(table, viewer, first ? { id: first.id } : { name: name?.name }, now);
  const Field = first?.Field ?? name?.Field ?? 'ServiceId';
  if (!service) throw notFound('service', Field, first?.id ?? name?.name);
  const Message = `is not the name of service ${service.Id}, which is ${service.Name}`;
  const wrong = names.filter((each) => !alikeNamed(each.name, service.Name));
  if (wrong.length) throw invalid(...wrong.map((each) => ({ Field: each.Field, Message })));
  if (!service.Active) throw invalid({ Field, Message: notOffered(service.Name) });
  return service;
}
