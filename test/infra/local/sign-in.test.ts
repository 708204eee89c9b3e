import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { expect, test, vi } from 'vitest';
import { LOCAL_POOL } from '../../../infra/local/data-folder.ts';
import { startSignIn } from '../../../infra/local/sign-in.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { makeStackFolder } from '../../support/stack/stack-folder.ts';

/** For what workers do within a moment. */
const PATIENCE = { timeout: 20_000, interval: 100 };

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

async function call({ baseUrl, local }: Stack, operation: string, body: object) {
  const response = await fetch(`${baseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'x-api-key': local.ApiKey },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

test('a local stack with a sign-in has its people follow the users, and keeps them for the next start', async () => {
  const folder = await makeStackFolder();
  const stack = await startStack({ folder, port: 0, quiet: true, signIn: true });
  expect(await call(stack, 'user/create', { Name: 'Mia', Email: 'mia@example.com' })).toMatchObject({
    SignIn: 'Pending',
  });
  const Users = [{ Name: 'Ben', Email: 'ben@example.com' }];
  expect(await call(stack, 'organizations/update', { OrganizationId: 1, Users })).toMatchObject({
    Message: 'The sign-in of user 2 follows within a minute.',
  });
  const client = new CognitoIdentityProviderClient({
    endpoint: stack.local.SignInEndpoint ?? '',
    region: 'local',
    credentials,
  });
  const personOf = (Username: string) => client.send(new AdminGetUserCommand({ UserPoolId: LOCAL_POOL, Username }));
  await vi.waitFor(() => Promise.all([personOf('mia@example.com'), personOf('ben@example.com')]), PATIENCE);
  await call(stack, 'organizations/update', { OrganizationId: 1, Users: [{ Id: 2, Active: false }] });
  await vi.waitFor(async () => expect(await personOf('ben@example.com')).toMatchObject({ Enabled: false }), PATIENCE);
  await vi.waitFor(async () => {
    expect(await call(stack, 'users/bulkenablemfa', { UserIds: [1] })).toMatchObject({
      Message: expect.stringMatching(/no authenticator app/) as string,
    });
  }, PATIENCE);
  const headers = { origin: 'https://attacker.example' };
  expect((await fetch(`${stack.local.SignInEndpoint}/health`, { headers })).status).toBe(403);
  client.destroy();
  await stack.stop();

  const again = await startSignIn({
    folder: join(folder, 'sign-in'),
    port: 0,
    origins: [],
    onMessage: () => undefined,
  });
  const kept = new CognitoIdentityProviderClient({ endpoint: again.endpoint, region: 'local', credentials });
  const person = { UserPoolId: LOCAL_POOL, Username: 'mia@example.com' };
  expect(await kept.send(new AdminGetUserCommand(person))).toMatchObject({ UserStatus: 'FORCE_CHANGE_PASSWORD' });
  kept.destroy();
  await again.stop();
  rmSync(folder, { recursive: true });
});
