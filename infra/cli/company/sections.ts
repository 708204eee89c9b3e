import { organizationSection } from './organizations.ts';
import type { Section } from './section.ts';
import { settingSections } from './settings.ts';

/** The lists of the company file, in an order in which each refers only to those before it. */
export const sections: readonly Section[] = [...settingSections, organizationSection];
