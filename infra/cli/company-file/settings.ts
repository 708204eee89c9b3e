import { campaignsToCreate, completeEntry, planSettings } from '../../../lib/domain/settings.ts';
import { IdName } from '../../../lib/resources/addresses.ts';
import { CancelReason } from '../../../lib/resources/appointments.ts';
import { Campaign, CampaignActual, CampaignBudget, Channel } from '../../../lib/resources/channels.ts';
import { CustomField, CustomFieldOption } from '../../../lib/resources/custom-fields.ts';
import type { Resource } from '../../../lib/resources/resource.ts';
import { NamedTaxRate } from '../../../lib/resources/settings.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import { type SettingKind, listSettingsWithVersions, settingChanges } from '../../../lib/store/settings.ts';
import { type Section, type Stage, commitInTurn } from './section.ts';
import { type FileValue, type Form, type Part, form, several, words } from './form.ts';

interface SettingSection {
  readonly key: string;
  readonly noun: string;
  readonly kind: SettingKind;
  readonly form: Form<Resource>;
  readonly identity?: Section['identity'];
}

/** A small list of the account; its rules are those of lib/domain/settings. */
function settings({ key, noun, kind, form, identity }: SettingSection): Stage {
  const section: Section = {
    key,
    noun,
    entry: form.schema,
    ...(identity ? { identity } : {}),
    show: async ({ table, account }) =>
      (await listSettingsWithVersions(table, account, kind)).map(({ Value }) => form.write(completeEntry(kind, Value))),
  };
  return {
    sections: [section],
    async bring({ table, account }, entries) {
      const stored = await listSettingsWithVersions(table, account, kind);
      const input = (entries.get(key) ?? []).map(form.read);
      const campaigns = kind === 'Channel' ? campaignsToCreate(stored, input) : 0;
      const plan = planSettings(
        kind,
        stored,
        input,
        campaigns ? await reserveIds(table, account, 'Campaign', campaigns) : [],
      );
      if (plan.kind === 'invalid')
        return plan.errors.map(({ index, field, message }) => ({ path: [key, index, ...form.place(field)], message }));
      await commitInTurn(table, settingChanges(account, plan.entries));
      return [];
    },
  };
}

const budget = form(CampaignBudget, { year: 'Year', month: 'Month', budget: 'Budget' }, { needs: ['year', 'budget'] });
const budgetList = several('CampaignBudgets', budget);
/** A budget with a month is one of that month, a budget without one of the year. */
const budgets: Part = {
  ...budgetList,
  read: (value) =>
    (budgetList.read(value) as { Month?: number }[]).map((each) => ({ ...each, Type: each.Month ? 0 : 1 })),
};

const campaign = form(Campaign, {
  name: 'Name',
  description: 'Description',
  active: { of: 'Active', default: true },
  budgets,
  actuals: several(
    'CampaignActuals',
    form(
      CampaignActual,
      { year: 'Year', month: 'Month', amount: 'Amount', invoiceUrl: 'InvoiceUrl' },
      { needs: ['year', 'month', 'amount'] },
    ),
  ),
});

const tables = ['Contact', 'Appointment', 'Proposal', 'ProposalLine', 'Organization', 'Service', 'Part'];
const option = form(CustomFieldOption, { label: 'Label', value: 'Value' }, { needs: [] });

const customField = form(CustomField, {
  name: 'Name',
  of: words('TableType', tables),
  type: words('Type', ['Text', 'Number', 'Date', 'Checkbox', 'Dropdown', 'CheckboxList', 'TextArea']),
  shortcode: 'Shortcode',
  phase: words('Phase', ['Booking', 'Start', 'Finish'], { first: null }),
  required: 'Required',
  formField: 'FormField',
  helpText: 'HelpText',
  category: 'CustomFieldCategory',
  options: several('Options', option),
});

/** The small lists of an account. */
export const settingStages: readonly Stage[] = [
  settings({ key: 'features', noun: 'feature', kind: 'Feature', form: form(IdName, { name: 'Name' }) }),
  settings({
    key: 'cancelReasons',
    noun: 'cancel reason',
    kind: 'CancelReason',
    form: form(CancelReason, { name: 'Reason' }),
  }),
  settings({
    key: 'taskCategories',
    noun: 'task category',
    kind: 'TaskCategory',
    form: form(IdName, { name: 'Name' }),
  }),
  settings({
    key: 'leadSourceCategories',
    noun: 'lead source category',
    kind: 'LeadSourceCategory',
    form: form(Channel, { name: 'Name', description: 'Description' }),
  }),
  settings({
    key: 'taxRates',
    noun: 'tax rate',
    kind: 'NamedTaxRate',
    form: form(NamedTaxRate, { name: 'Name', rate: 'TaxRate' }),
  }),
  settings({
    key: 'channels',
    noun: 'channel',
    kind: 'Channel',
    form: form(Channel, { name: 'Name', description: 'Description', campaigns: several('Campaigns', campaign) }),
  }),
  settings({
    key: 'customFields',
    noun: 'custom field',
    kind: 'CustomField',
    form: customField,
    identity: (entry: FileValue) => `${String(entry['of'] ?? tables[0])} ${String(entry['name'])}`,
  }),
];
