import type { ContactRecord } from '../../entities/contacts.ts';
import { type ContactInput, applyNoteInputs } from '../../domain/contacts/apply-input.ts';
import { hasMarketingInput, resolveMarketing } from '../../domain/contacts/marketing.ts';
import { MAX_TAGS, tagNameKey } from '../../domain/contacts/record.ts';
import { applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import type { SettingKind, SettingValues } from '../../domain/settings.ts';
import type { Note, Tag } from '../../resources/contacts.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { type FieldError, collectErrors } from '../../shared/field-errors.ts';
import { fold } from '../../shared/text/text.ts';
import { listOlderNotes } from '../../store/contacts/contact-notes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { settingsOf } from '../../store/settings.ts';
import { type PlanContext, tagNames } from './match-contacts.ts';

export type TagsByName = ReadonlyMap<string, Tag>;

/** A part of an input that depends on the account's lists or on older notes. */
interface ListedFields {
  readonly fields: Partial<ContactRecord>;
  readonly errors?: readonly FieldError[];
}

export async function applyListedFields(
  contact: ContactRecord,
  input: ContactInput,
  tagsByName: TagsByName,
  context: PlanContext,
): Promise<{ contact: ContactRecord; errors: FieldError[] }> {
  const [marketing, taxRate, customFields, tags, notes] = await Promise.all([
    applyMarketing(contact, input, context),
    applyTaxRate(input, context),
    applyCustomFields(contact, input, context),
    applyTags(contact, input, tagsByName),
    applyNotes(contact, input, context),
  ]);
  const parts = [marketing, taxRate, customFields, tags, notes];
  return {
    contact: {
      ...contact,
      ...marketing.fields,
      ...taxRate.fields,
      ...customFields.fields,
      ...tags.fields,
      ...notes.fields,
    },
    errors: parts.flatMap(({ errors = [] }) => errors),
  };
}

const listValues = <Kind extends SettingKind>(
  kind: Kind,
  { table, caller }: PlanContext,
): Promise<SettingValues[Kind][]> => settingsOf(table, caller.accountId, kind);

async function applyMarketing(
  contact: ContactRecord,
  input: ContactInput,
  context: PlanContext,
): Promise<ListedFields> {
  if (!hasMarketingInput(contact, input)) return { fields: {} };
  const result = resolveMarketing(contact, input, await listValues('Channel', context));
  return 'error' in result ? { fields: {}, errors: [result.error] } : { fields: result.marketing };
}

async function applyTaxRate({ NamedTaxRate: input }: ContactInput, context: PlanContext): Promise<ListedFields> {
  if (input === undefined) return { fields: {} };
  if (input === null) return { fields: { NamedTaxRateId: null } };
  const isRequested = ({ Id, Name }: NamedTaxRate) =>
    input.Id ? Id === input.Id : fold(Name) === fold((input.Name ?? '').trim());
  const rate = (await listValues('NamedTaxRate', context)).find(isRequested);
  return rate
    ? { fields: { NamedTaxRateId: rate.Id } }
    : {
        fields: {},
        errors: [
          { field: 'NamedTaxRate', code: 'not_found', message: 'must have the Id or Name of an existing tax rate' },
        ],
      };
}

async function applyCustomFields(
  contact: ContactRecord,
  { CustomFields: inputs }: ContactInput,
  context: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const definitions = (await listValues('CustomField', context)).filter(({ TableType }) => TableType === 0);
  const { values, errors } = applyCustomFieldInputs(contact.CustomFields, inputs, definitions);
  return { fields: { CustomFields: values }, errors };
}

function applyTags(contact: ContactRecord, input: ContactInput, tagsByName: TagsByName): ListedFields {
  const added = tagNames(input).flatMap((name) => tagsByName.get(tagNameKey(name)) ?? []);
  const Tags = [...new Map([...contact.Tags, ...added].map((tag) => [tag.Id, tag])).values()];
  const message = Tags.length > MAX_TAGS && `must be at most ${MAX_TAGS}, including those of the contact`;
  return { fields: { Tags }, errors: collectErrors(['Tags', message, 'limit']) };
}

async function applyNotes(
  contact: ContactRecord,
  { Notes: inputs }: ContactInput,
  { table, caller: { accountId } }: PlanContext,
): Promise<ListedFields> {
  if (!inputs?.length) return { fields: {} };
  const hasUnknown = inputs.some(({ Id }) => Id && !contact.Notes.some((note) => note.Id === Id));
  const older = hasUnknown ? ((await listOlderNotes(table, accountId, [contact])).get(contact.Id) ?? []) : [];
  const { notes, added, errors } = applyNoteInputs(contact.Notes, older, inputs);
  const ids = added.length ? await reserveIds(table, accountId, 'Note', added.length) : [];
  return {
    fields: { Notes: [...notes, ...added.map((note, index): Note => ({ Id: ids[index] as number, ...note }))] },
    errors,
  };
}
