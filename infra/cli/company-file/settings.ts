import { NamedTaxRate, TaxRatePart } from '../../../lib/entities/tax-rates.ts';
import { campaignsToCreate, completeEntry, planSettings } from '../../../lib/domain/settings.ts';
import { IdName } from '../../../lib/resources/addresses.ts';
import { CancelReason } from '../../../lib/resources/appointments.ts';
import { Campaign, CampaignActual, CampaignBudget, Channel } from '../../../lib/resources/channels.ts';
import { CustomField, CustomFieldOption } from '../../../lib/resources/custom-fields.ts';
import { reserveIds } from '../../../lib/store/dynamodb/records.ts';
import { type SettingKind, listSettingsWithVersions, settingTransactions } from '../../../lib/store/settings.ts';
import {
  type EntryFormat,
  type FieldFormat,
  entryFormat,
  fields,
  listField,
  rowsField,
  wordField,
} from './entry-format.ts';
import { type Section, type SectionGroup, importValid, toPathErrors } from './section.ts';

/** A small list of the account; lib/domain/settings has its rules. */
function settingGroup(
  key: string,
  noun: string,
  kind: SettingKind,
  format: EntryFormat,
  identity?: Section['identity'],
): SectionGroup {
  const section: Section = {
    key,
    noun,
    format,
    ...(identity ? { identity } : {}),
    exportEntries: async ({ store }) =>
      (await listSettingsWithVersions(store, kind)).map(({ Value }) => format.toEntry(completeEntry(kind, Value))),
  };
  return {
    sections: [section],
    importEntries: ({ store }, run) =>
      importValid(run, async (entries) => {
        const stored = await listSettingsWithVersions(store, kind);
        const inputs = (entries.get(key) ?? []).map(format.toInput);
        const campaigns = kind === 'Channel' ? campaignsToCreate(stored, inputs) : 0;
        const campaignIds = campaigns ? await reserveIds(store, 'Campaign', campaigns) : [];
        const plan = planSettings(kind, stored, inputs, campaignIds);
        if (plan.kind === 'invalid')
          return plan.errors.flatMap(({ index, ...error }) =>
            toPathErrors(error.field ? [key, index] : [key], format, [error]),
          );
        for (const changes of settingTransactions(store, plan.entries)) await store.table.commit(changes);
        return [];
      }),
  };
}

const budgetList = listField(
  'CampaignBudgets',
  entryFormat(CampaignBudget, fields('year month budget'), { required: ['year', 'budget'] }),
);
/** A budget with a month is for that month (Type 0), one without is for the year (Type 1). */
const budgets: FieldFormat = {
  ...budgetList,
  toInput: (value) =>
    (budgetList.toInput(value) as { Month?: number }[]).map((each) => ({ ...each, Type: each.Month ? 0 : 1 })),
};

const actual = entryFormat(CampaignActual, fields('year month amount invoiceUrl'), {
  required: ['year', 'month', 'amount'],
});
const campaign = entryFormat(Campaign, {
  ...fields('name description'),
  active: { field: 'Active', default: true },
  budgets,
  actuals: listField('CampaignActuals', actual),
});
const channel = entryFormat(Channel, {
  ...fields('name description'),
  campaigns: rowsField('Campaigns', { noun: 'campaign', format: campaign }),
});

const customFieldTables = ['Contact', 'Appointment', 'Proposal', 'ProposalLine', 'Organization', 'Service', 'Part'];
const customField = entryFormat(CustomField, {
  name: 'Name',
  of: wordField('TableType', customFieldTables),
  type: wordField('Type', ['Text', 'Number', 'Date', 'Checkbox', 'Dropdown', 'CheckboxList', 'TextArea']),
  shortcode: 'Shortcode',
  phase: wordField('Phase', ['Booking', 'Start', 'Finish'], { defaultIndex: null }),
  ...fields('required formField helpText'),
  category: 'CustomFieldCategory',
  options: listField('Options', entryFormat(CustomFieldOption, fields('label value'), { required: [] })),
});

const taxRatePart = entryFormat(
  TaxRatePart,
  { name: 'Name', rate: 'TaxRate', ...fields('registrationNumber') },
  { required: ['name', 'rate'] },
);
const taxRate = entryFormat(NamedTaxRate, { name: 'Name', rate: 'TaxRate', parts: listField('Parts', taxRatePart) });

const idName = entryFormat(IdName, fields('name'));

/** The small lists of an account. */
export const settingGroups: readonly SectionGroup[] = [
  settingGroup('features', 'feature', 'Feature', idName),
  settingGroup('cancelReasons', 'cancel reason', 'CancelReason', entryFormat(CancelReason, { name: 'Reason' })),
  settingGroup('taskCategories', 'task category', 'TaskCategory', idName),
  settingGroup(
    'leadSourceCategories',
    'lead source category',
    'LeadSourceCategory',
    entryFormat(Channel, fields('name description')),
  ),
  settingGroup('taxRates', 'tax rate', 'NamedTaxRate', taxRate),
  settingGroup('channels', 'channel', 'Channel', channel),
  settingGroup(
    'customFields',
    'custom field',
    'CustomField',
    customField,
    (entry) => `${String(entry['of'] ?? customFieldTables[0])} ${String(entry['name'])}`,
  ),
];
