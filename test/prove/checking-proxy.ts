import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { listen } from '../../infra/local/ports.ts';
import {
  type Access,
  type Statement,
  bucketAccess,
  emailAccess,
  isAllowed,
  queueAccess,
  secretAccess,
  tableAccess,
  textAccess,
} from './permissions.ts';

/** A service behind a proxy that refuses what the caller's role does not allow. */
export interface CheckingProxy {
  readonly endpoint: string;
  /** What was refused, a line each, with how often. */
  readonly denials: ReadonlyMap<string, number>;
  /** Requests that were checked. */
  checked(): number;
  stop(): Promise<void>;
}

/** Finds the role's statements by the access key that signed the request. */
export type RoleOf = (
  accessKey: string,
) => { readonly name: string; readonly statements: readonly Statement[] } | undefined;

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function accessOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Access[] {
  const [service = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  if (service.startsWith('DynamoDB_')) return tableAccess(operation, JSON.parse(body.toString()) as never);
  if (service === 'AmazonSQS') return [queueAccess(operation, JSON.parse(body.toString()) as never)];
  if (service === 'secretsmanager') return [secretAccess(operation, JSON.parse(body.toString()) as never)];
  if (service === 'PinpointSMSVoiceV2') return textAccess(operation, JSON.parse(body.toString()) as never);
  if (url === '/v2/email/outbound-emails') return emailAccess(JSON.parse(body.toString()) as never);
  return [bucketAccess(method, url)];
}

/** Passes a service's requests on, except those that IAM would refuse. */
export async function startCheckingProxy(service: string, roleOf: RoleOf): Promise<CheckingProxy> {
  const agent = new Agent({ keepAlive: true });
  const denials = new Map<string, number>();
  let checked = 0;

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const signature = `${incoming.headers.authorization ?? ''} ${decodeURIComponent(incoming.url ?? '')}`;
    const [, accessKey = ''] = /Credential=([^/]+)\//.exec(signature) ?? [];
    const role = roleOf(accessKey);
    checked++;
    const denied = accessOf(incoming, body).find((access) => !role || !isAllowed(role.statements, access));
    if (denied) {
      // Ids say nothing about the statement that is missing.
      const keys = denied.leadingKeys.map((key) => key.replace(/^(A#)[^#]+/, '$1…').slice(0, 60));
      const line = `${role?.name ?? 'unknown'}: ${denied.action} on ${denied.resource} ${keys.join(', ')}`;
      denials.set(line, (denials.get(line) ?? 0) + 1);
      const type = 'com.amazon.coral.service#AccessDeniedException';
      const text = JSON.stringify({ __type: type, Message: `not authorized to perform: ${denied.action}` });
      return void response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    }
    const { method, url: path, headers } = incoming;
    const outgoing = request(service, { agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  }

  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  const { endpoint, stop } = await listen(server);
  return {
    endpoint,
    denials,
    checked: () => checked,
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}
