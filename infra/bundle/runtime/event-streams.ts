/**
 * Stands in for `@smithy/core/event-streams`, 15 KB of every client, which only operations with a stream of events use,
 * such as S3's SelectObjectContent.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundles omit event streams; see infra/bundle/left-out.ts.');
  }
}

export const eventStreamSerdeProvider = () => ({});

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
