import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { bundleOptions, entries } from '../../../infra/bundle/bundle.ts';
import type { Group } from '../../../lib/api/group.ts';
import type { Handlers, HttpHandler } from '../../../infra/local/http-server.ts';

/** An instance of the SDK that is used once must leave no connection open. */
class ClosingAgent extends Agent {
  constructor(options: object) {
    super({ ...options, keepAlive: false });
  }
}

/** The bundle of a function as it is deployed; each call of the result makes its modules again. */
async function bundleInstances(name: string): Promise<() => { readonly handler: HttpHandler }> {
  const source = entries[name] ?? '';
  const { outputFiles } = await build({
    ...bundleOptions,
    // A script of node:vm has `require` alone.
    supported: { 'dynamic-import': false },
    entryPoints: [source],
    outfile: 'index.js',
    write: false,
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const script = new Script(`(function (module, exports, require) {${code}\n})`, { filename: `${name}/index.js` });
  const requireBuiltin = createRequire(import.meta.url);
  const http = { ...(requireBuiltin('node:http') as object), Agent: ClosingAgent };
  const require = (id: string): unknown => (/^(node:)?http$/.test(id) ? http : requireBuiltin(id));
  const evaluate = script.runInThisContext() as (module: object, exports: object, require: unknown) => void;
  return () => {
    const module = { exports: {} };
    evaluate(module, module.exports, require);
    return module.exports as { handler: HttpHandler };
  };
}

/**
 * Handlers of which every call has modules of its own: like calls that each reach another container, they share nothing
 * but the table.
 */
export function freshInstances(groups: readonly Pick<Group, 'name' | 'paths'>[]): Handlers {
  const handlerOf = (name: string): HttpHandler => {
    let bundled: ReturnType<typeof bundleInstances> | undefined;
    return async (event, context) => {
      bundled ??= bundleInstances(name);
      return (await bundled)().handler(event, context);
    };
  };
  return {
    groups: groups.map(({ name, paths }) => ({ name, paths, handler: handlerOf(name) })),
    fallback: handlerOf('fallback'),
  };
}
