import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { expect, test } from 'vitest';
import { LOCAL_POOL } from '../../../infra/local/data-folder.ts';
import { startSignIn } from '../../../infra/local/sign-in.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

async function call({ baseUrl, local }: Stack, operation: string, body: object) {
  const response = await fetch(`${baseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'x-api-key': local.ApiKey },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

test('a local stack with a sign-in keeps its people for the next start, and no foreign page reaches them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-sign-in-'));
  const stack = await startStack({ folder, port: 0, quiet: true, signIn: true });
  expect(await call(stack, 'user/create', { Name: 'Mia', Email: 'mia@example.com' })).toMatchObject({ SignIn: 'Done' });
  expect(await call(stack, 'users/bulkenablemfa', { UserIds: [1] })).toMatchObject({
    Results: [{ UserId: 1, Status: 'Enabled', SignIn: 'Pending' }],
  });
  const headers = { origin: 'https://attacker.example' };
  expect((await fetch(`${stack.local.SignInEndpoint}/health`, { headers })).status).toBe(403);
  await stack.stop();

  const again = await startSignIn({
    folder: join(folder, 'sign-in'),
    port: 0,
    origins: [],
    onMessage: () => undefined,
  });
  const client = new CognitoIdentityProviderClient({ endpoint: again.endpoint, region: 'local', credentials });
  const person = { UserPoolId: LOCAL_POOL, Username: 'mia@example.com' };
  expect(await client.send(new AdminGetUserCommand(person))).toMatchObject({ UserStatus: 'FORCE_CHANGE_PASSWORD' });
  client.destroy();
  await again.stop();
  rmSync(folder, { recursive: true });
});
