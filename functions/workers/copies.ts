import { queueWorker } from '../../lib/api/workers.ts';
import { keepUploads } from '../../lib/workflows/uploads/keep-uploads.ts';

/** Copies uploaded files, once their records are committed, to where they do not expire. */
export const handler = queueWorker('copies', keepUploads);
