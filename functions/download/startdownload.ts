import { startDownloadOperation } from './operations.ts';

export const startdownload = startDownloadOperation('download');
