import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPrograms } from '../../../infra/local/dynamodb-local.ts';
import { running } from '../../support/stack/process.ts';

const missing = await missingPrograms();

/** With Java, and by `npm run prove -- starts`: two starts take it ten seconds. */
test.skipIf(missing.length || !process.env['EVERY_START'])(
  'npm start without the embedded engine says that DynamoDB Local runs, and keeps the data',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'without-engine-'));
    const environment = { FS_DATA: folder, FS_WITHOUT_ENGINE: '1', DYNAMODB_ENDPOINT: '', FS_DEMO: '0' };
    try {
      const first = await running(environment);
      expect(first.output).toContain('DynamoDB Local runs instead, on Java.');
      const { AccountId, ApiKey } = first.local;
      await first.end('SIGTERM');
      const second = await running(environment);
      expect(second.local).toMatchObject({ AccountId, ApiKey });
      const answer = await fetch(`${second.local.BaseUrl}/api/test/whoami`, {
        method: 'POST',
        headers: { 'x-api-key': ApiKey },
        body: '{}',
      });
      expect(answer.status).toBe(200);
      await second.end('SIGTERM');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
