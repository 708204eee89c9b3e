import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that read the whole table of the run, again and again: they begin while others have not filled it. */
const readers = [
  'workers/erasure',
  'workers/merged-credit',
  'workers/merges',
  'faults/merges',
  'faults/calls-before-merges',
  'workers/erasure-in-flight',
  'workers/series',
  'operations/appointments/holds',
  'operations/appointments/buffers',
  'operations/stored-records/other-records',
  'operations/stored-records/every-operation',
];

/** The files that take longest besides, in the order in which they begin. */
const longest = [
  'operations/shared',
  'faults/replies',
  'faults/bad-input',
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
  'operations/services/services',
  'infra/cli/contacts-csv/import',
  'operations/organizations/guards',
  'workers/canary',
  'operations/download/download',
  'client/streams',
  'store/dynamodb/client',
  'faults/kills',
];

const first = [...readers, ...longest].map((name) => `/test/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = first.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? first.length : place;
};

const projects = ['alone', 'stack', 'reloading', 'rules'];

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
