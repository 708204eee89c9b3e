import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import { applySharedFields } from '../../../lib/domain/pricebook/plan.ts';
import type { BookInput } from '../../../lib/domain/pricebook/types.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { Resource } from '../../../lib/resources/resource.ts';
import type { FieldError } from '../../../lib/shared/field-errors.ts';
import { toLocalDate } from '../../../lib/shared/format-moments.ts';
import { fold } from '../../../lib/shared/text.ts';
import { listOrganizations } from '../../../lib/store/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { loadPriceBook, writePriceBook } from '../../../lib/workflows/pricebook/import-price-book.ts';
import type { Section, SectionFault, Stage, Target } from './section.ts';
import { type Path, fieldName } from './document.ts';
import type { FileValue, Form } from './form.ts';
import { momentText, zoneOfHome } from './people.ts';
import {
  dimensionForm,
  partForm,
  partTemplateForm,
  proposalTemplateForm,
  revenueCategoryForm,
  serviceForm,
} from './price-book-forms.ts';

interface BookList {
  readonly key: string;
  readonly noun: string;
  readonly kind: keyof BookInput;
  /** How the price book calls the list in faults. */
  readonly field: string;
  readonly form: Form<Resource>;
}

const lists: readonly BookList[] = [
  {
    key: 'brandingCategories',
    noun: 'branding category',
    kind: 'revenueCategories',
    field: 'BrandingRevenueCategories',
    form: revenueCategoryForm,
  },
  {
    key: 'partTemplates',
    noun: 'part template',
    kind: 'partTemplates',
    field: 'PartTemplates',
    form: partTemplateForm,
  },
  { key: 'parts', noun: 'part', kind: 'parts', field: 'Parts', form: partForm },
  { key: 'dimensions', noun: 'dimension', kind: 'dimensions', field: 'Dimensions', form: dimensionForm },
  { key: 'services', noun: 'service', kind: 'services', field: 'Services', form: serviceForm },
  {
    key: 'proposalTemplates',
    noun: 'proposal template',
    kind: 'proposalTemplates',
    field: 'ProposalTemplates',
    form: proposalTemplateForm,
  },
];

/** The lists that an organization may have of its own. */
export const ownLists = lists.filter(({ kind }) => kind === 'services' || kind === 'proposalTemplates');

type Thing = Readonly<Record<string, unknown>>;

/** What nobody would say: moments as dates, the order that lines have anyway, that what has items is an assembly. */
function plainly(kind: keyof BookInput, record: Thing, zone: string): Thing {
  const moment = (name: string, end = 0) => {
    const text = record[name];
    if (typeof text !== 'string') return {};
    const at = Date.parse(text);
    const written = momentText(at + end, zone);
    // The last second of a day is that day.
    return { [name]: end && written.length === 10 ? toLocalDate(at, zone) : end ? momentText(at, zone) : written };
  };
  if (kind === 'services') return { ...record, ...moment('SeasonStart'), ...moment('SeasonExpiration', 1_000) };
  if (kind === 'parts') {
    const { IsAssembly: _, ...rest } = record;
    return {
      ...(record['AssemblyItems'] ? rest : record),
      ...moment('DistributionStart'),
      ...moment('DistributionEnd', 1_000),
    };
  }
  if (kind !== 'proposalTemplates') return record;
  const lines = (record['ProposalTemplateLines'] ?? []) as readonly Thing[];
  return {
    ...record,
    ProposalTemplateLines: lines.map(({ Order, ...line }, index) => (Order === index + 1 ? line : { ...line, Order })),
  };
}

/** What a price book is told of one owner's things (`null`: the whole account), by owner. */
async function teller({ table, account }: Target): Promise<(organizationId: number | null) => BookInput> {
  const [book, customFields] = await Promise.all([
    loadPriceBook(table, { accountId: account }),
    listSettings<CustomField>(table, account, 'CustomField'),
  ]);
  return (organizationId) => applySharedFields(book, customFields, organizationId);
}

const written = (book: BookInput, { kind, form }: BookList, zone: string): FileValue[] =>
  (book[kind] ?? []).map((record) => form.write(plainly(kind, record as Thing, zone)));

/** What organizations have of their own, by the names of the lists in the file; the book is read once. */
export async function ownBooks(
  target: Target,
): Promise<(of: OrganizationRecord) => Record<string, readonly FileValue[]>> {
  const tell = await teller(target);
  return ({ Id, Timezone }) => {
    const book = tell(Id);
    return Object.fromEntries(ownLists.map((list) => [list.key, written(book, list, Timezone)]));
  };
}

const sectionOf = (list: BookList): Section => ({
  key: list.key,
  noun: list.noun,
  entry: list.form.schema,
  show: async (target) => written((await teller(target))(null), list, await zoneOfHome(target)),
});

function givenBook(of: readonly BookList[], entries: (key: string) => readonly FileValue[] | undefined): BookInput {
  return Object.fromEntries(
    of.map(({ key, kind, form }) => [kind, (entries(key) ?? []).map((entry) => form.read(entry))]),
  );
}

/** The place in the file of `Services[2].PricingBands[1].LessThan`. */
function placeOf(field: string): Path {
  const [, list = '', index = '', rest = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(field) ?? [];
  const found = lists.find((each) => each.field === list);
  return found ? [found.key, ...(index ? [Number(index), ...found.form.place(rest)] : [])] : [];
}

/** Messages that speak of another field say its place in the file too. */
const inFile = (message: string): string =>
  message.replaceAll(/\b[A-Z]\w*\[\d+\](?:\.\w+(?:\[\d+\])?)*/g, (field) => fieldName(placeOf(field)) || field);

/** The price book as a whole, then what organizations have of their own. */
export const bookStage: Stage = {
  sections: lists.map(sectionOf),
  async bring(target, entries) {
    const { table, account, now } = target;
    const tell = async (
      organizationId: number | null,
      zone: string,
      input: BookInput,
    ): Promise<readonly FieldError[]> => {
      const answer = await writePriceBook(
        table,
        { accountId: account, organizationId, accountWide: true, zone, now },
        input,
      );
      return answer.kind === 'invalid'
        ? answer.errors.map(({ field, message }) => ({ field, message: inFile(message) }))
        : [];
    };
    const broken = await tell(
      null,
      await zoneOfHome(target),
      givenBook(lists, (key) => entries.get(key)),
    );
    const errors: SectionFault[] = broken.map(({ field, message }) => ({ path: placeOf(field), message }));
    const organizations = await listOrganizations(target.table, target.account);
    for (const [index, entry] of (entries.get('organizations') ?? []).entries()) {
      const organization = organizations.find(
        ({ PublicName }) => fold(PublicName) === fold(String(entry['name']).trim()),
      );
      if (!organization) continue;
      const own = await tell(
        organization.Id,
        organization.Timezone,
        givenBook(ownLists, (key) => (entry[key] ?? undefined) as readonly FileValue[] | undefined),
      );
      errors.push(...own.map(({ field, message }) => ({ path: ['organizations', index, ...placeOf(field)], message })));
    }
    return errors;
  },
};
