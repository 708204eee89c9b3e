import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, in the order in which they begin. The first two of operations read the whole table,
 * again and again, which others fill.
 */
const longest = [
  'operations/other-stored-records',
  'operations/every-stored-record',
  'operations/shared',
  'faults/replies',
  'workers/erasure',
  'faults/bad-input',
  'operations/appointments/holds',
  'infra/cli/other-systems/killed-import',
  'infra/cli/company-file/import',
  'faults/races',
  'workers/events',
  'client/tool',
  'client/rush',
  'faults/search-entries',
  'workers/expiry',
  'infra/bundle',
  'infra/stack',
  'infra/edge',
  'faults/bookings',
  'store/events',
  'faults/payments',
  'operations/found-dates',
  'infra/cli/check',
  'operations/services',
  'infra/cli/contacts-csv/import',
  'operations/organization-guards',
  'workers/canary',
  'operations/download',
  'client/streams',
  'store/dynamodb/client',
  'faults/kills',
].map((name) => `/test/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
};

/** Those that need the run's stack begin. */
const projects = ['calls', 'handlers', 'alone', 'reloading', 'rules'];

const projectOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);

/**
 * Begins with the files known to take long, so that none is waited for at the end, also where no run was before. One
 * project after another: a process goes on with a file of its own project alone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort(
      (one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other),
    );
  }
}
