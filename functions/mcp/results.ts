import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { OperationAnswer } from '../call-operation.ts';
import { made, say } from './sentence.ts';
import type { ToolAnswer } from './tool.ts';

/** Escapes `<` and `>` in JSON, so that a client's text cannot end the data or begin another part. */
const escaped = (text: string): string => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** Our own sentence, followed by what others wrote, as JSON between marks. */
export function toResult({ say: sentence, data, isRefused }: ToolAnswer, isError = isRefused): CallToolResult {
  const marked = data === undefined ? '' : `\n<data>${escaped(JSON.stringify(data))}</data>`;
  return { content: [{ type: 'text', text: `${escaped(sentence)}${marked}` }], ...(isError ? { isError } : {}) };
}

/** The operation's refusal. Its texts may quote what was sent or stored, so our sentence has only its code. */
export function refusal({ body }: OperationAnswer): CallToolResult {
  const { Code, Message, Errors } = body;
  return toResult({ say: say`Not done: ${made(Code)}.`, data: { Message, Errors } }, true);
}

export const READ_ONLY = say`This key lets assistants only read. Whoever runs the company can create one with fs key create --assistant write.`;
