import type { Group } from '../lib/api/group.ts';
import { contacts } from './contacts/index.ts';
import { datasubscriber } from './datasubscriber/index.ts';
import { task } from './task/index.ts';
import { test } from './test/index.ts';

/** Every group of the interface; infra, the document and the shared tests loop over it. */
export const groups: readonly Group[] = [test, contacts, datasubscriber, task];
