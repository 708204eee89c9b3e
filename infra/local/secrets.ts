import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { foreignPage } from './local-callers.ts';

/** Secrets Manager of the local stack: GetSecretValue, of secrets by name. */
export interface LocalSecrets {
  readonly endpoint: string;
  stop(): Promise<void>;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** Serves secrets on any free port of this machine, and to no web page. */
export async function startSecrets(secrets: Readonly<Record<string, string>>): Promise<LocalSecrets> {
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

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
