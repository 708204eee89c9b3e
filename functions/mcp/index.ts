import type { Group } from '../../lib/api/group.ts';
import { keyRoute } from '../../lib/api/http/key-routes.ts';

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP without sessions. Its tools call the operations within
 * this process, with the caller's key, through the same steps as over HTTP.
 */
export const handler = keyRoute('mcp/call', async (call) => (await import('./protocol.ts')).answerCall(call));

export const mcp: Group = {
  name: 'mcp',
  description: 'Tools for assistants.',
  operations: [],
  paths: ['/mcp'],
  needs: ['table:write', 'expiries:write', 'messages:write', 'sign-in:expect', 'callbacks:sign', 'roads:ask'],
  callsOthers: true,
  handler,
};
