import type { CustomField } from '../../resources/custom-fields.ts';
import { isFormulaName } from '../formula/lex.ts';

/** The small lists of an account. */
export type SettingKind = 'CancelReason' | 'TaskCategory' | 'LeadSourceCategory' | 'Feature' | 'NamedTaxRate' | 'Channel' | 'CustomField';

/** The resource that an entry is. */
export type Entry = Readonly<Record<string, unknown>>;

/** One entry of a small list as it is stored, in its version `V` (0 for one stored before there were versions). */
export interface Setting<Value = Entry> {
  readonly Kind: SettingKind;
  readonly Id: number;
  readonly V: number;
  readonly Value: Value;
}

export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** How the entries of one kind look and what they must fulfil. */
export interface SettingRule {
  /** What one is called, in sentences. */
  readonly what: string;
  /** The field by which entries are told apart, whatever its case. */
  readonly name: 'Name' | 'Reason';
  /** Names need only be unique among entries of the same scope. */
  readonly scope?: (entry: Entry) => unknown;
  /** The whole resource with nothing in it. */
  readonly blank: Entry;
  readonly faults?: (entry: Entry, others: readonly Entry[]) => Fault[];
}

/** Names that formulas know already. */
const TAKEN = ['quantity', 'base', 'unit'];
const hasOptions = ({ Type }: CustomField) => Type === 4 || Type === 5;

function customFieldFaults(entry: Entry, others: readonly Entry[]): Fault[] {
  const field = entry as CustomField;
  const { Shortcode, Options } = field;
  const taken = Shortcode !== '' && (others as readonly CustomField[]).some((other) => other.Shortcode.toLowerCase() === Shortcode.toLowerCase());
  const inFormulas = field.Type === 1 && Shortcode !== '';
  const doubles = new Set(Options.map(({ Value, Label }) => Value || Label)).size < Options.length;
  const all: readonly (false | Fault)[] = [
    taken && { field: 'Shortcode', message: `${Shortcode} is that of another custom field` },
    inFormulas && !isFormulaName(Shortcode) && { field: 'Shortcode', message: 'must be letters, digits and _, not first a digit, since formulas read the field by it' },
    inFormulas && TAKEN.includes(Shortcode.toLowerCase()) && { field: 'Shortcode', message: `must not be ${TAKEN.join(', ')}: formulas have these` },
    hasOptions(field) && !Options.length && { field: 'Options', message: 'must hold what can be chosen' },
    Options.some(({ Label, Value }) => !Label && !Value) && { field: 'Options', message: 'must each have a Label or a Value' },
    doubles && { field: 'Options', message: 'must differ from each other' },
  ];
  return all.filter((fault) => fault !== false);
}

const rateFaults = ({ TaxRate }: Entry): Fault[] =>
  typeof TaxRate === 'number' && TaxRate >= 0 && TaxRate <= 100 ? [] : [{ field: 'TaxRate', message: 'must be a percentage from 0 to 100' }];

const channel = { Id: 0, Name: '', Description: '', Campaigns: [] };
const customField: CustomField = {
  Id: 0, Name: '', Shortcode: '', FormField: '', Value: null, Type: 0, TableType: 0, Phase: null, Required: false, HelpText: '',
  CustomFieldCategory: '', CheckboxListOptionId: null, CheckboxListOptionName: '', Options: [],
};

export const settingRules: Readonly<Record<SettingKind, SettingRule>> = {
  CancelReason: { what: 'cancel reason', name: 'Reason', blank: { Id: 0, Reason: '' } },
  TaskCategory: { what: 'task category', name: 'Name', blank: { Id: 0, Name: '' } },
  LeadSourceCategory: { what: 'lead source category', name: 'Name', blank: channel },
  Feature: { what: 'feature', name: 'Name', blank: { Id: 0, Name: '' } },
  NamedTaxRate: { what: 'tax rate', name: 'Name', blank: { Id: 0, Name: '', TaxRate: 0 }, faults: rateFaults },
  Channel: { what: 'channel', name: 'Name', blank: channel },
  CustomField: { what: 'custom field', name: 'Name', scope: ({ TableType }) => TableType, blank: customField, faults: customFieldFaults },
};

/** The whole resource of an entry, however little of it is stored. */
export const completeEntry = <Value = Entry>(kind: SettingKind, entry: Entry): Value => ({ ...settingRules[kind].blank, ...entry }) as Value;
