import { fold } from '../../shared/text/text.ts';
import type { LeadEntry } from './entries.ts';

/** The ids that providers give a lead, by which a lead that comes again is recognized. */
const REFERENCES = new Set(['leadgenid', 'leadid', 'eventid', 'submissionid', 'responseid', 'entryid', 'messageid']);

/** `lead_id=123`; `''` for a form without an id. */
export function referenceOf(entries: readonly LeadEntry[]): string {
  const found = entries.find(({ name }) => REFERENCES.has(fold(name).replaceAll(/[^a-z0-9]/g, '')));
  return found ? `${found.name}=${found.value}` : '';
}
