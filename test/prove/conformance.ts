import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { startStack } from '../../infra/local/stack.ts';

const SUITE = '@modelcontextprotocol/conformance@0.1.16';

/** Why a scenario of the suite is not for this server. */
const NEEDS: readonly [scenarios: RegExp, need: string][] = [
  [/^logging-|^tools-call-with-logging$/, 'the capability logging'],
  [/^completion-/, 'the capability completions'],
  [/^resources-/, 'the capability resources'],
  [/^prompts-/, 'the capability prompts'],
  [/^tools-call-(sampling|elicitation)$|^elicitation-/, 'a server that asks its client'],
  [/^tools-call-with-progress$|^server-sse-polling$/, 'answers as a stream; ours are JSON'],
  [/^server-sse-multiple-streams$/, 'sessions; ours has none'],
  [/^tools-call-(simple-text|image|audio|embedded-resource|mixed-content)$|^json-schema-/, 'a test tool of the suite'],
  [/^dns-rebinding-protection$/, 'a server that serves without a key'],
];

const whyNot = (scenario: string): string | undefined => NEEDS.find(([scenarios]) => scenarios.test(scenario))?.[1];

/** npm fetches the suite once. It runs on this Node.js. */
async function runSuite(...args: readonly string[]): Promise<{ readonly output: string; readonly passed: boolean }> {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const options = { env: { ...process.env, PATH }, maxBuffer: 16 * 1024 * 1024 };
  try {
    const { stdout } = await promisify(execFile)('npx', ['--yes', SUITE, ...args], options);
    return { output: stdout, passed: true };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return { output: stdout + (stderr || message), passed: false };
  }
}

/** The suite sends no key: what it sends goes on with one. */
async function startProxy(baseUrl: string, key: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const pass = async () => {
      const headers = new Headers({ authorization: `Bearer ${key}` });
      for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'])
        if (request.headers[name]) headers.set(name, String(request.headers[name]));
      const { method = 'POST' } = request;
      const body = method === 'POST' ? await text(request) : undefined;
      const answer = await fetch(`${baseUrl}/mcp`, { method, headers, ...(body === undefined ? {} : { body }) });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(await answer.text());
    };
    pass().catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}

/** Has the official suite of the protocol play every scenario for servers that applies; says why others do not. */
export async function conformance(): Promise<boolean> {
  const listed = await runSuite('list', '--server');
  const scenarios = [...listed.output.matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name);
  if (!listed.passed || !scenarios.length) {
    process.stdout.write(`assistant: the conformance suite does not run: ${listed.output.slice(0, 500)}\n`);
    return false;
  }
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true });
  const { url, server } = await startProxy(stack.baseUrl, stack.local.ApiKey);
  try {
    const applying = scenarios.filter((scenario) => !whyNot(scenario));
    const failed: string[] = [];
    for (const scenario of applying) {
      const { output, passed } = await runSuite('server', '--url', url, '--scenario', scenario);
      if (passed) continue;
      failed.push(scenario);
      process.stdout.write(`assistant: ${scenario}: ${output}\n`);
    }
    for (const scenario of scenarios) {
      const need = whyNot(scenario);
      if (need) process.stdout.write(`assistant: ${scenario} does not apply: it needs ${need}\n`);
    }
    const held = applying.length - failed.length;
    process.stdout.write(`assistant: ${held} of ${applying.length} scenarios that apply of ${SUITE} hold\n`);
    return !failed.length;
  } finally {
    server.closeAllConnections();
    server.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
