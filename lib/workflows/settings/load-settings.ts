import { type SettingKind, type SettingValues, completeEntry, settingRules } from '../../domain/settings.ts';
import { notFound } from '../../shared/failure.ts';
import { findSettings, listSettingsWithVersions } from '../../store/settings.ts';
import type { ReadContext } from '../context.ts';

/** The entries of a small list of the account, by id; with an id only that one, or 404. */
export async function loadSettings<Kind extends SettingKind>(
  kind: Kind,
  { store }: Pick<ReadContext, 'store' | 'caller'>,
  id?: number | null,
): Promise<SettingValues[Kind][]> {
  const settings = id ? await findSettings(store, kind, [id]) : await listSettingsWithVersions(store, kind);
  if (id && !settings.length) throw notFound(settingRules[kind].noun, 'Id', id);
  return settings.map(({ Value }) => completeEntry(kind, Value));
}
