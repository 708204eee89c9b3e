import { downloadStatusOperation } from '../download-operations.ts';

export const downloadstatus = downloadStatusOperation('download');
