import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import { nearest } from '../../lib/shared/text/suggestions.ts';
import { toObject } from './messages.ts';
import { type OperationAnswer, callOperation } from '../call-operation.ts';
import { READ_ONLY, refusal, toResult } from './results.ts';
import { made, say } from './sentence.ts';
import { MAX_NAME } from './arguments.ts';
import { AskFor, type Argument, type Arguments, type Tool, type ToolAnswer } from './tool.ts';
import { inputOf, tools } from './tools.ts';
import { changeInTwoSteps } from './two-steps.ts';

/** The most problems that one answer lists. */
const MAX_WRONG = 20;

/** Whether a value is given: models send null for what they leave out. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The arguments that are given; an object may be sent as its JSON text. */
const readArguments = (tool: Tool, args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, argumentOf(tool, name)?.type === 'object' ? (toObject(value) ?? value) : value]),
  );

function argumentOf(tool: Tool, name: string): Argument | undefined {
  const input = inputOf(tool);
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

const typeOf = (value: unknown): string =>
  Number.isInteger(value) ? 'integer' : Array.isArray(value) || value === null ? 'other' : typeof value;

const fits = ({ type, enum: words }: Argument, value: unknown): boolean => {
  const actual = typeOf(value);
  const isOfType = actual === type || (type === 'number' && actual === 'integer');
  return isOfType && (!words || words.includes(value as string));
};

/** Lists everything that is wrong with the arguments. */
function whatIsWrong(tool: Tool, args: Arguments): string[] {
  const missing = (tool.required ?? []).filter((name) => args[name] === undefined || args[name] === '');
  const wrong = Object.entries(args).flatMap(([name, value]) => {
    const argument = argumentOf(tool, name);
    if (!argument) return [`${name.slice(0, MAX_NAME)} is no argument of ${tool.name}.`];
    if (fits(argument, value)) return [];
    return [`${name} must be ${argument.enum?.join(' or ') ?? `of type ${argument.type}`}.`];
  });
  return [...missing.map((name) => `${name} is required.`), ...wrong].slice(0, MAX_WRONG);
}

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
