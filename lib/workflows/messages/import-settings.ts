import {
  type MessageSettingsInput,
  applyMessageSettings,
  blankMessageSettings,
} from '../../domain/messages/apply-settings.ts';
import type { MessageSettingsRecord } from '../../entities/messages.ts';
import { isEqual } from '../../shared/objects.ts';
import { findStoredMessageSettings, messageSettingsChange } from '../../store/message-settings.ts';
import { messageChange } from '../../store/events/delayed-messages.ts';
import { upcomingKey } from '../../store/events/message-plans.ts';
import type { StoreWriter } from '../../store/store.ts';
import { upcomingFrom } from './plan-upcoming.ts';

/** Writes settings of a company file, of an organization or (0) of the account. Safe to repeat: it sets values. */
export async function writeImportedMessages(
  store: StoreWriter,
  options: { readonly organization: number; readonly input: MessageSettingsInput | null; readonly now: Date },
): Promise<{ readonly before: MessageSettingsRecord; readonly after: MessageSettingsRecord }> {
  const { organization, input, now } = options;
  const before = (await findStoredMessageSettings(store, organization)) ?? blankMessageSettings(organization);
  const after = applyMessageSettings(before, input, now.getTime());
  // Visits that are booked already get the reminders that are new.
  const message = upcomingKey(store, upcomingFrom(now));
  if (!isEqual(before, after))
    await store.table.commit([messageSettingsChange(store, after), messageChange({ queue: 'outbox', message }, now)]);
  return { before, after };
}
