import type { DownloadFormat } from '../../../../lib/domain/downloads/columns.ts';
import { UsageError } from '../../output.ts';
import type { RemoteOptions } from '../../remote/profile.ts';

export interface DownloadOptions extends RemoteOptions {
  readonly account?: string;
  readonly out: string;
  readonly format: DownloadFormat;
  readonly bom?: boolean;
  readonly organization?: string;
  readonly rowId?: number;
  readonly createdFrom?: string;
  readonly createdThrough?: string;
  readonly updatedFrom?: string;
  readonly updatedThrough?: string;
  readonly dateFrom?: string;
  readonly dateThrough?: string;
  readonly completedAfter?: string;
  readonly completedBefore?: string;
  readonly settings?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

function readSettings(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UsageError('--settings must be JSON, such as {"Contacts":{"WithEmails":true}}.');
  }
}

/** The startdownload request for the options. */
export function downloadFields(kind: string, options: DownloadOptions, organization: number | undefined) {
  const fields = {
    Kind: kind,
    OrganizationId: organization,
    RowId: options.rowId,
    CreatedFrom: options.createdFrom,
    CreatedThrough: options.createdThrough,
    UpdatedFrom: options.updatedFrom,
    UpdatedThrough: options.updatedThrough,
    DateFrom: options.dateFrom,
    DateThrough: options.dateThrough,
    CompletedAfter: options.completedAfter,
    CompletedBefore: options.completedBefore,
    ...readSettings(options.settings),
  };
  return JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
}

/** Request fields that are options of the command with other names. */
const OPTIONS = /\b(OrganizationId|RowId|(?:Created|Updated|Date)(?:From|Through)|Completed(?:After|Before))\b/g;

/** Rewrites `CreatedFrom must be …` to `--created-from must be …` for the person who typed it. */
export const toOptions = (sentence: string): string =>
  sentence.replaceAll(OPTIONS, (field) =>
    field === 'OrganizationId'
      ? '--organization'
      : `--${field.replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`,
  );
