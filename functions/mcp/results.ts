import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { OperationAnswer } from './operations.ts';
import type { ToolAnswer } from './tool.ts';

/** In JSON `<` may be written so: no text of a client ends the data or begins another part. */
const escaped = (text: string): string => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** Our own words, and behind them what clients and staff wrote, as JSON between marks. */
export function toResult({ say, data }: ToolAnswer, isError = false): CallToolResult {
  const marked = data === undefined ? '' : `\n<data>${escaped(JSON.stringify(data))}</data>`;
  return { content: [{ type: 'text', text: `${escaped(say)}${marked}` }], ...(isError ? { isError } : {}) };
}

/** What the operation said is wrong; its texts may quote what is stored. */
export const refusal = ({ body }: OperationAnswer): CallToolResult =>
  toResult(
    { say: `Not done. ${String(body['Message'] ?? '')}`, ...(body['Errors'] ? { data: body['Errors'] } : {}) },
    true,
  );

export const READ_ONLY =
  'This key lets assistants only read. Whoever runs the company can create one with ' +
  'fs key create --assistant write.';
