/**
 * Stands in for `@smithy/core/event-streams`, 15 KB that every client carries and that only operations with a stream of
 * events use, such as S3's SelectObjectContent; none is used here.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are left out of the bundles; see infra/left-out.ts.');
  }
}

export const eventStreamSerdeProvider = () => ({});

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
