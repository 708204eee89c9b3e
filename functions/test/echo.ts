import { operation } from '../../lib/api/operation.ts';

/** Answers when the key is good: the way to try a key out, and the cheapest health check. */
export const echo = operation({
  title: 'Check the connection and key',
  summary: 'Answers when the API key is good.',
  access: 'read',
  needs: [],
  response: () => ({}),
  async run() {
    return {};
  },
});
