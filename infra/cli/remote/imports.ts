import type { Command } from 'commander';
import { defineImport } from '../definitions/imports.ts';
import { importContactsOverHttp } from './contacts.ts';
import { profileOption } from './profile.ts';

/** The package's `import`. */
export const importCommands = (program: Command): void => defineImport(program, importContactsOverHttp, profileOption);
