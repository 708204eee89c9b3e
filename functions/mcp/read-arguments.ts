import { MAX_NAME } from './arguments.ts';
import { toObject } from './messages.ts';
import type { Argument, Arguments, Tool } from './tool.ts';
import { inputOf } from './tools.ts';

/** The most problems that one answer lists. */
const MAX_WRONG = 20;

/** Whether a value is given: models send null for what they leave out. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The arguments that are given; an object may be sent as its JSON text. */
export const readArguments = (tool: Tool, args: Arguments): Arguments =>
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
export function whatIsWrong(tool: Tool, args: Arguments): string[] {
  const missing = (tool.required ?? []).filter((name) => args[name] === undefined || args[name] === '');
  const wrong = Object.entries(args).flatMap(([name, value]) => {
    const argument = argumentOf(tool, name);
    if (!argument) return [`${name.slice(0, MAX_NAME)} is no argument of ${tool.name}.`];
    if (fits(argument, value)) return [];
    return [`${name} must be ${argument.enum?.join(' or ') ?? `of type ${argument.type}`}.`];
  });
  return [...missing.map((name) => `${name} is required.`), ...wrong].slice(0, MAX_WRONG);
}
