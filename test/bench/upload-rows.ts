import { createServer } from 'node:http';
import { listen } from '../../infra/local/ports.ts';
import { invokeFile } from '../support/stack/invoke.ts';
import type { CostRow } from './cost-rows.ts';

/** A bucket that takes every file and keeps none: what is counted is the table. */
export async function startTakingBucket(): Promise<() => Promise<void>> {
  const server = createServer((incoming, response) => {
    incoming.resume().once('end', () => response.writeHead(200, { etag: '"1"' }).end());
  });
  const { endpoint, stop } = await listen(server);
  Object.assign(process.env, { BUCKET_NAME: 'bench', AWS_ENDPOINT_URL_S3: endpoint });
  return stop;
}

let last = 880;
/** A contact without files. */
const another = () => ++last;

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Filename: `${index}.txt`, Content: 'cGxhaW4=' }));

const stored = (count: number) => (answer: Record<string, unknown>) => {
  const { UploadIds } = answer['upload'] as { UploadIds: number[] };
  if (UploadIds.length !== count) throw new Error(`expected ${count} files, found ${UploadIds.length}`);
};

const toContact =
  (count: number): CostRow['body'] =>
  () => ({ upload: { ContactId: another() }, files: files(count) });

export const uploadRows: readonly CostRow[] = [
  {
    name: 'contacts/upload, a file',
    operation: 'contacts/upload',
    body: toContact(1),
    budget: { rounds: 2, readUnits: 2, writeUnits: 8 },
    check: stored(1),
  },
  {
    name: 'contacts/upload, 20 files',
    operation: 'contacts/upload',
    body: toContact(20),
    // Ids are reserved in a round of their own.
    budget: { rounds: 3, readUnits: 2, writeUnits: 90 },
    check: stored(20),
  },
  {
    name: 'contacts/upload, an announced file',
    operation: 'contacts/upload',
    body: () => ({ upload: { ContactId: another() }, files: [{ Filename: 'large.mp4', Size: 90_000_000 }] }),
    budget: { rounds: 2, readUnits: 3, writeUnits: 6 },
    check: stored(1),
  },
  {
    name: 'proposal/upload, a file',
    operation: 'proposal/upload',
    body: async (_, call) => {
      const { body } = await call('proposal/create', { ContactId: another(), ServiceId: 1 });
      return { upload: { ProposalId: body['Id'] }, files: files(1) };
    },
    // The version of the list of files is read beside the proposal and written beside the file.
    budget: { rounds: 4, readUnits: 5, writeUnits: 16 },
    check: stored(1),
  },
  {
    name: 'GET /files/{id}',
    operation: 'files/get',
    body: async (run, call) => (await call('contacts/upload', await toContact(1)(run, call))).body,
    send: (answer, options) =>
      invokeFile((answer as { upload: { UploadIds: number[] } }).upload.UploadIds[0] ?? 0, options),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
    status: 303,
  },
];
