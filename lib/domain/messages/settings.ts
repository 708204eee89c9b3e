import { type Channel, MESSAGE_KINDS, type MessageKind, declarationOf } from '../../entities/message-kinds.ts';
import type { MessageSettingsRecord } from '../../entities/messages.ts';
import { objectOf } from '../../shared/objects.ts';

/** What a company decides about its messages, as it applies to an organization. */

/** The languages of messages, which are those of the pages. */
export type MessageLanguage = 'en' | 'es';

/** Texts of the company's own in place of ours; templates with named fields. */
export interface OwnTexts {
  readonly subject?: string;
  /** The paragraphs of the e-mail. */
  readonly body?: string;
  /** The text message. */
  readonly text?: string;
}

interface KindSettings {
  /** Empty: this message is not sent. */
  readonly channels: readonly Channel[];
  /** Reminder: hours before the visit; HowWasIt: hours after it. */
  readonly hours: readonly number[];
  /** ProposalExpiring, InvoiceDue: days before; InvoiceOverdue: the days between two of them. */
  readonly days: number;
  readonly texts: Readonly<Partial<Record<MessageLanguage, OwnTexts>>>;
}

export interface MessageSettings {
  readonly isOn: boolean;
  /** When it was turned on: older invoices and payments cause no messages. Milliseconds since 1970. */
  readonly since: number;
  /** The name of the sender; `''` for the organization's PublicName. */
  readonly senderName: string;
  /** `''` for the organization's Email. */
  readonly replyTo: string;
  /** The addresses of the office. */
  readonly notify: readonly string[];
  /** How long changes of a visit are gathered into one message. */
  readonly delaySeconds: number;
  readonly language: MessageLanguage;
  /** Whether the office gets a task for a contact that has no usable address. */
  readonly taskWithoutAddress: boolean;
  /** For how many days messages are kept. */
  readonly keptDays: number;
  readonly kinds: Readonly<Record<MessageKind, KindSettings>>;
}

/** InvoiceOverdue is sent at most this often. */
export const MAX_OVERDUE = 3;

/** The kinds that have hours, and those that have days, with their defaults. */
export const DEFAULT_HOURS: Readonly<Partial<Record<MessageKind, readonly number[]>>> = {
  Reminder: [24],
  HowWasIt: [2],
};
export const DEFAULT_DAYS: Readonly<Partial<Record<MessageKind, number>>> = {
  ProposalExpiring: 3,
  InvoiceDue: 3,
  InvoiceOverdue: 7,
};
const DEFAULT_DELAY_SECONDS = 60;
/** Two years. */
export const DEFAULT_KEPT_DAYS = 730;

/** The stored form of both languages. */
export const LANGUAGES = { en: 'English', es: 'Spanish' } as const satisfies Record<MessageLanguage, string>;
/** The stored form of own texts. */
export const TEXTS = { subject: 'Subject', body: 'Body', text: 'Text' } as const satisfies Record<
  keyof OwnTexts,
  string
>;

/** What is stored of the account and of an organization, which comes first. */
export interface SettingLayers {
  readonly account?: MessageSettingsRecord | undefined;
  readonly organization?: MessageSettingsRecord | undefined;
}

/** Where a value comes from. */
type SettingSource = 'organization' | 'account' | 'default';

interface Sourced<Value> {
  readonly value: Value;
  readonly from: SettingSource;
}

type StoredKind = NonNullable<MessageSettingsRecord['Kinds']>[number];
type Reader<Of> = <Value>(read: (of: Of) => Value | undefined, byDefault: Value) => Sourced<Value>;

/** Takes each value from the organization, else from the account, else the default. */
const reader =
  <Of>(layers: { readonly organization: Of | undefined; readonly account: Of | undefined }): Reader<Of> =>
  (read, byDefault) => {
    for (const from of ['organization', 'account'] as const) {
      const value = layers[from] && read(layers[from]);
      if (value !== undefined) return { value, from };
    }
    return { value: byDefault, from: 'default' };
  };

const kindReader = (layers: SettingLayers, kind: MessageKind): Reader<StoredKind> => {
  const ofKind = (record: MessageSettingsRecord | undefined) => record?.Kinds?.find(({ Kind }) => Kind === kind);
  return reader({ organization: ofKind(layers.organization), account: ofKind(layers.account) });
};

const generalOf = ({ organization, account }: SettingLayers) => {
  const take = reader({ organization, account });
  return {
    on: take(({ On }) => On, false),
    senderName: take(({ SenderName }) => SenderName, ''),
    replyTo: take(({ ReplyTo }) => ReplyTo, ''),
    notify: take<readonly string[]>(({ Notify }) => Notify, []),
    delaySeconds: take(({ DelaySeconds }) => DelaySeconds, DEFAULT_DELAY_SECONDS),
    language: take<MessageLanguage>(({ Language }) => Language, 'en'),
    taskWithoutAddress: take(({ TaskWithoutAddress }) => TaskWithoutAddress, false),
  };
};

const kindOf = (layers: SettingLayers, kind: MessageKind) => {
  const take = kindReader(layers, kind);
  const ownChannels = declarationOf(kind).channels;
  return {
    channels: take<readonly Channel[]>(
      ({ Channels }) => Channels && ownChannels.filter((channel) => Channels.includes(channel)),
      ownChannels,
    ),
    hours: take<readonly number[]>(({ Hours }) => Hours, DEFAULT_HOURS[kind] ?? []),
    days: take(({ Days }) => Days, DEFAULT_DAYS[kind] ?? 0),
    texts: Object.entries(LANGUAGES).flatMap(([language, stored]) =>
      Object.entries(TEXTS).map(([name, field]) => ({
        language: language as MessageLanguage,
        name: name as keyof OwnTexts,
        ...take((of) => of[stored]?.[field] || undefined, ''),
      })),
    ),
  };
};

/** When the setting that turns messages on was first turned on; 0 while they are off. */
function sinceOf({ organization, account }: SettingLayers, from: SettingSource): number {
  return (from === 'organization' ? organization : account)?.Since ?? 0;
}

type SourcedTexts = ReturnType<typeof kindOf>['texts'];

const ownTexts = (texts: SourcedTexts, language: MessageLanguage): OwnTexts =>
  Object.fromEntries(
    texts.flatMap((each) => (each.language === language && each.value ? [[each.name, each.value]] : [])),
  );

function kindSettings(layers: SettingLayers, kind: MessageKind): KindSettings {
  const { channels, hours, days, texts } = kindOf(layers, kind);
  const languages = [...new Set(texts.flatMap(({ value, language }) => (value ? [language] : [])))];
  return {
    channels: channels.value,
    hours: hours.value,
    days: days.value,
    texts: objectOf(languages, (language) => ownTexts(texts, language)),
  };
}

/** What applies to an organization: its own settings field by field, then those of the account, then the defaults. */
export function resolveMessageSettings(layers: SettingLayers): MessageSettings {
  const { on, ...general } = generalOf(layers);
  return {
    isOn: on.value,
    since: on.value ? sinceOf(layers, on.from) : 0,
    senderName: general.senderName.value,
    replyTo: general.replyTo.value,
    notify: general.notify.value,
    delaySeconds: general.delaySeconds.value,
    language: general.language.value,
    taskWithoutAddress: general.taskWithoutAddress.value,
    keptDays: layers.account?.KeptDays ?? DEFAULT_KEPT_DAYS,
    kinds: objectOf(MESSAGE_KINDS, (kind) => kindSettings(layers, kind)),
  };
}

/** The name of a kind in a company file: `visitMoved`. */
export const fileName = (kind: MessageKind): string => `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;

/** A setting as it applies, under its name in a company file, and where it comes from. */
export interface SettingRow {
  readonly setting: string;
  readonly value: string | number | boolean | readonly (string | number)[];
  readonly from: SettingSource;
}

/** Every setting that applies; own texts only where there are any. */
export function describeMessageSettings(layers: SettingLayers): SettingRow[] {
  const rowOf = (setting: string, { value, from }: Sourced<SettingRow['value']>): SettingRow => ({
    setting,
    value,
    from,
  });
  const general = Object.entries(generalOf(layers)).map(([name, sourced]) => rowOf(name, sourced));
  const ofKinds = MESSAGE_KINDS.flatMap((kind) => {
    const { channels, hours, days, texts } = kindOf(layers, kind);
    const name = fileName(kind);
    return [
      rowOf(`${name}.channels`, { ...channels, value: channels.value.map((channel) => channel.toLowerCase()) }),
      ...(DEFAULT_HOURS[kind] ? [rowOf(`${name}.hours`, hours)] : []),
      ...(DEFAULT_DAYS[kind] === undefined ? [] : [rowOf(`${name}.days`, days)]),
      ...texts.flatMap((each) =>
        each.from === 'default' ? [] : [rowOf(`${name}.texts.${each.language}.${each.name}`, each)],
      ),
    ];
  });
  return [...general, ...ofKinds];
}
