import { describe, expect, test } from 'vitest';
import { matches } from '../../../infra/local/event-source.ts';
import { type StreamWorkerName, streamWorkers } from '../../../functions/workers/index.ts';

type Image = Record<string, { S: string } | { N: string }>;

const input = (name: StreamWorkerName, images: { NewImage?: Image; OldImage?: Image }): boolean =>
  streamWorkers[name].stream.filters.some((pattern) => matches(pattern, { dynamodb: images }));

const proposal = (visits: string | undefined): Image => ({
  E: { S: 'Proposal' },
  ...(visits === undefined ? {} : { VisitsToQueue: { N: visits } }),
});

describe('the records of each consumer of the stream', () => {
  test.each([
    ['a new thing', { NewImage: { E: { S: 'Contact' } } }, true],
    ['a thing that is gone', { OldImage: { E: { S: 'Contact' } } }, true],
    ['an item that is no thing', { NewImage: { Id: { N: '1' } }, OldImage: { Id: { N: '1' } } }, false],
    ['an attribute of another type', { NewImage: { E: { N: '1' } } }, false],
  ])('events: %s', (_, images: { NewImage?: Image; OldImage?: Image }, expected) => {
    expect(input('event-queue', images)).toBe(expected);
  });

  test.each([
    ['a proposal with visits to be queued', { NewImage: proposal('325') }, true],
    ['one whose visits are all queued', { NewImage: proposal('0'), OldImage: proposal('5') }, false],
    ['one that says nothing of visits', { NewImage: proposal(undefined) }, false],
    ['one that is gone', { OldImage: proposal('5') }, false],
    ['another thing', { NewImage: { ...proposal('5'), E: { S: 'Contact' } } }, false],
  ])('proposals, by their visits: %s', (_, images: { NewImage?: Image; OldImage?: Image }, expected) => {
    expect(input('background-work', images)).toBe(expected);
  });
});
