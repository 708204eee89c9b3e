import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import { conflict } from '../../lib/shared/failure.ts';
import { confirmationToken, effectOf, readConfirmation } from './confirmation.ts';
import { type OperationAnswer, callOperation } from '../call-operation.ts';
import { refusal, toResult } from './results.ts';
import { made, say } from './sentence.ts';
import type { Arguments, ToolAnswer } from './tool.ts';

interface Change {
  /** The name of the tool. */
  readonly name: string;
  readonly confirm: unknown;
  readonly answer: (body: OperationAnswer['body'], isDone: boolean) => ToolAnswer;
}

/**
 * The first call says what an operation would do and cost, and returns a token. The second, with the token, does
 * exactly that; with other arguments, another key, or a price or time other than previewed it does nothing. The token
 * is the Idempotency-Key, so it has one effect however often it is sent.
 */
export async function changeInTwoSteps(
  call: KeyCall,
  { operation, request }: { readonly operation: string; readonly request: Arguments },
  { name, confirm, answer }: Change,
): Promise<CallToolResult> {
  const confirmed = { credential: call.credential, operation, request };
  if (confirm === undefined || confirm === '') {
    const preview = await callOperation(call, { operation, request, mode: { isPreview: true } });
    if (preview.status !== 200) return refusal(preview);
    const { say: effect, data, isRefused } = answer(preview.body, false);
    if (isRefused) return toResult({ say: effect, data, isRefused });
    const token = confirmationToken(confirmed, effectOf(preview.body), call.now);
    const next = say`After a yes, call ${made(name)} again with the same arguments and confirm ${made(token)}.`;
    return toResult({ say: say`${effect} Nothing is changed yet. ${next}`, data });
  }
  const confirmation = readConfirmation(confirmed, String(confirm), call.now);
  if (confirmation.kind === 'other')
    return toResult(
      { say: say`The confirm token is not of a preview with these arguments. Preview again without it.` },
      true,
    );
  if (confirmation.kind === 'over')
    return toResult({ say: say`The preview is older than 10 minutes. Preview again without the confirm token.` }, true);
  const check = (body: string) => {
    if (effectOf(JSON.parse(body)) !== confirmation.effect)
      throw conflict('fixed_value', 'The price or the time is not as it was previewed. Preview again.');
  };
  const done = await callOperation(call, { operation, request, idempotencyKey: confirmation.token, mode: { check } });
  return done.status === 200 ? toResult(answer(done.body, true)) : refusal(done);
}
