import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { testStack } from './stack/stack.ts';

const open: Client[] = [];

/** An assistant with a key as its bearer token. */
export async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${testStack().BaseUrl}/mcp`), { requestInit }));
  open.push(client);
  return client;
}

export async function closeAssistants(): Promise<void> {
  for (const client of open.splice(0)) await client.close();
}

/** What a tool answered. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
  /** The token of a preview. */
  readonly confirm: string;
}

/** Calls a tool; arguments that are undefined are left out. */
export async function say(client: Client, name: string, args: object = {}): Promise<Said> {
  const sent = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
  const result = await client.callTool({ name, arguments: sent });
  const [{ text = '' } = {}] = result.content as { text?: string }[];
  const [, marked = '{}'] = /<data>(.*)<\/data>$/s.exec(text) ?? [];
  const [, confirm = ''] = /confirm (c-[\w-]+)\./.exec(text) ?? [];
  return { text, isError: result.isError === true, data: JSON.parse(marked) as Said['data'], confirm };
}
