import { queueWorker } from '../../lib/api/workers.ts';
import { followUsers } from '../../lib/workflows/users/follow-users.ts';
import { changeVisibility } from './sqs.ts';

/** Has the user pool follow users who are made or changed. */
export const handler = queueWorker('signins', followUsers, { changeVisibility });
