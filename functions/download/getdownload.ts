import { getDownloadOperation } from '../download-operations.ts';

export const getdownload = getDownloadOperation('download');
