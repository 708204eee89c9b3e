import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { groups } from '../../../functions/index.ts';
import { makeBundles } from '../../../infra/bundle/bundle.ts';
import { readLocal, writeLocal } from '../../../infra/local/data-folder.ts';
import { freePort } from '../../../infra/local/ports.ts';
import { nounNames } from '../../../lib/entities/nouns.ts';
import { migrateAccount } from '../../../lib/store/administration/migrations.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { attributes } from '../../../lib/store/keys.ts';
import { synthesize } from '../../infra/synthesized.ts';
import { countOne, renew, withExamples } from '../../support/documents/examples.ts';
import { startRemote } from '../../support/stack/remote.ts';
import { type TestAccount, openAccount, setTestStack, testAccount } from '../../support/stack/stack.ts';
import { kindOf, nameOf, rewritten } from '../../support/stored-records.ts';
import { namesOn } from '../deployed-stack.ts';
import { type Deployment, readDeployment } from '../deployment.ts';
import { type Answer, Canary } from './canary.ts';
import { MixedCompany } from './mixed.ts';
import { type KnownIds, differences, noteIds, readsById, requestsFor } from './reads.ts';
import { type Example, deploymentOf, examplesOf, makeRelease } from './release.ts';
import { accountStore } from '../../../lib/store/store.ts';

const root = resolve(import.meta.dirname, '../../..');

interface Version {
  readonly name: string;
  readonly deployment: Deployment;
  /** In the order of the document. */
  readonly examples: readonly Example[];
}

/** The last release, and what is to be deployed over it. */
interface Versions {
  readonly released: Version;
  readonly current: Version;
}

interface Company {
  readonly name: string;
  readonly account: TestAccount;
  readonly ids: KnownIds;
}

/** A call with an Idempotency-Key, which a version has done. */
interface DoneCall {
  readonly operation: 'contacts/addnote' | 'task/create';
  readonly request: object;
  /** In the record that it makes, and the Idempotency-Key. */
  readonly text: string;
  readonly answer: string;
}

/** Fields of answers that this version means to answer otherwise than the release, with what the changelog says. */
const changed: Readonly<Record<string, string>> = { Url: 'has a new signature in each answer' };

/** Answers to reads, by what was asked. */
type Answers = ReadonlyMap<string, Answer>;

const print = (line: string): void => void process.stdout.write(`versions: ${line}\n`);

/** These deployments have no services of messages, and refuse to send. */
const WITHOUT_MESSAGES: ReadonlySet<string> = new Set(['this version: messages/send']);

class Proof {
  readonly #canary: Canary;
  readonly #versions: Versions;
  #failures = 0;
  readonly #succeeded = new Set<string>();

  constructor(canary: Canary, versions: Versions) {
    this.#canary = canary;
    this.#versions = versions;
  }

  #fail(line: string): void {
    this.#failures++;
    print(`FAILED: ${line.slice(0, 600)}`);
  }

  /** The company that examples need, made by a version of its own operations where it has them. */
  makeCompany(by: keyof Versions): Promise<Company> {
    return this.#serve(by, async ({ name }) => ({
      name: `examples on ${name}`,
      account: await withExamples(await testAccount()),
      ids: new Map(),
    }));
  }

  /** The version that made a company changes it; the other reads and changes it, and then so does the first again. */
  async alternate(company: Company, first: keyof Versions): Promise<void> {
    const second = first === 'released' ? 'current' : 'released';
    const done: DoneCall[] = [];
    const written = await this.#serve(first, async (version) => {
      await this.#change(version, company);
      done.push(...(await this.#callWithKeys(first, company)));
      return this.#read(version, company);
    });
    const changed = await this.#serve(second, async (version) => {
      await this.#repeat(second, company, done);
      this.#compare(company, { [first]: written, [second]: await this.#read(version, company) });
      done.push(...(await this.#callWithKeys(second, company)));
      await this.#change(version, company);
      return this.#read(version, company);
    });
    await this.#serve(first, async (version) => {
      await this.#repeat(first, company, done);
      this.#compare(company, { [first]: await this.#read(version, company), [second]: changed });
      await this.#change(version, company);
    });
  }

  /** The current version goes on with a company whose items are brought into its form. */
  async migrate(company: Company): Promise<void> {
    await migrateAccount(accountStore(this.#canary.table, company.account.accountId));
    await this.#serve('current', async (version) => {
      await this.#change(version, company);
      await this.#read(version, company);
    });
  }

  /** Both change what the release does not know. */
  mix(): Promise<void> {
    const { released, current } = this.#versions;
    const deployments = { released: released.deployment, current: current.deployment };
    return MixedCompany.proof(this.#canary, deployments, (line) => this.#fail(line));
  }

  /** Whether all went well, also in the functions behind the calls, and every operation of both versions was proven. */
  async end(): Promise<boolean> {
    const all = Object.values(this.#versions).flatMap(({ name, examples }: Version) =>
      examples.map((example) => `${name}: ${example.name}`),
    );
    for (const one of all)
      if (!this.#succeeded.has(one) && !WITHOUT_MESSAGES.has(one)) this.#fail(`${one} never succeeds`);
    for (const problem of await this.#canary.problems()) this.#fail(problem);
    return this.#failures === 0;
  }

  #serve<Result>(of: keyof Versions, work: (version: Version) => Promise<Result>): Promise<Result> {
    const version = this.#versions[of];
    return this.#canary.serve(version.deployment, () => work(version));
  }

  /** Calls that change one record and make one, each with a key of its own. */
  async #callWithKeys(by: keyof Versions, company: Company): Promise<DoneCall[]> {
    const done: DoneCall[] = [];
    const ContactId = await this.#firstContact(company);
    for (const operation of ['contacts/addnote', 'task/create'] as const) {
      const text = `${operation} on ${by}, ${randomUUID()}`;
      const request = operation === 'task/create' ? { Description: text } : { ContactId, Note: { Body: text } };
      const { status, text: answer } = await this.#call(this.#versions[by], company, operation, request, text);
      if (status === 200) done.push({ operation, request, text, answer });
      else this.#fail(`${company.name}: ${text}: ${answer}`);
    }
    return done;
  }

  async #firstContact({ account }: Company): Promise<number> {
    const contacts = (await this.#canary.itemsOf(account.accountId)).filter((item) => kindOf(item) === 'Contact');
    return Math.min(...contacts.map(({ Id }) => Number(Id)));
  }

  /** A version repeats its own calls and those of the other with the same answer. None has a second effect. */
  async #repeat(by: keyof Versions, company: Company, done: readonly DoneCall[]): Promise<void> {
    for (const { operation, request, text, answer } of done) {
      const again = await this.#call(this.#versions[by], company, operation, request, text);
      if (again.text !== answer)
        this.#fail(`${company.name}: ${text}: repeated on ${by}: ${again.status} ${again.text}`);
    }
    const located = await this.#call(this.#versions[by], company, 'contacts/locate', {
      IdSearch: await this.#firstContact(company),
    });
    const [contact] = (JSON.parse(located.text) as { Matches: { Notes: { Body: string }[] }[] }).Matches;
    const tasks = (await this.#canary.itemsOf(company.account.accountId)).filter((item) => kindOf(item) === 'Task');
    const texts = [...(contact?.Notes ?? []).map(({ Body }) => Body), ...tasks.map(({ Description }) => Description)];
    for (const { text } of done) {
      const effects = texts.filter((one) => one === text).length;
      if (effects !== 1) this.#fail(`${company.name}: ${text}: ${effects} effects`);
    }
  }

  async #call(
    { name }: Version,
    company: Company,
    operation: string,
    request: object,
    idempotencyKey?: string,
  ): Promise<Answer> {
    const answer = await this.#canary.call(company.account.key, operation, request, idempotencyKey);
    if (answer.status >= 500)
      this.#fail(`${company.name}: ${name}: ${operation} ${JSON.stringify(request)}: ${answer.text}`);
    return answer;
  }

  /** Sends the examples of all changes; each record that they change keeps what a later version has stored in it. */
  async #change(version: Version, company: Company): Promise<void> {
    await this.#canary.stack.drain();
    await this.#canary.table.putMany((await this.#canary.itemsOf(company.account.accountId)).map(withFuture));
    const before = await this.#canary.itemsOf(company.account.accountId);
    const refused: string[] = [];
    const changes = version.examples.filter(({ access }) => access !== 'read');
    for (const { name, example } of changes) {
      let answer = await this.#call(version, company, name, example);
      // Something was used up, or the company is not where an older example is.
      for (const again of [example, this.#currentExample(name)]) {
        if (answer.status === 200) break;
        await countOne(company.account);
        await renew(company.account, name);
        answer = await this.#call(version, company, name, again);
      }
      if (answer.status === 200) {
        noteIds(company.ids, name, JSON.parse(answer.text));
        this.#succeeded.add(`${version.name}: ${name}`);
      } else refused.push(`${name} ${answer.status}`);
    }
    await this.#canary.stack.drain();
    const versions = new Map(before.map((item) => [nameOf(item), item[attributes.version]]));
    const changed = (await this.#canary.itemsOf(company.account.accountId)).filter(
      (item) => nounNames.has(kindOf(item)) && (versions.get(nameOf(item)) ?? item['V']) !== item['V'],
    );
    const lost = changed.filter(({ FromTheFuture }) => FromTheFuture === undefined);
    for (const item of lost) this.#fail(`${company.name}: ${version.name}: ${nameOf(item)} lost an attribute`);
    print(
      `${company.name}: ${version.name} makes ${changes.length - refused.length} of ${changes.length} changes, ` +
        `of ${changed.length} records that were there; refused: ${refused.join(', ') || 'none'}`,
    );
  }

  #currentExample(operation: string): object {
    return this.#versions.current.examples.find(({ name }) => name === operation)?.example ?? {};
  }

  async #read(version: Version, company: Company): Promise<Answers> {
    const answers = new Map<string, Answer>();
    for (const example of [...version.examples.filter(({ access }) => access === 'read'), ...readsById])
      for (const request of requestsFor(example, company.ids))
        answers.set(
          `${example.name} ${JSON.stringify(request)}`,
          await this.#call(version, company, example.name, request),
        );
    for (const [request, { status }] of answers)
      if (status === 200) this.#succeeded.add(`${version.name}: ${request.split(' ')[0]}`);
    return answers;
  }

  /** What the released version answers is in the answer of the current one, whichever wrote it. */
  #compare(company: Company, { released, current }: Readonly<Partial<Record<keyof Versions, Answers>>>): void {
    let compared = 0;
    for (const [request, { status, text }] of released ?? []) {
      const other = current?.get(request);
      // Callbacks go on by themselves between two readings.
      if (!other || request.startsWith('webhooks/calls ')) continue;
      compared++;
      const found =
        status === 200 && other.status === 200
          ? differences(JSON.parse(text), JSON.parse(other.text), { besides: changed })
          : differences(status, other.status);
      for (const line of found) this.#fail(`${company.name}: ${request}: ${line}`);
    }
    if (compared === 0) this.#fail(`${company.name}: no answer is compared`);
    print(`${company.name}: ${compared} answers of both versions compared`);
  }
}

/** The operations of a release in the order of this version, which is that of the work. */
function inOrderOf(examples: readonly Example[], released: readonly Example[]): Example[] {
  const place = (name: string) => examples.findIndex((example) => example.name === name);
  return released.toSorted((one, other) => place(one.name) - place(other.name));
}

/** The item as a version stores it that is later than both. */
function withFuture(item: Item): Item {
  const { [attributes.entity]: kind, V } = item;
  const stored = rewritten(item, (fields) => ({ ...fields }));
  return kind === undefined ? stored : { ...stored, V: Number(V) + 1 };
}

/** `npm start` of a version on a data folder, until it is ready: the small demo company is made where there is none. */
async function startOnce(tree: string, folder: string): Promise<void> {
  const env = { ...process.env, PORT: String(await freePort()), FS_DATA: folder, FS_DEMO: 'small' };
  const child = spawn(process.execPath, ['infra/start.ts'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { promise: ready, resolve: done, reject } = Promise.withResolvers<void>();
  // Read to its end: a server that cannot print ends.
  child.stdout.on('data', (text) => String(text).includes('Ready: ') && done());
  child.once('exit', () => reject(new Error('npm start ended before it was ready.')));
  await ready;
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

/**
 * Both directions of a canary deployment: the bundles of the last release and those of this version serve one table in
 * turn, and send the examples of all groups, with their workers behind them. A company of either version is changed by
 * both. Nothing fails; what the release answers the other answers too, whoever wrote it; and no version loses what it
 * does not know. Then each starts on the data folder of the other.
 */
export async function versions(): Promise<boolean> {
  const release = await makeRelease();
  const folder = await mkdtemp(join(tmpdir(), 'versions-'));
  const { outdir, plain } = await synthesize({ writeBundles: makeBundles });
  const ours = (baseUrl: string) => readDeployment(plain.toJSON(), outdir, namesOn(baseUrl));
  let passed = false;
  try {
    await startOnce(release.sources, folder);
    const { AccountId: accountId = '', ApiKey: key = '', ...places } = readLocal(folder);
    // As an account of a deployment, which is served before it is migrated.
    writeLocal(folder, places as never);
    const canary = await Canary.start(folder, ours(''));
    const { local } = canary.stack;
    const current = {
      name: 'this version',
      deployment: ours(local.BaseUrl),
      examples: groups.flatMap(({ operations }) => operations),
    };
    const released = {
      name: release.version,
      deployment: await deploymentOf(release, local.BaseUrl),
      examples: inOrderOf(current.examples, examplesOf(release)),
    };
    const proof = new Proof(canary, { released, current });
    const remote = await startRemote(canary.stack);
    setTestStack({ ...local, remote: remote.address, freshBaseUrl: local.BaseUrl });
    const demo: Company = {
      name: `demo of ${release.version}`,
      account: { ...(await openAccount(accountId)), key },
      ids: new Map(),
    };
    try {
      await proof.alternate(demo, 'released');
      await proof.alternate(await proof.makeCompany('released'), 'released');
      await proof.alternate(await proof.makeCompany('current'), 'current');
      await proof.migrate(demo);
      await proof.mix();
      passed = await proof.end();
    } finally {
      await remote.stop();
      await canary.stack.stop();
    }
    for (const tree of [root, release.sources, root]) await startOnce(tree, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(resolve(outdir, '..'), { recursive: true, force: true });
  }
  if (passed) print('each reads and changes what the other has written');
  return passed;
}
