import { blogGroup } from './blogs.ts';
import { organizationGroup } from './organizations.ts';
import { priceBookGroup } from './price-book.ts';
import type { Section, SectionGroup } from './section.ts';
import { settingGroups } from './settings.ts';
import { taskGroup } from './tasks.ts';

/** In an order in which each one refers only to those before it. */
export const sectionGroups: readonly SectionGroup[] = [
  ...settingGroups,
  organizationGroup,
  priceBookGroup,
  blogGroup,
  taskGroup,
];

/** The lists of the company file, in its order. */
export const sections: readonly Section[] = sectionGroups.flatMap((group) => group.sections);
