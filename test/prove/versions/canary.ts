import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { holdKey } from '../../../infra/local/data-folder.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { MINUTE, SECOND } from '../../../lib/shared/time/time.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { type PatientTable, openTable } from '../../../lib/store/dynamodb/table.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { Containers, environmentOn, handlersOf, secretsEndpoint } from '../deployed-stack.ts';
import type { DeployedFunction, Deployment } from '../deployment.ts';

/** What a deployment fills in of a secret: `{{resolve:secretsmanager:callback-key:SecretString:::}}`. */
const SECRET = /^\{\{resolve:secretsmanager:([^:]+):SecretString:::\}\}$/;

function secretsOf({ environment }: DeployedFunction, folder: string): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) => {
    const [, secret] = SECRET.exec(value) ?? [];
    return secret ? [[name, holdKey(folder, secret)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Of a record that a worker could not handle, as far as it is looked at. */
interface DeadLetter {
  readonly Record?: { readonly dynamodb?: { readonly NewImage?: object; readonly OldImage?: object } };
}

/** A put that was repeated after a lost reply: the local engine reports it as a change, DynamoDB does not. */
function changesNothing(letter: string): boolean {
  const { NewImage, OldImage } = (JSON.parse(letter) as DeadLetter).Record?.dynamodb ?? {};
  return NewImage !== undefined && isDeepStrictEqual(NewImage, OldImage);
}

/** Whether a line says no more than that records were parked, each of which is a dead letter. */
const isOfParked = (line: string): boolean => /"Failures":0,"Parked":[1-9]/.test(line);

interface Serving {
  readonly deployment: Deployment;
  readonly containers: Containers;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A stack whose table, files, queues and routes stay, while the bundles behind them are of one version or another. */
export class Canary {
  readonly #errors: string[] = [];
  readonly #folder: string;
  readonly #newest: Deployment;
  #stack: Stack | undefined;
  #serving = Promise.withResolvers<Serving>();

  private constructor(folder: string, newest: Deployment) {
    this.#folder = folder;
    this.#newest = newest;
  }

  /** `newest` has all functions: events of those that an older version lacks go to it. */
  static async start(folder: string, newest: Deployment): Promise<Canary> {
    const canary = new Canary(folder, newest);
    const handlers = handlersOf(newest, (name, event) => canary.#handle(name, event));
    canary.#stack = await startStack({ folder, port: 0, quiet: true, retryMilliseconds: 1, handlers });
    return canary;
  }

  get stack(): Stack {
    if (!this.#stack) throw new Error('The stack does not run yet.');
    return this.#stack;
  }

  get table(): PatientTable {
    return openTable({ ...this.#address, deadline: Date.now() + 10 * MINUTE });
  }

  async itemsOf(accountId: string): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of openScan(this.#address)({ accounts: [accountId], isWhole: true })) items.push(...page);
    return items;
  }

  /** What functions logged as errors, and what the workers could not handle. */
  async problems(): Promise<string[]> {
    const logged = this.#errors.filter((line) => !isOfParked(line)).map((line) => `logged: ${line}`);
    const letters = (await this.stack.deadLetters()).filter((letter) => !changesNothing(letter));
    return [...logged, ...letters.map((letter) => `not handled: ${letter}`)];
  }

  /** Has new containers of a version serve what `work` calls, and what follows from it. */
  async serve<Result>(deployment: Deployment, work: () => Promise<Result>): Promise<Result> {
    const { local } = this.stack;
    const endpoints = {
      table: local.DynamoDBEndpoint,
      files: local.AwsEndpoint,
      secrets: secretsEndpoint(),
      messages: local.MessagesEndpoint,
    };
    const environment = environmentOn(this.stack, endpoints, this.#folder);
    const containers = new Containers({
      environmentOf: (deployed) => ({ ...environment, ...secretsOf(deployed, this.#folder) }),
      instances: 1,
      log: (line) => this.#errors.push(line),
    });
    this.#serving.resolve({ deployment, containers });
    try {
      const result = await work();
      await this.stack.drain();
      return result;
    } finally {
      this.#serving = Promise.withResolvers();
      containers.stop();
    }
  }

  /** Calls an operation, again where the key has made too many calls. */
  async call(key: string, operation: string, request: object, idempotencyKey?: string): Promise<Answer> {
    const response = await fetch(`${this.stack.baseUrl}/api/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': key,
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      body: JSON.stringify(request),
    });
    const answer = { status: response.status, text: await response.text() };
    if (answer.status !== 429) return answer;
    await pause(SECOND);
    return this.call(key, operation, request, idempotencyKey);
  }

  get #address() {
    const { TableName: tableName, DynamoDBEndpoint: endpoint } = this.stack.local;
    return { tableName, endpoint };
  }

  async #handle(name: string, event: object): Promise<never> {
    const { deployment, containers } = await this.#serving.promise;
    const deployed = deployment.functions.get(name) ?? this.#newest.functions.get(name);
    if (!deployed) throw new Error(`the template has no function ${name}`);
    return containers.call(deployed, event);
  }
}
