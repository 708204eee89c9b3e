import { MESSAGE_KINDS, type MessageKind } from '../../entities/message-kinds.ts';
import { type MessageSettingsRecord, messageSettingsEntity } from '../../entities/messages.ts';
import { definedFields, omit } from '../../shared/objects.ts';

type Stored = Omit<MessageSettingsRecord, 'OrganizationId' | 'Since' | 'KeptDays' | 'Kinds'>;
export type StoredKind = NonNullable<MessageSettingsRecord['Kinds']>[number];

/** Settings of a company file. An absent field keeps its value; `null` takes it away. */
export type MessageSettingsInput = { readonly [Name in keyof Stored]?: Stored[Name] | null } & {
  /** Each of them replaces what was set for this message. */
  readonly Kinds?: Readonly<Partial<Record<MessageKind, Omit<StoredKind, 'Kind'> | null>>>;
};

export const blankMessageSettings = (organization: number): MessageSettingsRecord =>
  messageSettingsEntity.blank({ OrganizationId: organization });

/** Applies settings of a company file; `null` takes all of them away. */
export function applyMessageSettings(
  before: MessageSettingsRecord,
  input: MessageSettingsInput | null | undefined,
  at: number,
): MessageSettingsRecord {
  if (input === undefined) return before;
  const { OrganizationId, Since, KeptDays } = before;
  if (input === null) return { ...blankMessageSettings(OrganizationId), ...definedFields({ Since, KeptDays }) };
  const { Kinds, ...fields } = input;
  const cleared = Object.entries(fields).flatMap(([name, value]) => (value === null ? [name as keyof Stored] : []));
  const kinds = Kinds ? { Kinds: applyKinds(before.Kinds ?? [], Kinds) } : {};
  const after = { ...omit({ ...before, ...fields }, ...cleared), ...kinds } as MessageSettingsRecord;
  // It never changes again, so that turning messages off for a while loses no reminder of an invoice.
  return after.On && after.Since === undefined ? { ...after, Since: at } : after;
}

const applyKinds = (
  before: readonly StoredKind[],
  input: NonNullable<MessageSettingsInput['Kinds']>,
): readonly StoredKind[] =>
  MESSAGE_KINDS.flatMap((Kind): StoredKind[] => {
    const given = input[Kind];
    if (given === undefined) return before.filter((each) => each.Kind === Kind);
    return given === null ? [] : [{ ...given, Kind }];
  });
