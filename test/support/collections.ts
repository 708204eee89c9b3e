import { runInNewContext } from 'node:vm';

interface Script {
  readonly listen: 'prerequest' | 'test';
  readonly script: { readonly exec: readonly string[] };
}

export interface CollectedItem {
  readonly name: string;
  readonly request: { readonly url: { readonly raw: string }; readonly body: { readonly raw: string } };
  readonly event?: readonly Script[];
}

export interface PostmanCollection {
  readonly item: readonly { readonly name: string; readonly item: readonly CollectedItem[] }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
}

export const operationOf = ({ request }: CollectedItem): string => request.url.raw.replace('{{baseUrl}}/api/', '');

export interface Sent {
  readonly operation: string;
  /** As `contacts/addupdate second contact`. */
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

type Send = (operation: string, body: string) => Promise<{ readonly status: number; readonly text: string }>;

/** Runs a Postman collection as its own runner does: scripts, variables and order. Returns what was sent. */
export async function runCollection(
  { item, variable }: PostmanCollection,
  { values, send }: { readonly values: Readonly<Record<string, string>>; readonly send: Send },
): Promise<Sent[]> {
  const variables = new Map([...variable.map(({ key, value }) => [key, value] as const), ...Object.entries(values)]);
  const sent: Sent[] = [];
  for (const folder of item)
    for (const each of folder.item) {
      if (isSkipped(each, variables)) continue;
      const body = each.request.body.raw.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
      const operation = operationOf(each);
      const { status, text } = await send(operation, body);
      const response = { code: status, json: () => JSON.parse(text) as unknown };
      runScripts(each, 'test', { variables, collectionVariables: variables, response });
      sent.push({ operation, name: `${folder.name}/${each.name}`, status, text });
    }
  return sent;
}

/** Whether the scripts of a request leave it out. */
export function isSkipped(item: CollectedItem, variables: Map<string, string>): boolean {
  let skipped = false;
  const execution = { skipRequest: () => (skipped = true) };
  runScripts(item, 'prerequest', { variables, collectionVariables: variables, execution });
  return skipped;
}

function runScripts({ event = [] }: CollectedItem, when: Script['listen'], pm: object): void {
  for (const { listen, script } of event) if (listen === when) runInNewContext(script.exec.join('\n'), { pm });
}
