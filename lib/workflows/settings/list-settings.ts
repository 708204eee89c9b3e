import type { Context } from '../../api/context.ts';
import { type Operation, operation } from '../../api/operation.ts';
import { type Settings, noSettings, settingsFields } from '../../resources/settings.ts';
import type { FailureKind } from '../../shared/failure.ts';

interface Filled {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly failures?: readonly FailureKind[];
  /** The list that the operation is about. */
  readonly fill: (context: Context<'table:read'>) => Promise<Partial<Settings>>;
}

/** An operation that asks for nothing and fills its own list of the settings; the others stay empty. */
export const settingsAnswer = ({ fill, failures = [], ...said }: Filled): Operation =>
  operation({
    ...said,
    access: 'read',
    needs: ['table:read'],
    request: () => ({}),
    response: settingsFields,
    failures,
    example: {},
    run: async (_, context) => ({ ...noSettings, ...(await fill(context)) }),
  });
