import { streamWorker } from '../../lib/api/workers.ts';
import { attributes } from '../../lib/store/keys.ts';
import { runBackgroundWork } from '../../lib/workflows/queues/background-work.ts';
import { sendMessages } from './sqs.ts';

const ofEntity = (name: string) => ({ [attributes.entity]: { S: [name] } });
/** Numbers are text in a stream record. */
const otherThanZero = { N: [{ 'anything-but': ['0'] }] };

export const backgroundWork = streamWorker({
  name: 'background-work',
  description:
    'Makes and changes visits of series, pays invoices by credit, lists who has some, and hands new work to the queues',
  needs: ['table:write', 'queues:send', 'sign-in:expect', 'roads:ask'],
  stream: {
    filters: [
      // Accepted proposals with more visits than one transaction makes.
      { dynamodb: { NewImage: { ...ofEntity('Proposal'), VisitsToQueue: otherThanZero } } },
      // Also who has used all of the credit, and leaves the list of those who have some.
      { dynamodb: { NewImage: { ...ofEntity('Contact'), CreditBalance: { N: [{ exists: true }] } } } },
      { dynamodb: { NewImage: { ...ofEntity('Series'), Left: otherThanZero } } },
      // A user pool may need to be updated from them.
      { dynamodb: { NewImage: ofEntity('User') } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { Queue: { S: [{ exists: true }] } } } },
    ],
  },
  alarms: {
    parked: 'Visits of proposals could not be queued. The changes are kept in the bucket, for fs events redrive.',
    late: 'Visits, and new work of the queues, are queued late',
  },
  run: (table, records, options) => runBackgroundWork(table, records, options, sendMessages),
});
export const { handler } = backgroundWork;
