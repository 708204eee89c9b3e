import { worker } from '../../lib/api/worker.ts';
import { runProposalTasks } from '../../lib/workflows/proposals/proposal-tasks.ts';

/** Queues visits of accepted subscriptions and expires open proposals whose time is over. */
export const handler = worker('proposal-work', runProposalTasks);
