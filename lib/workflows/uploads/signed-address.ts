import type { UploadRecord } from '../../entities/uploads.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { filePath } from '../../domain/uploads/record.ts';
import { MINUTE, SECOND } from '../../shared/time/time.ts';

/** How long an address of a file is good for. */
const ADDRESS_MILLISECONDS = 15 * MINUTE;

export interface SignedQuery {
  readonly account: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

/** Every file has a secret of its own: who knows the signature of one can make none of another. */
const sign = ({ Id, Secret }: UploadRecord, account: string, expires: number): string =>
  createHmac('sha256', Secret).update(`${account}/${Id}/${expires}`).digest('base64url');

/** The path at which anyone gets the file for 15 minutes. */
export function signedPath(upload: UploadRecord, account: string, now: Date): string {
  const expires = Math.ceil((now.getTime() + ADDRESS_MILLISECONDS) / SECOND);
  const query = new URLSearchParams({ account, expires: String(expires), signature: sign(upload, account, expires) });
  return `${filePath(upload.Id)}?${query}`;
}

/** Whether an address is one of ours and still good. */
export function isSigned(upload: UploadRecord, { account, expires, signature }: SignedQuery, now: Date): boolean {
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(upload, account, expires))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) && expires * SECOND > now.getTime();
}
