import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { omitSignatures } from '../../infra/unsigned-requests.ts';

test('a client without signatures sends their form alone, which names no key', async () => {
  const sent: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    sent.push(headers.authorization);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials }));
  const get = () => client.send(new GetCommand({ TableName: 'table', Key: { PK: 'a', SK: 'b' } }));
  await get();
  omitSignatures(client);
  await get();
  await get();
  const [signed, ...others] = sent;
  expect(signed).toMatch(/Credential=AKIDEXAMPLE\/.*Signature=[0-9a-f]{64}$/);
  expect(others).toEqual([expect.stringMatching(/Credential=local\/.*Signature=0$/), others[0]]);
});
