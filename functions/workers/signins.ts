import { queueWorker } from '../../lib/api/workers.ts';
import { followUsers } from '../../lib/workflows/users/follow-users.ts';
import { changeVisibility } from './sqs.ts';

export const signins = queueWorker({
  name: 'signins',
  description: 'Has the user pool follow users who are made or changed',
  needs: ['table:write', 'sign-in:follow'],
  onlyWith: 'signIn',
  // Retries for a day while the user pool is unavailable (lib/workflows/users/follow-users.ts).
  queue: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  run: followUsers,
  changeVisibility,
});
export const { handler } = signins;
