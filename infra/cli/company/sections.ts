import { blogStage } from './blogs.ts';
import { bookStage } from './book.ts';
import { organizationStage } from './organizations.ts';
import type { Section, Stage } from './section.ts';
import { settingStages } from './settings.ts';
import { taskStage } from './tasks.ts';

/** What a company file brings, in an order in which each refers only to what is before it. */
export const stages: readonly Stage[] = [...settingStages, organizationStage, bookStage, blogStage, taskStage];

/** The lists of the company file, in its order. */
export const sections: readonly Section[] = stages.flatMap((stage) => stage.sections);
