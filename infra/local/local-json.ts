import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './atomic-file.ts';
import { messageOf, Problem } from './problem.ts';

/**
 * What a person or a tool on this machine needs to use the stack; it lies in the data folder as `local.json`, readable
 * by its owner only.
 */
export interface LocalJson {
  readonly BaseUrl: string;
  /** An Owner key of the account that the first start made. */
  readonly ApiKey: string;
  readonly AccountId: string;
  readonly OrganizationId: number;
  readonly DynamoDBEndpoint: string;
  /** S3 and SQS. */
  readonly AwsEndpoint: string;
  readonly TableName: string;
  readonly Bucket: string;
  readonly Region: string;
}

const fileIn = (folder: string): string => join(folder, 'local.json');

/** What the last start wrote; empty before the first. */
export function readLocal(folder: string): Partial<LocalJson> {
  const file = fileIn(folder);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalJson>;
  } catch (error) {
    throw new Problem(`${file} cannot be read (${messageOf(error)}); mend it, or remove it to get a new key.`);
  }
}

export const writeLocal = (folder: string, local: LocalJson): void =>
  replaceFile(fileIn(folder), `${JSON.stringify(local, null, 2)}\n`);
