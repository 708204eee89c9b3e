const omitted = (part: string): never => {
  throw new Error(`The bundles omit ${part}; see infra/bundle/left-out.ts.`);
};

/** Stands in for SHA-256 in JavaScript, 3 KB of every client: Node has its own. */
export class Sha256Js {
  constructor() {
    omitted('SHA-256 in JavaScript');
  }
}

/** Stands in for the retry mode `adaptive`, 3 KB of every client; ours is `standard`. */
export class AdaptiveRetryStrategy {
  constructor() {
    omitted('adaptive retries');
  }
}

/** Stands in for asking an EC2 instance for its region, 1 KB of every client: Lambda gives it as AWS_REGION. */
export const getInstanceMetadataRegion = (): never => omitted('the metadata of EC2 instances');

/** Stands in for checksums of web streams, whose classes Node.js loads at first use; Lambda answers by its own. */
export const createChecksumStream = (): never => omitted('checksums of web streams');
