import { renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file in one step: a reader, or we ourselves after a kill, find the old text or the new one and never half
 * of it.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, text, { mode });
  renameSync(beside, file);
}
