import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, in the order in which they begin: those that keep the run's stack busy between those
 * that have processes of their own.
 */
const longest = [
  'operations/shared',
  'faults/replies',
  'docs/first-hour',
  'faults/bad-input',
  'infra/start',
  'operations/services',
  'faults/kills',
  'infra/cli/demo/create-demo',
  'workers/erasure',
  'infra/cli/company-file/import',
  'operations/proposal-accept',
  'infra/bundle',
  'operations/tenants',
  'infra/cli/check',
  'faults/bookings',
  'operations/appointments',
  'workers/events',
  'operations/invoice',
  'faults/races',
  'faults/payments',
].map((name) => `/test/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
};

/** Begins with the files known to take long, so that none is waited for at the end, also where no run was before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
