import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import { nearest } from '../../lib/shared/text/suggestions.ts';
import { type OperationAnswer, callOperation } from './operations.ts';
import { READ_ONLY, refusal, toResult } from './results.ts';
import { made, say } from './sentence.ts';
import { readArguments, whatIsWrong } from './read-arguments.ts';
import { MAX_NAME } from './arguments.ts';
import { AskFor, type Arguments, type ToolAnswer } from './tool.ts';
import { tools } from './tools.ts';
import { changeInTwoSteps } from './two-steps.ts';

/** Serves one call of a tool. A mistake of the assistant gets an answer that it can act on. */
export async function callTool(call: KeyCall, name: string, sent: Arguments | undefined): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return toResult(noSuchTool(name), true);
  if (!sent) return toResult({ say: say`Send the arguments as a JSON object.` }, true);
  const args = readArguments(tool, sent);
  const wrong = whatIsWrong(tool, args);
  if (wrong.length) return toResult({ say: say`The arguments are wrong.`, data: { wrong } }, true);
  if (tool.isWrite && call.key.Assistant !== 'write') return toResult({ say: READ_ONLY }, true);
  const { job } = tool;
  const { confirm, ...rest } = args;
  try {
    if ('run' in job) return await job.run(call, args);
    const requested = { ...job.call(rest, call.now) };
    if (tool.isWrite) {
      const answer = (body: OperationAnswer['body'], isDone: boolean) => job.answer(body, rest, isDone);
      return await changeInTwoSteps(call, requested, { name, confirm, answer });
    }
    const answered = await callOperation(call, requested);
    return answered.status === 200 ? toResult(job.answer(answered.body, rest, true)) : refusal(answered);
  } catch (error) {
    if (error instanceof AskFor) return toResult({ say: error.sentence }, true);
    throw error;
  }
}

function noSuchTool(name: string): ToolAnswer {
  const names = tools.map((tool) => tool.name);
  const near = nearest(name, names);
  const data = { tool: name.slice(0, MAX_NAME), ...(near ? {} : { tools: names }) };
  return near
    ? { say: say`There is no such tool. Did you mean ${made(near)}?`, data }
    : { say: say`There is no such tool. The tools are below.`, data };
}
