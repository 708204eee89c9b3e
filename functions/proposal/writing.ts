import type { Context } from '../../lib/api/context.ts';

/** What an operation that writes proposals works with. */
export type Writing = Pick<Context<'table:write'>, 'table' | 'caller' | 'now' | 'baseUrl'>;
