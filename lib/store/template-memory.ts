import type { ProposalTemplate } from '../resources/proposal-templates.ts';
import type { TableReader } from './client.ts';
import { Memory } from './memory.ts';
import { drawParts, type PartsDrawn } from './proposal-parts.ts';
import { findProposalTemplate } from './proposal-templates.ts';
import type { Viewer } from './viewer.ts';

/** A proposal template with the parts of its lines, and the items of those that are assemblies. */
export interface TemplateDrawn extends PartsDrawn {
  readonly template: ProposalTemplate;
}

const templates = new Memory<TemplateDrawn | undefined>();

async function drawTemplate(table: TableReader, viewer: Viewer, id: number): Promise<TemplateDrawn | undefined> {
  const template = await findProposalTemplate(table, viewer, id);
  if (!template) return undefined;
  const lines = template.ProposalTemplateLines.flatMap(({ PartId }) => (PartId ? { Part: { Id: PartId } } : []));
  return { template, ...(await drawParts(table, viewer.accountId, lines, new Map())) };
}

/**
 * A proposal template, where it exists for the viewer, with all that it is priced by; up to 30 seconds old, as a
 * company quotes by few templates, each from one screen to the next. Otherwise two rounds, and one a level of assemblies.
 */
export const cachedTemplate = (
  table: TableReader,
  viewer: Viewer,
  id: number,
  now: Date,
): Promise<TemplateDrawn | undefined> =>
  templates.recall(`${viewer.accountId}#${viewer.organizationId}#${id}`, now, () => drawTemplate(table, viewer, id));
