import { getDownloadOperation } from './operations.ts';

export const getdownload = getDownloadOperation('download');
