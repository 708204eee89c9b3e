import { isAbsolute, join, relative } from 'node:path';
import { ORIGIN_RULE, isOrigin } from '../lib/shared/web/origins.ts';
import { LOCAL_POOL } from './local/data-folder.ts';
import { whenNpmEnds } from './local/environment.ts';
import { Problem, errorMessage } from './local/problem.ts';
import { type AnsweredRequest, formatRequest } from './local/request-log.ts';
import type { DynamoDBLocal } from './local/dynamodb-local.ts';
import type { CreateCompany, Stack } from './local/stack.ts';

const STOP_MILLISECONDS = 1_800;
/** How long the demo stays up to date. */
const DEMO_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The port in PORT, 4000 by default. */
function parsePort(text = ''): number {
  const port = text.trim() === '' ? 4000 : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Problem(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

/** The origins in FS_CORS_ORIGINS: pages that may call this stack. */
function parseOrigins(text = ''): readonly string[] {
  const origins = text.split(/[\s,]+/).filter(Boolean);
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) throw new Problem(`FS_CORS_ORIGINS ${ORIGIN_RULE}, not ${JSON.stringify(wrong)}.`);
  return origins;
}

/** Whether FS_SIGN_IN asks for users to sign in. */
function parseSignIn(text = ''): boolean {
  const word = text.trim().toLowerCase();
  if (['', '0', 'false', 'no'].includes(word)) return false;
  if (['1', 'true', 'yes'].includes(word)) return true;
  throw new Problem(`FS_SIGN_IN must be 1 or 0, not ${JSON.stringify(text)}.`);
}

/** Whether `npm start -- --quiet` asks for no request log. */
function parseQuiet(words: readonly string[]): boolean {
  const unknown = words.find((word) => word !== '--quiet');
  if (unknown !== undefined)
    throw new Problem(`${JSON.stringify(unknown)} is not an option. The only one is --quiet: npm start -- --quiet.`);
  return words.length > 0;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Requests of the start itself are not logged. */
let isReady = false;
const logRequest = (request: AnsweredRequest): void => {
  if (isReady) say(formatRequest(request));
};

/** A Problem is a sentence for the person at the terminal; anything else is a bug, and its trace helps to fix it. */
function exitWith(error: unknown): never {
  const trace = error instanceof Error ? error.stack : errorMessage(error);
  process.stderr.write(`${error instanceof Problem ? error.message : trace}\n`);
  process.exit(1);
}

/** What FS_DEMO asks for: the demo company, a `small` one, or with 0 none. */
function parseDemo(text = 'full'): CreateCompany | undefined {
  const word = text.trim().toLowerCase();
  if (['', '0', 'false', 'no'].includes(word)) return undefined;
  if (!['full', '1', 'true', 'yes', 'small'].includes(word))
    throw new Problem(`FS_DEMO must be full, small or 0, not ${JSON.stringify(text)}.`);
  const size = word === 'small' ? 'small' : 'full';
  return async (table, now) => {
    say('Creating a demo company with a year of jobs: about ten seconds …');
    const { createDemo } = await import('./cli/demo/create-demo.ts');
    return { ...(await createDemo(table, { now, size })), isDemo: true };
  };
}

/** The demo's dates are relative to the day of its creation. */
function outdated({ local: { DemoCreatedAt = '' } }: Stack): string {
  if (!(Date.now() - Date.parse(DemoCreatedAt) > DEMO_MILLISECONDS)) return '';
  const day = DemoCreatedAt.slice(0, 10);
  return `\nThe demo company is of ${day}. For one of today: npm run fs -- reset, then start again.\n`;
}

/** Where to find the key; the key itself must not remain in terminal history or build logs. */
const hint = (started: Stack, folder: string, pages: string): string => {
  const { baseUrl, isNew, local } = started;
  const file = join(isAbsolute(folder) ? folder : relative('', folder) || '.', 'local.json');
  return `
  ${baseUrl}/docs            the documentation, where calls can be tried out
  ${baseUrl}/openapi.json    the OpenAPI document
  ${baseUrl}/health          whether it serves, without a key
  ${baseUrl}/inbox           the e-mails and texts that clients got
${local.SignInEndpoint ? `  ${local.SignInEndpoint}         Amazon Cognito, with the user pool ${LOCAL_POOL}\n` : ''}
${isNew ? 'Created a company and a key' : 'Using the company and the key of the last start'}: see ${file}. Try

  KEY=$(node -p 'JSON.parse(require("fs").readFileSync("${file}")).ApiKey')
  curl ${baseUrl}/api/test/echo -H "X-Api-Key: $KEY" -d '{}'
${pages}${outdated(started)}
Ctrl-C stops everything; the data is kept for the next start.
`;
};

let stack: Stack | undefined;
/** Replaces the embedded engine. */
let engine: DynamoDBLocal | undefined;
let isStopping = false;

async function stop(): Promise<void> {
  if (isStopping) process.exit(0);
  isStopping = true;
  // The engine ends with this process in any case: nothing is lost if stopping takes too long.
  setTimeout(() => process.exit(0), STOP_MILLISECONDS).unref();
  await stack?.stop();
  await engine?.stop();
  process.exit(0);
}

async function start(): Promise<void> {
  const folder = process.env['FS_DATA'] || '.local';
  const port = parsePort(process.env['PORT']);
  const corsOrigins = parseOrigins(process.env['FS_CORS_ORIGINS']);
  const onRequest = parseQuiet(process.argv.slice(2)) ? undefined : logRequest;
  const createCompany = parseDemo(process.env['FS_DEMO']);
  const signIn = parseSignIn(process.env['FS_SIGN_IN']);
  say(`Starting DynamoDB and the API, with the data in ${folder} …`);
  // Loading the stack takes a moment, so a wrong PORT is reported first.
  const [{ startStack }, { describeExampleLinks }, { describeOffice }, { replaceMissingEngine }] = await Promise.all([
    import('./local/stack.ts'),
    import('./local/example-links.ts'),
    import('./local/office-link.ts'),
    import('./local/dynamodb-local.ts'),
  ]);
  engine = await replaceMissingEngine({ dataFolder: folder, log: say });
  stack = await startStack({ folder, port, corsOrigins, createCompany, signIn, onRequest, onLost: exitWith });
  if (isStopping) return await stack.stop();
  const [clients, office] = await Promise.all([describeExampleLinks(stack.local), describeOffice(stack.local)]);
  isReady = true;
  process.stdout.write(`Ready: ${stack.baseUrl}\n${hint(stack, folder, `${office}${clients}`)}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // The terminal is gone after SIGHUP.
    if (signal !== 'SIGHUP' && !isStopping) say('\nStopping. The data is kept for the next start.');
    void stop();
  });
whenNpmEnds(() => void stop()).catch(exitWith);
start().catch(exitWith);
