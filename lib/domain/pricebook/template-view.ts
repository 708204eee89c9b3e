import type { ProposalTemplate } from '../../resources/proposal-templates.ts';

/** Proposal templates as a caller of one organization sees them, or of all (`null`): those of its services and of services that all have. */
export const visibleTemplates = (templates: Iterable<ProposalTemplate>, organizationId: number | null): ProposalTemplate[] =>
  [...templates].filter(({ OrganizationId }) => organizationId === null || OrganizationId === 0 || OrganizationId === organizationId);
