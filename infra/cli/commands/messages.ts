import { describeMessageSettings, resolveMessageSettings } from '../../../lib/domain/messages/settings.ts';
import { findOnlyOrganization } from '../../../lib/store/accounts/accounts.ts';
import { WHOLE_ACCOUNT, findStoredMessageSettings } from '../../../lib/store/message-settings.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import type { StoreReader } from '../../../lib/store/store.ts';
import type { CliCommand } from '../command.ts';
import type { AccountOption } from '../options.ts';
import { CommandError, formatTable, print } from '../output.ts';
import { openAccount } from '../target.ts';
import { recordId } from '../values.ts';

interface SettingsOptions extends AccountOption {
  readonly organization?: number;
  readonly json?: boolean;
}

/** The organization that the option names, else the only one; `undefined` for the account. */
async function findShown(store: StoreReader, option: number | undefined) {
  const id = option ?? (await findOnlyOrganization(store));
  const found = id === undefined ? undefined : await findOrganization(store, id);
  if (option !== undefined && !found) throw new CommandError(`Organization ${option} not found.`);
  return found;
}

async function showSettings({ organization: option, json, ...options }: SettingsOptions): Promise<void> {
  const { store } = await openAccount(options);
  const shown = await findShown(store, option);
  const [account, organization] = await Promise.all([
    findStoredMessageSettings(store, WHOLE_ACCOUNT),
    shown && findStoredMessageSettings(store, shown.Id),
  ]);
  const layers = { account, organization };
  const { isOn, since } = resolveMessageSettings(layers);
  const rows = describeMessageSettings(layers).map(({ setting, value, from }) => ({
    Setting: setting,
    Value: value,
    From: from,
  }));
  const of = shown ? `organization ${shown.Id}, ${shown.PublicName}` : 'each organization without settings of its own';
  const state = isOn
    ? `Messages are on for ${of}.`
    : `Messages are off for ${of}. \`messages: { on: true }\` in the company file turns them on.`;
  const table = formatTable(
    rows.map((row) => ({ ...row, Value: Array.isArray(row.Value) ? row.Value.join(', ') : String(row.Value) })),
  );
  print(
    { OrganizationId: shown?.Id ?? null, Since: isOn ? new Date(since).toISOString() : null, Settings: rows },
    { json, text: `${state}\n\n${table}` },
  );
}

export const commands: readonly CliCommand[] = [
  {
    words: 'messages settings',
    description: 'Show what applies to an organization, and where each value comes from',
    examples: ['npx fs messages settings --organization 3'],
    takes: (command) =>
      command.option('--organization <id>', 'one organization (default: the only one, else the account)', recordId),
    onTable: showSettings,
  },
];
