import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { FieldServiceError } from '../../../lib/client/errors.ts';
import { type DownloadOptions, downloadFields, toOptions } from '../definitions/download.ts';
import { CommandError, print, showProgress } from '../output.ts';
import { OWNER_ONLY, confirmOutput } from '../output-file.ts';
import { connect } from './connect.ts';
import { listOrganizations, organizationId } from './organizations.ts';

const MAX_ATTEMPTS = 5;

/** Writes the file at the address beside its place. Returns its SHA-256. */
async function receive(url: string, part: string, total: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const progress = showProgress();
    const file = await open(part, 'w', OWNER_ONLY);
    try {
      const response = await fetch(url);
      if (!response.ok)
        throw new CommandError(`The file is answered with HTTP ${response.status}. Run the command again.`);
      const hash = createHash('sha256');
      let done = 0;
      for await (const bytes of response.body ?? []) {
        await file.write(bytes as Uint8Array);
        hash.update(bytes as Uint8Array);
        progress.update((done += (bytes as Uint8Array).length), total);
      }
      return hash.digest('hex');
    } catch (error) {
      if (error instanceof CommandError || attempt === MAX_ATTEMPTS) throw error;
      await pause(attempt * 1_000);
    } finally {
      progress.end();
      await file.close();
    }
  }
}

/** `download` over HTTP. */
export async function downloadKind(kind: string, options: DownloadOptions): Promise<void> {
  const { out, format, organization, json } = options;
  await confirmOutput(out, options);
  const fs = await connect(options);
  const named = organization === undefined ? undefined : organizationId(await listOrganizations(fs), organization);
  const { Kind: _, ...request } = downloadFields(kind, options, named);
  // A key of one organization may not download those of the account: it gets its own.
  const scopes = named === undefined ? (['account', 'organization'] as const) : (['organization'] as const);
  const file = await (async () => {
    for (const scope of scopes)
      try {
        return await fs.file(kind, request, { scope, format });
      } catch (error) {
        if (!(error instanceof FieldServiceError)) throw error;
        if (error.status !== 403 || scope !== 'account') throw new CommandError(toOptions(error.message));
      }
    throw new CommandError('This key may not download.');
  })();
  const part = `${out}.part`;
  const Sha256 = await receive(file.Url, part, file.Bytes);
  if (Sha256 !== file.Sha256) {
    await rm(part, { force: true });
    throw new CommandError('The file differs from its SHA-256 and was removed. Run the command again.');
  }
  await rename(part, out);
  const { Records, Bytes } = file;
  const result = { File: out, Format: format, Records, Bytes, Sha256 };
  print(result, { json, text: `${Records.toLocaleString('en-US')} rows in ${out}.` });
}
