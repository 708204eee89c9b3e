import type { DynamoDBRecord } from 'aws-lambda';
import { handler as events } from '../../functions/workers/event-queue.ts';
import { handler as backgroundWork } from '../../functions/workers/background-work.ts';
import { deliver, matches } from '../../infra/local/event-source.ts';
import { type StreamWorkerName, streamWorkers } from '../../functions/workers/index.ts';

/** Numbers from 0 to 1 that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const itemOf = ({ dynamodb }: DynamoDBRecord): string => `${dynamodb?.Keys?.['PK']?.S} ${dynamodb?.Keys?.['SK']?.S}`;

/** The records in another order that keeps that of each item: all that a stream with several shards promises. */
export function shuffledAcrossItems(records: readonly DynamoDBRecord[], random: () => number): DynamoDBRecord[] {
  const queues = [...Map.groupBy(records, itemOf).values()];
  const shuffled: DynamoDBRecord[] = [];
  while (queues.length) {
    const place = Math.floor(random() * queues.length);
    const record = queues[place]?.shift();
    if (record) shuffled.push(record);
    else queues.splice(place, 1);
  }
  return shuffled;
}

/** The records with numbers that rise, as a shard has them in the order in which it delivers. */
export function numbered(records: readonly DynamoDBRecord[]): DynamoDBRecord[] {
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '').sort((a, b) => Number(a) - Number(b));
  return records.map((record, place) => ({
    ...record,
    dynamodb: { ...record.dynamodb, SequenceNumber: numbers[place] ?? '' },
  }));
}

/** Adds records that came before once more: `share` of them, at places at random behind the first. */
export function withDuplicates(
  records: readonly DynamoDBRecord[],
  share: number,
  random: () => number,
): DynamoDBRecord[] {
  const all: DynamoDBRecord[] = [];
  for (const record of records) {
    all.push(record);
    const again = all[Math.floor(random() * all.length)];
    if (again && random() < share) all.push(again);
  }
  return all;
}

const workers = { 'event-queue': events, 'background-work': backgroundWork } satisfies Record<
  StreamWorkerName,
  unknown
>;

/**
 * Hands records to a worker by the rules of its deployed event source, without waiting between attempts. Where `killed`
 * says so, the worker has done its work and nobody has heard: the same records come again. Gives the records that ended
 * in the dead-letter queue.
 */
export async function deliverAll(
  records: readonly DynamoDBRecord[],
  {
    worker = 'event-queue',
    size = streamWorkers[worker].stream.batchSize as number,
    killed = () => false,
  }: { worker?: StreamWorkerName; size?: number; killed?: () => boolean } = {},
): Promise<DynamoDBRecord[]> {
  const dead: DynamoDBRecord[] = [];
  const handler = workers[worker];
  const rules = streamWorkers[worker].stream;
  const input = records.filter((record) => rules.filters.some((pattern) => matches(pattern, record)));
  for (let start = 0; start < input.length; start += size) {
    const batch = input.slice(start, start + size);
    await deliver(batch, {
      rules,
      async invoke(part) {
        while (killed()) await handler({ Records: [...part] }).catch(() => undefined);
        return handler({ Records: [...part] }).then(
          (answer) => ({ answer }),
          () => undefined,
        );
      },
      advance: () => undefined,
      discard: (batch) => void dead.push(...batch.records),
      backOff: () => Promise.resolve(),
      ageHours: () => 0,
      isStopped: () => false,
    });
  }
  return dead;
}
