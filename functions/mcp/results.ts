import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { OperationAnswer } from './operations.ts';
import { made, say } from './sentence.ts';
import type { ToolAnswer } from './tool.ts';

/** In JSON `<` may be written so: no text of a client ends the data or begins another part. */
const escaped = (text: string): string => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** Our own words, and behind them what anybody else wrote, as JSON between marks. */
export function toResult({ say: sentence, data, isRefused }: ToolAnswer, isError = isRefused): CallToolResult {
  const marked = data === undefined ? '' : `\n<data>${escaped(JSON.stringify(data))}</data>`;
  return { content: [{ type: 'text', text: `${escaped(sentence)}${marked}` }], ...(isError ? { isError } : {}) };
}

/** What the operation said is wrong. Its texts may quote what is sent or stored, so only its code is ours to say. */
export function refusal({ body }: OperationAnswer): CallToolResult {
  const { Code, Message, Errors } = body;
  return toResult({ say: say`Not done: ${made(Code)}.`, data: { Message, Errors } }, true);
}

export const READ_ONLY = say`This key lets assistants only read. Whoever runs the company can create one with fs key create --assistant write.`;
