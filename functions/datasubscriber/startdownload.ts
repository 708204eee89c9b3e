import { startDownloadOperation } from '../download-operations.ts';

export const startdownload = startDownloadOperation('datasubscriber');
