import * as z from 'zod';
import type { MessageSettingsInput, StoredKind } from '../../../lib/domain/messages/apply-settings.ts';
import { DEFAULT_DAYS, DEFAULT_HOURS, LANGUAGES, TEXTS, fileName } from '../../../lib/domain/messages/settings.ts';
import { type Channel, MESSAGE_KINDS, type MessageKind, declarationOf } from '../../../lib/entities/message-kinds.ts';
import type { MessageSettingsRecord } from '../../../lib/entities/messages.ts';
import { definedFields } from '../../../lib/shared/objects.ts';
import { isEmail } from '../../../lib/shared/text/text.ts';
import { checkTemplate } from '../../../lib/domain/messages/templates.ts';
import type { Entry, FieldFormat } from './entry-format.ts';

/** `messages` of the account and of an organization: which messages clients get, when and how. */

/** The fields that do not belong to one message, and their stored names. */
const GENERAL = {
  on: 'On',
  senderName: 'SenderName',
  replyTo: 'ReplyTo',
  notify: 'Notify',
  delaySeconds: 'DelaySeconds',
  language: 'Language',
  taskWithoutAddress: 'TaskWithoutAddress',
} as const satisfies Record<string, keyof MessageSettingsRecord>;

const [MAX_HOURS, MAX_DAYS] = [720, 365];
const MAX_TEXT = { subject: 200, body: 10_000, text: 1_000 } as const;

const lowerCase = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** `on` and `off` are texts in YAML. */
function toFlag(value: unknown): unknown {
  const word = lowerCase(value);
  return word === 'on' ? true : word === 'off' ? false : value;
}

const flag = () => z.preprocess(toFlag, z.boolean('must be true or false'));

const listOf = <Of extends z.ZodType>(of: Of, max: number, message: string) =>
  z.preprocess(
    (value) => (Array.isArray(value) || value === null || value === undefined ? value : [value]),
    z.array(of, message).max(max, `must have at most ${max} element${max === 1 ? '' : 's'}`),
  );

const whole = (unit: string, min: number, max: number) => {
  const message = `must be a whole number of ${unit} from ${min} to ${max.toLocaleString('en-US')}`;
  return z.int(message).min(min, message).max(max, message);
};

const email = () => z.string('must be text').trim().refine(isEmail, 'must be an e-mail address');

/** It becomes part of the header of an e-mail. */
const senderName = () =>
  z
    .string('must be text')
    .trim()
    .max(100, 'must be at most 100 characters')
    .regex(/^\P{Cc}*$/u, 'must be one line');

/** A text whose fields must exist. The place of an error in it is for the error's place in the file (parse.ts). */
const template = (kind: MessageKind, max: number) =>
  z
    .string('must be text')
    .overwrite((text) => text.trimEnd())
    .max(max, `must be at most ${max.toLocaleString('en-US')} characters`)
    .superRefine((text, context) => {
      for (const { message, ...params } of checkTemplate(text, kind))
        context.addIssue({ code: 'custom', message, params });
    });

const textsSchema = (kind: MessageKind) => {
  const [hasEmail, hasText] = [
    declarationOf(kind).channels.includes('Email'),
    declarationOf(kind).channels.includes('Text'),
  ];
  const own = () => ({
    ...(hasEmail
      ? { subject: template(kind, MAX_TEXT.subject).nullish(), body: template(kind, MAX_TEXT.body).nullish() }
      : {}),
    ...(hasText ? { text: template(kind, MAX_TEXT.text).nullish() } : {}),
  });
  const ofLanguage = () => z.strictObject(own(), 'must be a mapping: `subject: …`').nullish();
  return z.strictObject({ en: ofLanguage(), es: ofLanguage() }, 'must be a mapping of languages: `en: …`');
};

/** The words of a file for the channels of a kind. */
const channelWords = (kind: MessageKind): string[] =>
  declarationOf(kind).channels.map((channel) => channel.toLowerCase());

function kindSchema(kind: MessageKind): z.ZodType {
  const words = channelWords(kind);
  const channel = z.preprocess(lowerCase, z.enum(words, `must be ${words.join(' or ')}`));
  const expand = (value: unknown): unknown => {
    const isOn = toFlag(value);
    return typeof isOn === 'boolean' ? { channels: isOn ? words : [] } : value;
  };
  // A client is asked once how the visit was.
  const most = kind === 'HowWasIt' ? 1 : 5;
  const fields = {
    channels: listOf(channel, words.length, 'must be a list of channels').nullish(),
    ...(DEFAULT_HOURS[kind]
      ? { hours: listOf(whole('hours', 1, MAX_HOURS), most, 'must be a list of hours').nullish() }
      : {}),
    ...(DEFAULT_DAYS[kind] === undefined ? {} : { days: whole('days', 1, MAX_DAYS).nullish() }),
    texts: textsSchema(kind).nullish(),
  };
  return z.preprocess(expand, z.strictObject(fields, 'must be on, off or a mapping: `channels: …`'));
}

export const messagesSchema = (): z.ZodType<Entry> =>
  z.strictObject(
    {
      on: flag().nullish(),
      senderName: senderName().nullish(),
      replyTo: z.union([z.literal(''), email()], 'must be an e-mail address').nullish(),
      notify: listOf(email(), 20, 'must be a list of e-mail addresses').nullish(),
      delaySeconds: whole('seconds', 0, 3_600).nullish(),
      language: z.preprocess(lowerCase, z.enum(['en', 'es'], 'must be en or es')).nullish(),
      taskWithoutAddress: flag().nullish(),
      ...Object.fromEntries(MESSAGE_KINDS.map((kind) => [fileName(kind), kindSchema(kind).nullish()])),
    },
    'must be a mapping: `on: true`',
  );

interface KindEntry {
  readonly channels?: readonly string[] | null;
  readonly hours?: readonly number[] | null;
  readonly days?: number | null;
  readonly texts?: Readonly<Partial<Record<keyof typeof LANGUAGES, Entry | null>>> | null;
}

const toStoredTexts = (texts: Entry): StoredKind['English'] => {
  const stored = Object.entries(TEXTS).map(([name, field]) => [field, texts[name] ?? '']);
  return Object.fromEntries(stored) as StoredKind['English'];
};

function toStoredKind({ channels, hours, days, texts }: KindEntry): Omit<StoredKind, 'Kind'> {
  const ofLanguages = Object.entries(LANGUAGES).flatMap(([language, field]) => {
    const own = texts?.[language as keyof typeof LANGUAGES];
    return own ? [[field, toStoredTexts(own)]] : [];
  });
  return {
    ...(channels ? { Channels: toChannels(channels) } : {}),
    // The earliest message first.
    ...(hours ? { Hours: [...new Set(hours)].sort((a, b) => b - a) } : {}),
    ...(days ? { Days: days } : {}),
    ...(Object.fromEntries(ofLanguages) as Pick<StoredKind, 'English' | 'Spanish'>),
  };
}

const toChannels = (words: readonly string[]): Channel[] =>
  (['Email', 'Text'] as const).filter((channel) => words.includes(channel.toLowerCase()));

/** A valid `messages` of a file as it is applied to what is stored. */
export function messagesInput(entry: Entry): MessageSettingsInput {
  const general = Object.entries(GENERAL).flatMap(([name, field]) =>
    entry[name] === undefined ? [] : [[field, entry[name]]],
  );
  const kinds = MESSAGE_KINDS.flatMap((kind) => {
    const value = entry[fileName(kind)];
    return value === undefined ? [] : [[kind, filled(toStoredKind((value ?? {}) as KindEntry)) ?? null]];
  });
  return { ...Object.fromEntries(general), ...(kinds.length ? { Kinds: Object.fromEntries(kinds) } : {}) };
}

const filled = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length ? value : undefined;

function textsToFile(kind: StoredKind): Entry | undefined {
  const languages = Object.entries(LANGUAGES).flatMap(([language, field]) => {
    const own = Object.entries(TEXTS).flatMap(([name, text]) =>
      kind[field]?.[text] ? [[name, kind[field][text]]] : [],
    );
    return own.length ? [[language, Object.fromEntries(own)]] : [];
  });
  return filled(Object.fromEntries(languages) as Entry);
}

function kindToFile(kind: StoredKind): unknown {
  const { Channels, Hours, Days } = kind;
  const entry = definedFields({
    channels: Channels?.map((channel) => channel.toLowerCase()),
    hours: Hours,
    days: Days,
    texts: textsToFile(kind),
  });
  return Channels?.length === 0 && Object.keys(entry).length === 1 ? false : entry;
}

/** What is stored as a file has it; `undefined` if nothing is. */
export function messagesToFile(record: MessageSettingsRecord | undefined): Entry | undefined {
  if (!record) return undefined;
  const general = Object.entries(GENERAL).flatMap(([name, field]) =>
    record[field] === undefined ? [] : [[name, record[field]]],
  );
  const kinds = (record.Kinds ?? []).map((kind) => [fileName(kind.Kind), kindToFile(kind)]);
  return filled(Object.fromEntries([...general, ...kinds]) as Entry);
}

/** The field of the account and of an organization. */
export const messagesField: FieldFormat = {
  field: 'Messages',
  schema: messagesSchema,
  toInput: (value) => messagesInput(value as Entry),
  toFile: (value) => messagesToFile(value as MessageSettingsRecord | undefined),
  restoreKey: (was) => was ?? null,
};
