import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import { type ServiceAgentInput, matchAgent } from '../domain/service-agents.ts';
import { type Failure, notFound } from '../shared/failure.ts';
import { didYouMean } from '../shared/text/suggestions.ts';
import { findServiceSomewhere, listServiceNames } from '../store/pricebook/services.ts';
import { RangeTooLarge } from '../store/dynamodb/errors.ts';
import { listAllAgents } from '../store/organizations/service-agents.ts';
import type { ReadContext } from './context.ts';

type SuggestionContext = Pick<ReadContext, 'store' | 'caller'>;

/** How a request names a record, and in which field. */
interface Reference {
  readonly field: string;
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}

/** For example `Service 4 belongs to organization 2, and this is of organization 1.` */
const otherOrganization = (noun: string, id: number, organization: number, expected: number): string =>
  `${noun} ${id} belongs to organization ${organization}; what it is used for belongs to organization ${expected}.`;

/**
 * 404 for a service that an organization does not have: with the name that is probably meant, or the organization that
 * has it. A key of one organization learns nothing about others.
 */
export async function serviceNotFound(
  { store, caller }: SuggestionContext,
  organizationId: number,
  { field, id, name }: Reference,
): Promise<Failure> {
  const elsewhere = caller.organizationId === null ? await findServiceSomewhere(store, { id, name }) : undefined;
  if (elsewhere?.OrganizationId)
    return notFound('service', field, id || name, {
      advice: otherOrganization('Service', elsewhere.Id, elsewhere.OrganizationId, organizationId),
    });
  const names = id || !name ? [] : await listServiceNames(store, organizationId);
  return notFound('service', field, id || name, {
    advice: didYouMean(name ?? '', names) || 'services/all lists them.',
  });
}

/** Advice about a service agent that an organization does not have, in a sentence; `""` if nothing is known. */
export async function describeUnknownAgent(
  context: SuggestionContext,
  organizationId: number,
  agents: Iterable<ServiceAgentRecord>,
  { Id, Name, Email }: Pick<ServiceAgentInput, 'Id' | 'Name' | 'Email'>,
): Promise<string> {
  const elsewhere = (await listAgentsElsewhere(context)).filter((agent) => agent.OrganizationId !== organizationId);
  const agent = matchAgent(elsewhere, { Id, Name, Email });
  if (agent) return otherOrganization('Service agent', agent.Id, agent.OrganizationId, organizationId);
  const own = [...agents];
  const byEmail = Email && didYouMean(Email, own.map((each) => each.Email).filter(Boolean));
  return (
    byEmail ||
    didYouMean(
      Name ?? '',
      own.map((each) => each.Name),
    )
  );
}

/** 404 for a service agent that an organization does not have. */
export const agentNotFound = async (
  context: SuggestionContext,
  organizationId: number,
  agents: Iterable<ServiceAgentRecord>,
  { field, id, email }: { readonly field: string; readonly id?: number; readonly email?: string },
): Promise<Failure> =>
  notFound('service agent', field, id ?? email, {
    advice:
      (await describeUnknownAgent(context, organizationId, agents, { Id: id ?? null, Email: email ?? null })) ||
      'serviceagents/all lists them.',
  });

/** Pages of agents that one search reads, at 64 read units per page. */
const MAX_PAGES = 1;

async function listAgentsElsewhere({ store, caller }: SuggestionContext): Promise<ServiceAgentRecord[]> {
  if (caller.organizationId !== null) return [];
  try {
    return await listAllAgents(store, { consistent: false, maxPages: MAX_PAGES });
  } catch (error) {
    if (error instanceof RangeTooLarge) return [];
    throw error;
  }
}
