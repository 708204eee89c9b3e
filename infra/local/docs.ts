import { join } from 'node:path';
import type { Group } from '../../lib/api/group.ts';
import type { HttpHandler } from './http-server.ts';

/** The groups, with what the function `docs` serves made in the data folder when somebody first asks for it. */
export function withDocs(groups: readonly Group[], dataFolder: string) {
  const folder = join(dataFolder, 'docs-page');
  const make = async (): Promise<void> => {
    const { writeDocs } = await import('../docs-page/build.ts');
    await writeDocs(folder);
    process.env['DOCS_FOLDER'] = folder;
  };
  let made: Promise<void> | undefined;
  const first =
    (handler: HttpHandler): HttpHandler =>
    async (event, context) => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      await made;
      return handler(event, context);
    };
  return groups.map(({ name, paths, handler }) => ({
    name,
    paths,
    handler: name === 'docs' ? first(handler) : handler,
  }));
}
