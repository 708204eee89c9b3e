import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

const listen = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.stdout.write(String(server.address().port));
    process.kill(process.pid, 'SIGSTOP');
  });`;

/** An address to which no connection can be made: its process is stopped, and its queue of connections is full. */
export async function startDeafServer(): Promise<{ readonly endpoint: string; stop(): void }> {
  const server = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const waiting: Socket[] = Array.from({ length: 8 }, () =>
    connect(Number(port), '127.0.0.1').on('error', () => undefined),
  );
  await new Promise((done) => setTimeout(done, 200));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop() {
      waiting.forEach((socket) => socket.destroy());
      server.kill('SIGKILL');
    },
  };
}
