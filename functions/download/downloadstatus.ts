import { downloadStatusOperation } from './operations.ts';

export const downloadstatus = downloadStatusOperation('download');
