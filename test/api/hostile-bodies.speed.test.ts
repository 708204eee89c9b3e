import type { Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { handler } from '../../functions/test/index.ts';
import { costOf } from '../support/cpu.ts';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { apiEvent } from '../support/stack/invoke.ts';

test.each(Object.entries(hostileBodies))(
  'a body without a valid key costs little more than an ordinary one: %s',
  async (_, body) => {
    vi.stubEnv('LOG_LEVEL', 'silent');
    const statuses = new Set<number>();
    const send = async () => {
      const answer = await handler(apiEvent('test/echo', body, { headers: {} }), {} as Context);
      statuses.add(answer.statusCode ?? 0);
    };
    expect(await costOf(send)).toBeLessThan(30);
    for (const status of statuses) expect([400, 401]).toContain(status);
  },
);
