import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GUARDED_SCRIPT, findEngine } from './engine.ts';
import { freePort } from './ports.ts';
import { Problem } from './problem.ts';

const run = promisify(execFile);

const VERSION = '2.6.1';
const OLDEST_JAVA = 17;
const START_MILLISECONDS = 60_000;

/** DynamoDB Local, which Amazon provides for testing. */
export interface DynamoDBLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** What is missing on this machine to run DynamoDB Local, a sentence each. */
export async function missingPrograms(): Promise<string[]> {
  const version = await run('java', ['-version']).then(
    ({ stderr }) => Number(/version "(\d+)/.exec(stderr)?.[1]),
    () => undefined,
  );
  const missing: string[] = [];
  if (version === undefined) missing.push(`Java ${OLDEST_JAVA} is missing: install default-jre-headless.`);
  else if (version < OLDEST_JAVA) missing.push(`Java ${version} is too old: install Java ${OLDEST_JAVA}.`);
  const isMavenFound = await run('mvn', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isMavenFound && !(await isFetched())) missing.push('Maven is missing, which fetches it: install maven.');
  return missing;
}

const folder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'field-service-api', `dynamodb-local-${VERSION}`);

const isFetched = (): Promise<boolean> =>
  access(join(folder(), `DynamoDBLocal-${VERSION}.jar`)).then(
    () => true,
    () => false,
  );

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>field-service-api</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.amazonaws</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Downloads it once, with its dependencies, into the user's cache folder. Simultaneous downloads do no harm. */
async function fetchOnce(): Promise<void> {
  if (await isFetched()) return;
  await mkdir(dirname(folder()), { recursive: true });
  const incomplete = await mkdtemp(`${folder()}-`);
  try {
    await writeFile(join(incomplete, 'pom.xml'), project);
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=.'], { cwd: incomplete });
    await rename(incomplete, folder());
  } finally {
    await rm(incomplete, { recursive: true, force: true });
  }
}

/** Starts it on a free port of this machine, on files in a folder or in memory. It ends with this process. */
export async function startDynamoDBLocal(dataFolder?: string): Promise<DynamoDBLocal> {
  await fetchOnce();
  const port = await freePort();
  const libraries = folder();
  const child = spawn(
    'sh',
    [
      '-c',
      GUARDED_SCRIPT,
      'sh',
      'java',
      '-Xmx1g',
      // Optimizing for a run of minutes takes more CPU than it saves.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${libraries}`,
      `-Dsqlite4java.library.path=${libraries}`,
      '-cp',
      join(libraries, '*'),
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      ...(dataFolder ? ['-dbPath', resolve(dataFolder)] : ['-inMemory']),
      '-sharedDb',
      '-port',
      String(port),
    ],
    // It writes a file into its working directory.
    { cwd: libraries, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').then(() => child.stdin.destroy());
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const endpoint = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_MILLISECONDS;
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      endWithUs();
      throw new Error(`DynamoDB Local does not answer on port ${port}.`);
    }
    await pause(100);
  }
  return {
    endpoint,
    async stop() {
      process.off('exit', endWithUs);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Starts DynamoDB Local if this machine has no embedded engine, and sets DYNAMODB_ENDPOINT. If neither is possible, the
 * error says what to install.
 */
export async function replaceMissingEngine({
  dataFolder,
  log,
}: {
  readonly dataFolder?: string;
  readonly log: (line: string) => void;
}): Promise<DynamoDBLocal | undefined> {
  let reason: string;
  try {
    findEngine();
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || process.env['DYNAMODB_ENDPOINT']) throw error;
    reason = error.message;
  }
  const missing = await missingPrograms();
  if (missing.length) throw new Problem(`${reason} ${missing.join(' ')}`);
  log('There is no embedded DynamoDB engine for this machine: DynamoDB Local runs instead, on Java.');
  if (dataFolder) await mkdir(dataFolder, { recursive: true });
  const local = await startDynamoDBLocal(dataFolder);
  process.env['DYNAMODB_ENDPOINT'] = local.endpoint;
  return local;
}
