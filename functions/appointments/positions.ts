import type { Position } from '../../lib/domain/postal/miles.ts';
import { postal } from '../../lib/files/postal.ts';

/** The centre of a postal code, null for one that is not known. */
export async function positions(): Promise<(code: string) => Position | null> {
  const codes = await postal();
  return (code) => codes.find(code)?.position ?? null;
}
