import { operation } from '../../lib/api/operation.ts';

/** Answers if the key is valid: the way to try a key, and the cheapest health check. */
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
