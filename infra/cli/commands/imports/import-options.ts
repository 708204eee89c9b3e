import type { AccountOption } from '../../options.ts';
import type { RemoteOptions } from '../../remote/profile.ts';

export interface ImportOptions extends RemoteOptions, AccountOption {
  /** The system that exported the files. */
  readonly from?: string;
  /** Mapping files for another system, instead of `from`. */
  readonly mapping?: readonly string[];
  readonly suggestMapping?: boolean;
  readonly organization?: string;
  readonly service?: string;
  readonly notes?: boolean;
  readonly skipUnknown?: boolean;
  readonly ignoreComputed?: boolean;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  /** Lists imports. */
  readonly runs?: boolean;
  /** The import to undo. */
  readonly undo?: number;
  readonly json?: boolean;
}
