import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { bookToInput } from '../../../lib/domain/pricebook/export-book.ts';
import type { BookInput } from '../../../lib/domain/pricebook/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import type { Resource } from '../../../lib/resources/fields.ts';
import type { FieldError } from '../../../lib/shared/failure.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { listSettings } from '../../../lib/store/settings.ts';
import { loadPriceBook, writePriceBook } from '../../../lib/workflows/pricebook/import-price-book.ts';
import { findByPublicName } from './directory.ts';
import { type Entry, type EntryFormat, parsePath } from './entry-format.ts';
import {
  dimensionFormat,
  partFormat,
  partTemplateFormat,
  proposalTemplateFormat,
  revenueCategoryFormat,
  serviceFormat,
} from './price-book-formats.ts';
import { type AccountContext, type PathError, type Section, type SectionGroup, importValid } from './section.ts';
import { type Path, formatPath } from './yaml-document.ts';

interface BookList {
  readonly key: string;
  readonly noun: string;
  readonly kind: keyof BookInput;
  /** The name of the list in errors of the price book. */
  readonly field: string;
  readonly format: EntryFormat<Resource>;
}

const lists = (
  [
    [
      'brandingCategories',
      'branding category',
      'revenueCategories',
      'BrandingRevenueCategories',
      revenueCategoryFormat,
    ],
    ['partTemplates', 'part template', 'partTemplates', 'PartTemplates', partTemplateFormat],
    ['parts', 'part', 'parts', 'Parts', partFormat],
    ['dimensions', 'dimension', 'dimensions', 'Dimensions', dimensionFormat],
    ['services', 'service', 'services', 'Services', serviceFormat],
    ['proposalTemplates', 'proposal template', 'proposalTemplates', 'ProposalTemplates', proposalTemplateFormat],
  ] as const
).map(([key, noun, kind, field, format]): BookList => ({ key, noun, kind, field, format }));

/** The lists that an organization may have of its own. */
const organizationLists = lists.filter(({ kind }) => kind === 'services' || kind === 'proposalTemplates');

/** The record without the fields that the file implies. */
function simplify(kind: keyof BookInput, record: Entry): Entry {
  switch (kind) {
    case 'parts':
      // A part with items is an assembly.
      return record['AssemblyItems'] ? omit(record, 'IsAssembly') : record;
    case 'proposalTemplates': {
      const lines = (record['ProposalTemplateLines'] ?? []) as readonly Entry[];
      const inOrder = lines.map((line, index) => (line['Order'] === index + 1 ? omit(line, 'Order') : line));
      return { ...record, ProposalTemplateLines: inOrder };
    }
    default:
      return record;
  }
}

/** Loads the price book once; returns what belongs to one organization, or to the whole account (`null`). */
async function loadBooks({ store }: AccountContext): Promise<(organizationId: number | null) => BookInput> {
  const [book, customFields] = await Promise.all([
    loadPriceBook(store),
    listSettings<CustomField>(store, 'CustomField'),
  ]);
  return (organizationId) => bookToInput(book, customFields, organizationId);
}

const toEntries = (book: BookInput, { kind, format }: BookList): Entry[] =>
  (book[kind] ?? []).map((record) => format.toEntry(simplify(kind, record as Entry)));

/** Loads what organizations have of their own, by the names of the lists in the file. */
export async function loadOrganizationBooks(
  context: AccountContext,
): Promise<(organization: OrganizationRecord) => Record<string, readonly Entry[]>> {
  const getBook = await loadBooks(context);
  return ({ Id }) => Object.fromEntries(organizationLists.map((list) => [list.key, toEntries(getBook(Id), list)]));
}

const toSection = (list: BookList): Section => ({
  key: list.key,
  noun: list.noun,
  format: list.format,
  exportEntries: async (context) => toEntries((await loadBooks(context))(null), list),
});

const toBookInput = (
  bookLists: readonly BookList[],
  entriesOf: (key: string) => readonly Entry[] | null | undefined,
): BookInput =>
  Object.fromEntries(bookLists.map(({ key, kind, format }) => [kind, (entriesOf(key) ?? []).map(format.toInput)]));

/** The place in the file for `Services[2].PricingBands[1].LessThan`. */
function toFilePath(field: string): Path {
  const [listField, ...rest] = parsePath(field);
  const list = lists.find((each) => each.field === listField);
  const [index, ...inner] = rest;
  if (!list) return [];
  return typeof index === 'number' ? [list.key, index, ...list.format.toPath(inner)] : [list.key];
}

/** Replaces API fields in a message by their places in the file. */
const toFileMessage = (message: string, base: Path): string =>
  message.replaceAll(/\b[A-Z]\w*\[\d+\](?:\.\w+(?:\[\d+\])?)*/g, (field) => {
    const path = toFilePath(field);
    return path.length ? formatPath([...base, ...path]) : field;
  });

/** Writes the entries of the account (`null`) or of an organization, whose entry is at `base`. */
async function importBook(
  { store, now }: AccountContext,
  { organizationId, input, base }: { organizationId: number | null; input: BookInput; base: Path },
): Promise<PathError[]> {
  const result = await writePriceBook(store, { organizationId, accountWide: true, now }, input);
  const errors: readonly FieldError[] = result.kind === 'invalid' ? result.errors : [];
  return errors.map(({ field, message }) => ({
    path: [...base, ...toFilePath(field)],
    message: toFileMessage(message, base),
  }));
}

/** The price book of the account, then those of its organizations. */
export const priceBookGroup: SectionGroup = {
  sections: lists.map(toSection),
  async importEntries(context, run) {
    await importValid(run, (entries) => {
      const input = toBookInput(lists, (key) => entries.get(key));
      return importBook(context, { organizationId: null, input, base: [] });
    });
    const organizations = await listOrganizations(context.store);
    await importValid(run, async (entries) => {
      const errors: PathError[] = [];
      for (const [index, entry] of (entries.get('organizations') ?? []).entries()) {
        const organization = findByPublicName(organizations, entry['name']);
        if (!organization) continue;
        const input = toBookInput(organizationLists, (key) => entry[key] as readonly Entry[] | null | undefined);
        const base = ['organizations', index];
        errors.push(...(await importBook(context, { organizationId: organization.Id, input, base })));
      }
      return errors;
    });
  },
};
