import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Arguments } from './tool.ts';

/** A message of the protocol as the SDK takes it. */
interface Message {
  /** `undefined` for a body that is not JSON. */
  readonly message: unknown;
  /** The arguments of a tool call; `undefined` if they are not an object. */
  readonly args: Arguments | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object of a value or of its JSON text, as many models send it; `undefined` for anything else. */
export function toObject(value: unknown): Arguments | undefined {
  const read = typeof value === 'string' ? parse(value) : value;
  return isObject(read) ? read : undefined;
}

/**
 * Reads a message. The params of a tool call are given the types that the SDK requires, so that mistakes are answered
 * by the tool: models read that and try again, but do not see errors of the protocol. A `task` is ignored, as the
 * protocol requires of servers without tasks.
 */
export function readMessage(body: string): Message {
  const message = parse(body);
  if (!isObject(message) || message['method'] !== 'tools/call') return { message, args: {} };
  const { name, arguments: args, _meta } = toObject(message['params']) ?? {};
  const params = { name: typeof name === 'string' ? name : '', ...(isObject(_meta) ? { _meta } : {}) };
  return { message: { ...message, params }, args: args === undefined || args === null ? {} : toObject(args) };
}

const isInternalError = (answer: unknown): answer is { readonly error: object } =>
  isObject(answer) && isObject(answer['error']) && answer['error']['code'] === ErrorCode.InternalError;

/** Removes the schema dump that the SDK sends if the params of a message do not fit its method. */
export function withoutDump(body: string): string {
  const answer = parse(body);
  if (!isInternalError(answer)) return body;
  const message = 'The params are not those of the method.';
  return JSON.stringify({ ...answer, error: { code: ErrorCode.InvalidParams, message } });
}
