import { afterEach, beforeEach, vi } from 'vitest';

/** The lines that the code under test writes to its log, emptied before each test of the file. */
export function loggedLines(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    process.env['LOG_LEVEL'] = 'info';
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.env['LOG_LEVEL'] = 'silent';
  });
  return lines;
}
