import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/client.ts';
import { quickPuts } from '../local/quick-puts.ts';
import { CommandError } from './output.ts';

/** What a running local stack writes down about itself in `<FS_DATA>/local.json`. */
interface LocalStack {
  readonly AccountId: string;
  readonly DynamoDBEndpoint: string;
  readonly TableName: string;
  readonly Region: string;
}

const described = ['AccountId', 'DynamoDBEndpoint', 'TableName', 'Region'] as const;

/** Where `npm start` keeps its data when FS_DATA names no other folder. */
const USUAL_FOLDER = '.local';

function readLocal(folder: string): LocalStack {
  const file = join(resolve(folder), 'local.json');
  if (!existsSync(file))
    throw new CommandError(
      `There is no local stack at FS_DATA=${folder}: start one with npm start and the same FS_DATA.`,
    );
  const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const missing = described.filter((name) => typeof found[name] !== 'string');
  if (missing.length)
    throw new CommandError(`${file} does not say ${missing.join(', ')}: start the local stack again.`);
  return found as unknown as LocalStack;
}

/** The local stack that FS_DATA names; where no deployed one is named either, that of the usual folder. */
function local(): LocalStack | undefined {
  const named = process.env['FS_DATA'];
  if (named) return readLocal(named);
  return !process.env['TABLE_NAME'] && existsSync(join(USUAL_FOLDER, 'local.json'))
    ? readLocal(USUAL_FOLDER)
    : undefined;
}

/** The table of the local stack, or else that of a deployed one, by TABLE_NAME and the AWS credentials at hand. */
export function openTarget(): TableWriter {
  const stack = local();
  if (stack) {
    // The engine asks for credentials and looks at none.
    Object.assign(process.env, {
      AWS_REGION: stack.Region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    return quickPuts(openTable({ tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint }));
  }
  const tableName = process.env['TABLE_NAME'];
  if (!tableName) {
    throw new CommandError(
      'There is no stack to work on: start a local one with npm start (FS_DATA names its folder), or name the table of a deployed one with TABLE_NAME.',
    );
  }
  return openTable({ tableName });
}

/** The account to work on: the one named, or else the local stack's own. */
export function findAccountId({ account }: { account?: string }): string {
  const found = account ?? local()?.AccountId;
  if (!found) throw new CommandError('Name the account with --account.');
  return found;
}
