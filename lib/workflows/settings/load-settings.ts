import { type SettingKind, type SettingValues, completeEntry, settingRules } from '../../domain/settings.ts';
import { notFound } from '../../shared/failure.ts';
import { findSettings, listSettingsWithVersions } from '../../store/settings.ts';
import type { ReadContext } from '../context.ts';

/** The entries of a small list of the account, by id; with an id only that one, or 404. */
export async function loadSettings<Kind extends SettingKind>(
  kind: Kind,
  { table, caller }: Pick<ReadContext, 'table' | 'caller'>,
  id?: number | null,
): Promise<SettingValues[Kind][]> {
  const settings = id
    ? await findSettings(table, caller.accountId, kind, [id])
    : await listSettingsWithVersions(table, caller.accountId, kind);
  if (id && !settings.length) throw notFound(settingRules[kind].noun, 'Id', id);
  return settings.map(({ Value }) => completeEntry(kind, Value));
}
