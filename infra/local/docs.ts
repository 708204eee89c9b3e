import { join } from 'node:path';
import type { Group } from '../../lib/api/group.ts';
import type { HttpHandler } from './http-server.ts';

/** The groups; the files for the functions `docs` and `mcp` are built in the data folder when first requested. */
export function withDocs(groups: readonly Group[], dataFolder: string) {
  const folder = join(dataFolder, 'docs-page');
  const once = (make: () => Promise<unknown>) => {
    let made: Promise<unknown> | undefined;
    return (handler: HttpHandler): HttpHandler =>
      async (event, context) => {
        made ??= make().catch((error: unknown) => {
          made = undefined;
          throw error;
        });
        await made;
        process.env['DOCS_FOLDER'] = folder;
        return handler(event, context);
      };
  };
  const builder = () => import('../docs-page/build.ts');
  const first: Readonly<Record<string, (handler: HttpHandler) => HttpHandler>> = {
    docs: once(async () => (await builder()).writeDocs(folder)),
    mcp: once(async () => (await builder()).writeDocument(folder)),
  };
  return groups.map(({ name, paths, handler }) => ({ name, paths, handler: first[name]?.(handler) ?? handler }));
}
