import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../infra/local/ports.ts';

const run = promisify(execFile);

const VERSION = '2.6.1';
const OLDEST_JAVA = 17;
const START_MILLISECONDS = 60_000;

/** DynamoDB Local, which Amazon makes to test programs for DynamoDB. */
export interface DynamoDBLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** What is missing on this machine to run DynamoDB Local, as a sentence each. */
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

/** Fetches it once, with what it needs, into the user's cache folder. Another run that fetches it too does no harm. */
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

/** Starts it in memory, on a free port of this machine. */
export async function startDynamoDBLocal(): Promise<DynamoDBLocal> {
  await fetchOnce();
  const port = await freePort();
  const libraries = folder();
  const child = spawn(
    'java',
    [
      '-Xmx1g',
      // Optimizing what runs for minutes only takes more CPU than it saves.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      `-Djava.library.path=${libraries}`,
      `-Dsqlite4java.library.path=${libraries}`,
      '-cp',
      join(libraries, '*'),
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      '-inMemory',
      '-sharedDb',
      '-port',
      String(port),
    ],
    // It writes a file of its own where it runs.
    { cwd: libraries, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
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
