import type { ClientCancelReason, OrganizationRecord } from '../../entities/organizations.ts';
import { type FieldError, collectErrors } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { fold } from '../../shared/text/text.ts';

/** What clients choose from until the company file has a list; each stands for a reason that new accounts have. */
const DEFAULT_REASONS: readonly ClientCancelReason[] = [
  { En: 'My plans changed', Es: 'Cambiaron mis planes', CancelReason: 'Customer canceled' },
  { En: 'The time does not work for me', Es: 'La hora no me viene bien', CancelReason: 'Customer canceled' },
  { En: 'I no longer need this visit', Es: 'Ya no necesito la visita', CancelReason: 'No longer needed' },
  { En: 'I chose another company', Es: 'Elegí otra empresa', CancelReason: 'Chose another company' },
  { En: 'Another reason', Es: 'Otro motivo', CancelReason: 'Customer canceled' },
];

/** The reasons that clients of an organization can give for canceling a visit. */
export const clientCancelReasons = ({
  ClientCancelReasons: own,
}: Pick<OrganizationRecord, 'ClientCancelReasons'>): readonly ClientCancelReason[] =>
  own.length ? own : DEFAULT_REASONS;

const MAX_REASONS = 20;

/** The reasons from a company file: each only once, and for an existing cancel reason of the account. */
export function applyClientCancelReasons(
  input: readonly Partial<ClientCancelReason>[],
  known: readonly string[],
): { reasons: ClientCancelReason[]; errors: FieldError[] } {
  const reasons = input.map(({ En, Es, CancelReason }) => ({
    En: (En ?? '').trim(),
    Es: (Es ?? '').trim(),
    CancelReason: (CancelReason ?? '').trim(),
  }));
  const errors = reasons.flatMap(({ En, CancelReason }, index) => {
    const isKnown = !CancelReason || known.some((name) => fold(name) === fold(CancelReason));
    const isRepeated = reasons.findIndex((other) => fold(other.En) === fold(En)) < index;
    return collectErrors(
      [`[${index}].En`, !En && 'is required', 'required'],
      [`[${index}].En`, isRepeated && `repeats ${En}`, 'duplicate'],
      [
        `[${index}].CancelReason`,
        !isKnown && `must be one of cancelReasons; ${CancelReason} is not. ${didYouMean(CancelReason, known)}`.trim(),
        'not_found',
      ],
    );
  });
  const isLong = reasons.length > MAX_REASONS && `has ${reasons.length} reasons, and may have ${MAX_REASONS}`;
  return { reasons, errors: [...errors, ...collectErrors(['', isLong, 'limit'])] };
}
