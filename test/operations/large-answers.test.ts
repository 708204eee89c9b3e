import { expect, it } from 'vitest';
import { testAccount } from '../support/stack.ts';

it(
  'an answer over 6 MB is 413 with a message that names the limit, and a smaller page succeeds',
  { timeout: 60_000 },
  async () => {
    const account = await testAccount();
    const body = 'n'.repeat(9_900);
    for (let contact = 0; contact < 4; contact++) {
      for (let call = 0; call < 3; call++) {
        const Notes = Array.from({ length: 60 }, () => ({ Body: body }));
        expect(
          (await account.call('contacts/addupdate', { Name: 'Long Story', Email: `long${contact}@example.com`, Notes }))
            .status,
        ).toBe(200);
      }
    }
    const { status, body: answer } = await account.call('contacts/locate', { NameSearch: 'long story' });
    expect([status, answer['ResultCode'], String(answer['Message']).includes('6 MB')]).toEqual([413, 413, true]);
    const page = await account.call('contacts/locate', { NameSearch: 'long story', Limit: 1 });
    expect([page.status, (page.body['Matches'] as unknown[]).length]).toEqual([200, 1]);
  },
);
