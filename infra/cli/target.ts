import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openTable, type TableWriter } from '../../lib/store/client.ts';
import { CommandError } from './output.ts';

/** What a running local stack writes down about itself in `<FS_DATA>/local.json`. */
interface LocalStack {
  readonly AccountId: string;
  readonly DynamoDBEndpoint: string;
  readonly TableName: string;
  readonly Region: string;
}

const described = ['AccountId', 'DynamoDBEndpoint', 'TableName', 'Region'] as const;

function readLocal(folder: string): LocalStack {
  const file = join(resolve(folder), 'local.json');
  if (!existsSync(file)) throw new CommandError(`There is no local stack at FS_DATA=${folder}: start one with npm start and the same FS_DATA.`);
  const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const missing = described.filter((name) => typeof found[name] !== 'string');
  if (missing.length) throw new CommandError(`${file} does not say ${missing.join(', ')}: start the local stack again.`);
  return found as unknown as LocalStack;
}

const local = (): LocalStack | undefined => {
  const folder = process.env['FS_DATA'];
  return folder ? readLocal(folder) : undefined;
};

/** The table of the local stack that FS_DATA names, or else that of a deployed stack, by TABLE_NAME and the AWS credentials at hand. */
export function openTarget(): TableWriter {
  const stack = local();
  if (stack) {
    // The engine asks for credentials and looks at none.
    Object.assign(process.env, { AWS_REGION: stack.Region, AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
    return openTable({ tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint });
  }
  const tableName = process.env['TABLE_NAME'];
  if (!tableName) {
    throw new CommandError('Say where to work: FS_DATA, the data folder of a local stack, or TABLE_NAME, the table of a deployed one, with AWS credentials.');
  }
  return openTable({ tableName });
}

/** The account to work on: the one named, or else the local stack's own. */
export function accountOf({ account }: { account?: string }): string {
  const found = account ?? local()?.AccountId;
  if (!found) throw new CommandError('Name the account with --account.');
  return found;
}
