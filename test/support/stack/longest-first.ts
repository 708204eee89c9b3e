import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, in the order in which they begin: those that keep the run's stack busy between those
 * that have processes of their own.
 */
const longest = [
  'operations/shared',
  'faults/replies',
  'infra/bundle',
  'infra/start',
  'faults/bad-input',
  'infra/cli/company-file/command',
  'faults/kills',
  'workers/events',
  'infra/cli/demo/create-demo',
  'faults/bookings',
  'infra/cli/company-file/import',
  'infra/cli/fs',
  'store/dynamodb/client',
  'operations/tenants',
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
