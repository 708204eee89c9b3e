import { openTable } from '../../lib/store/dynamodb/table.ts';
import { accountStore } from '../../lib/store/store.ts';
import { listOfficeUsers } from '../../lib/workflows/users/sign-in-user.ts';
import type { LocalJson } from './data-folder.ts';

/** Who signs in by the link: somebody of the office, else an owner, else anybody. */
const preferred = ['Office', 'Owner'];

/** Lines with a link that signs in to the office as one of its users; `''` without users. */
export async function describeOffice({ AccountId, BaseUrl, TableName, DynamoDBEndpoint }: LocalJson): Promise<string> {
  const users = await listOfficeUsers(
    accountStore(openTable({ tableName: TableName, endpoint: DynamoDBEndpoint }), AccountId),
  );
  const found = preferred.map((role) => users.find(({ Role }) => Role === role));
  const user = found.find(Boolean) ?? users[0];
  if (!user) return '';
  const link = `${BaseUrl}/office/start?${new URLSearchParams({ login_hint: user.Email })}`;
  return `\nWhat the office works with, signed in as ${user.Name}:\n\n  ${link}\n`;
}
