import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { CallbackRecord, Webhook } from '../../entities/webhooks.ts';
import type { WebhookCall } from '../../resources/webhooks.ts';
import { wantsKind } from './webhook.ts';

/** An address that an event calls; `target` is its name within the event. */
export interface CallbackTarget {
  readonly target: string;
  readonly address: string;
}

/** The change that caused an event. */
export interface CalledChange {
  /** Appointment, Proposal, … */
  readonly entity: string;
  /** The kind of the event. */
  readonly kind: string;
  /** The record after the change, or before it for a deletion. */
  readonly record: Readonly<Record<string, unknown>>;
}

const NOTIFICATION_KINDS = new Set([
  'appointment.booked',
  'appointment.updated',
  'appointment.rescheduled',
  'appointment.canceled',
  'appointment.completed',
]);

const DELIVERY_KINDS = new Set(['proposal.opened', 'proposal.accepted', 'proposal.declined']);

function appointmentTargets(kind: string, record: Partial<AppointmentRecord>): CallbackTarget[] {
  const { NotificationUri = '', EnRouteUri = '', ConfirmationUri = '', ThirdPartyUrl = '' } = record;
  return [
    ...(NOTIFICATION_KINDS.has(kind) ? [{ target: 'notification', address: NotificationUri }] : []),
    ...(kind === 'appointment.started' ? [{ target: 'en-route', address: EnRouteUri }] : []),
    ...(kind === 'appointment.confirmed' ? [{ target: 'confirmation', address: ConfirmationUri }] : []),
    { target: 'third-party', address: ThirdPartyUrl },
  ];
}

function proposalTargets(kind: string, { DeliveryUri = '', Status }: Partial<ProposalRecord>): CallbackTarget[] {
  const isOpened = kind === 'proposal.created' && Status === ProposalStatus.Open;
  return isOpened || DELIVERY_KINDS.has(kind) ? [{ target: 'delivery', address: DeliveryUri }] : [];
}

function recordTargets({ entity, kind, record }: CalledChange): CallbackTarget[] {
  if (entity === 'Appointment') return appointmentTargets(kind, record as Partial<AppointmentRecord>);
  return entity === 'Proposal' ? proposalTargets(kind, record as Partial<ProposalRecord>) : [];
}

/** The addresses that an event calls: those of its record, then the account's webhooks; each address only once. */
export function callbackTargets(change: CalledChange, webhooks: readonly Webhook[]): CallbackTarget[] {
  const all = [
    ...recordTargets(change).filter(({ address }) => address !== ''),
    ...webhooks
      .filter(({ Disabled, Kinds }) => (!Disabled || Disabled.Paused) && wantsKind({ Kinds }, change.kind))
      .map(({ Id, Url }) => ({ target: webhookTarget(Id), address: Url })),
  ];
  return all.filter(({ address }, index) => all.findIndex((other) => other.address === address) === index);
}

const WEBHOOK = /^webhook-(\d+)$/;

const webhookTarget = (id: number): string => `webhook-${id}`;

/** Why a call was kept instead of made; resuming the webhook replays the calls with this reason. */
export const pausedReason = (id: number): string => `Webhook ${id} is paused.`;

/** Whether a call was kept while its webhook was paused; resuming makes it. */
export const isKept = ({ State, WebhookId, Reason }: Pick<WebhookCall, 'State' | 'WebhookId' | 'Reason'>): boolean =>
  State === 'dead' && WebhookId !== null && Reason === pausedReason(WebhookId);

/** The host that a call is for, `none` for an address that cannot be read. */
export const hostOf = ({ Address }: Pick<CallbackRecord, 'Address'>): string =>
  URL.canParse(Address) ? new URL(Address).host : 'none';

/** The webhook of a target; `undefined` for an address of a record. */
export function webhookIdOf(target: string): number | undefined {
  const [, id] = WEBHOOK.exec(target) ?? [];
  return id === undefined ? undefined : Number(id);
}
