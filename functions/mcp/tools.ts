import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Argument, Tool } from './tool.ts';
import { findContact, logCall, saveContact } from './client-tools.ts';
import { bookVisit, cancelVisit, changeVisit, findTimes, holdTime, listVisits } from './visit-tools.ts';
import { balance, quote } from './sales-tools.ts';
import { planDay } from './day-plan-tool.ts';
import { listDay, listDuplicates, listLeads, whoOwes } from './list-tools.ts';
import { listTasks, saveTask } from './task-tools.ts';
import { operationTools } from './operation-tools.ts';

export const tools: readonly Tool[] = [
  findContact,
  saveContact,
  findTimes,
  holdTime,
  bookVisit,
  listVisits,
  changeVisit,
  cancelVisit,
  quote,
  balance,
  logCall,
  listTasks,
  saveTask,
  listDay,
  planDay,
  whoOwes,
  listLeads,
  listDuplicates,
  ...operationTools,
];

const CONFIRM: Argument = { type: 'string', description: 'The token of the preview, after a yes.' };

/** The input schema of a tool; tools that change something also take the token of a preview. */
export const inputOf = ({ input, isWrite, mayWrite }: Tool): Tool['input'] =>
  isWrite || mayWrite ? { ...input, confirm: CONFIRM } : input;

/** The tools as the protocol lists them; those that change something only if the key lets assistants write. */
export const listTools = (mayWrite: boolean): ListedTool[] =>
  tools
    .filter(({ isWrite }) => mayWrite || !isWrite)
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: {
        type: 'object',
        properties: { ...inputOf(tool) },
        ...(tool.required ? { required: [...tool.required] } : {}),
      },
      annotations: { readOnlyHint: !tool.isWrite && !tool.mayWrite },
    }));
