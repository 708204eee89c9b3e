import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import { describeOperation, searchOperations } from './document.ts';
import { callOperation } from '../call-operation.ts';
import { findOperation } from './operations.ts';
import { MAX_NAME } from './arguments.ts';
import { ROWS, toAnswer } from './operation-rows.ts';
import { READ_ONLY, refusal, toResult } from './results.ts';
import { made, say } from './sentence.ts';
import { AskFor, type Arguments, type Tool } from './tool.ts';
import { changeInTwoSteps } from './two-steps.ts';

const MAX_WORDS = 20;
const MAX_SEARCH = 400;

/** The name comes from outside, so it is data and not part of our sentence. */
const unreachable = (operation: unknown): CallToolResult =>
  toResult(
    {
      say: say`Assistants cannot call that operation. Find one with search_operations.`,
      data: { operation: String(operation).slice(0, MAX_NAME) },
    },
    true,
  );

async function callAny(call: KeyCall, { operation, request = {}, confirm }: Arguments): Promise<CallToolResult> {
  const found = await findOperation(String(operation));
  if (!found) return unreachable(operation);
  const { name } = found;
  const requested = { operation: name, request: request as Arguments };
  const isWrite = found.access === 'write' || found.isWrite?.(requested.request);
  if (!isWrite) {
    if (confirm !== undefined) throw new AskFor(say`This operation only reads. Call it without confirm.`);
    const answer = await callOperation(call, requested);
    return answer.status === 200 ? toResult(toAnswer(found, requested.request, answer.body)) : refusal(answer);
  }
  if (call.key.Assistant !== 'write') return toResult({ say: READ_ONLY }, true);
  return changeInTwoSteps(call, requested, {
    name: 'call_operation',
    confirm,
    answer: (body, isDone) => {
      const answer = toAnswer(found, requested.request, body);
      return isDone
        ? answer
        : { ...answer, say: say`This calls ${made(name)}, with the result below. New ids may differ.` };
    },
  });
}

/** Three tools for the operations that the other tools do not cover. */
export const operationTools: readonly Tool[] = [
  {
    name: 'search_operations',
    description: 'Find other operations of the API by words: proposals, payments, price book, settings …',
    input: { words: { type: 'string' } },
    required: ['words'],
    job: {
      run: async (_, { words }) => {
        const text = String(words);
        if (text.length > MAX_SEARCH || text.trim().split(/\s+/).length > MAX_WORDS)
          throw new AskFor(say`Give at most ${MAX_WORDS} words, of ${MAX_SEARCH} characters together.`);
        const operations = await searchOperations(text);
        return toResult({
          say: operations.length ? say`Describe one before you call it.` : say`None matches.`,
          data: { operations },
        });
      },
    },
  },
  {
    name: 'describe_operation',
    description: 'The rules and request fields of an operation.',
    input: { operation: { type: 'string', description: 'Such as invoice/get.' } },
    required: ['operation'],
    job: {
      async run(_, { operation }) {
        const described = await describeOperation(String(operation));
        const rows = ROWS[String(operation)];
        return described
          ? toResult({ say: say`Its rules and fields are below.`, data: { ...described, ...(rows ? { rows } : {}) } })
          : unreachable(operation);
      },
    },
  },
  {
    name: 'call_operation',
    description: 'Call an operation with a request as described. Changes are previewed first.',
    input: { operation: { type: 'string' }, request: { type: 'object' } },
    required: ['operation'],
    mayWrite: true,
    job: { run: callAny },
  },
];
