import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { foreignPage } from './local-callers.ts';
import { type Listening, listen } from './ports.ts';

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/**
 * Secrets Manager of the local stack: GetSecretValue for secrets by name, on any free port of this machine, and refused
 * to web pages.
 */
export async function startSecrets(secrets: Readonly<Record<string, string>>): Promise<Listening> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reason = foreignPage(request, { servesPages: false });
    if (reason !== undefined) return send(response, 403, { __type: 'AccessDeniedException', Message: reason });
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue')
      return send(response, 400, { __type: 'UnknownOperationException' });
    const { SecretId: Name = '' } = (await json(request)) as { SecretId?: string };
    const SecretString = secrets[Name];
    if (SecretString === undefined) return send(response, 400, { __type: 'ResourceNotFoundException' });
    send(response, 200, { Name, SecretString });
  }

  return listen(createServer((request, response) => void answer(request, response).catch(() => response.destroy())));
}
