import { join } from 'node:path';
import { CALLBACK_KEY, PAYMENT_KEY } from '../../infra/local/data-folder.ts';
import type { DeployedHandlers, Stack } from '../../infra/local/stack.ts';
import { queueNames } from '../../functions/workers/index.ts';
import { streamWorkerNames, scheduledWorkerNames } from '../../functions/workers/index.ts';
import type { DeployedFunction, Deployment, Names } from './deployment.ts';
import { FunctionPool } from './function-pool.ts';

const ROUTE = /^ANY (\/\S+)$/;

export type CallFunction = (name: string, event: object) => Promise<never>;

/** The handlers behind the routes of the template, and its workers: each hands its events to a function by its name. */
export function handlersOf({ routes }: Deployment, call: CallFunction): DeployedHandlers {
  const groups = [...routes].flatMap(([key, name]) => {
    const [, path] = ROUTE.exec(key) ?? [];
    return path ? [{ name, paths: [path], handler: (event: object) => call(name, event) }] : [];
  });
  const byName = <Name extends string>(known: readonly Name[]) =>
    Object.fromEntries(known.map((name) => [name, (event: object) => call(name, event)])) as Record<
      Name,
      (event: object) => Promise<never>
    >;
  return {
    groups,
    fallback: (event) => call(routes.get('$default') ?? '', event),
    workers: byName(streamWorkerNames),
    queues: byName(queueNames),
    scheduled: byName(scheduledWorkerNames),
  };
}

/** What the references of a template are on the stack. */
export const namesOn = (baseUrl: string): Names => ({
  table: 'field-service',
  bucket: 'field-service-files',
  baseUrl,
  queues: 'http://127.0.0.1',
  secrets: { CallbackSigning: CALLBACK_KEY, PaymentKeys: PAYMENT_KEY },
});

/** Where the stack that runs in this process has its secrets. */
export const secretsEndpoint = (): string => process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '';

/** Where functions reach table, files, secrets, and the services of e-mails and texts. */
export interface Endpoints {
  readonly table: string;
  readonly files: string;
  readonly secrets: string;
  readonly messages: string;
}

/**
 * What functions have on the stack besides the environment of the template. What differs from AWS: STAGE is `local`,
 * because tests use addresses of this machine.
 */
export const environmentOn = ({ local }: Stack, { table, files, secrets, messages }: Endpoints, folder: string) => ({
  STAGE: 'local',
  PATH: process.env['PATH'] ?? '',
  AWS_REGION: local.Region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: table,
  AWS_ENDPOINT_URL_S3: files,
  AWS_ENDPOINT_URL_SQS: files,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
  AWS_ENDPOINT_URL_SESV2: messages,
  AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: messages,
  STRIPE_API: local.StripeApi,
  NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
});

interface ContainerOptions {
  /** What a function has besides the environment of the template. */
  readonly environmentOf: (deployed: DeployedFunction) => Readonly<Record<string, string>>;
  /** Of each function. */
  readonly instances: number;
  /** Called with each error that a function logs. */
  readonly log: (line: string) => void;
}

/** The containers of all functions; those of a function start with its first events. */
export class Containers {
  readonly #pools = new Map<DeployedFunction, FunctionPool>();
  readonly #options: ContainerOptions;

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  /** How many were started. */
  get started(): number {
    return [...this.#pools.values()].reduce((sum, pool) => sum + pool.started, 0);
  }

  async call(deployed: DeployedFunction, event: object): Promise<never> {
    const { environmentOf, instances, log } = this.#options;
    const pool =
      this.#pools.get(deployed) ?? new FunctionPool(deployed, { environment: environmentOf(deployed), instances, log });
    this.#pools.set(deployed, pool);
    return (await pool.call(event)) as never;
  }

  stop(): void {
    this.#pools.forEach((pool) => pool.stop());
  }
}
