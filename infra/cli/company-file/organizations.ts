import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { type ImportedOrganization, findUntouched } from '../../../lib/domain/imported-organizations.ts';
import { blankOrganization, organizationToForm } from '../../../lib/domain/organizations.ts';
import { serviceAgentToResource } from '../../../lib/domain/service-agents.ts';
import { userToResource } from '../../../lib/domain/users.ts';
import { describeTimeOff } from '../../../lib/domain/working-hours.ts';
import { PLAIN_SETTINGS } from '../../../lib/domain/branding.ts';
import { pick } from '../../../lib/shared/objects.ts';
import { reserveIds } from '../../../lib/store/dynamodb/records.ts';
import { listClasses } from '../../../lib/store/organizations/accounting-classes.ts';
import { findForecasts, listOrganizations } from '../../../lib/store/organizations/organizations.ts';
import { type Logo, findLogo } from '../../../lib/store/organizations/logos.ts';
import { findStoredMessageSettings } from '../../../lib/store/message-settings.ts';
import { findInvoiceNumbers } from '../../../lib/store/sales/invoices.ts';
import { writeImportedOrganization } from '../../../lib/workflows/organizations/import-organization.ts';
import { loadWholeOrganization } from '../../../lib/workflows/organizations/load-organization.ts';
import { findByPublicName, formatMoment } from './directory.ts';
import type { Entry } from './entry-format.ts';
import { isLocalTarget } from '../local-stack.ts';
import { openCallbackKey } from '../target.ts';
import { formatMinute } from './hours.ts';
import { organizationFormat } from './organization-format.ts';
import { loadOrganizationBooks } from './price-book.ts';
import { type AccountContext, type PathError, type Section, type SectionGroup, toPathErrors } from './section.ts';

const toDataUri = ({ type, bytes }: Logo): string => `data:${type};base64,${bytes.toString('base64')}`;

async function exportOrganization(
  { store }: AccountContext,
  organization: OrganizationRecord,
  book: Record<string, readonly Entry[]>,
): Promise<Entry> {
  const [{ agents, users, fields }, classes, { Forecasts }, { Prefix, Next }, Messages] = await Promise.all([
    loadWholeOrganization(store, organization),
    listClasses(store, organization.Id),
    findForecasts(store, organization.Id),
    findInvoiceNumbers(store, organization.Id),
    findStoredMessageSettings(store, organization.Id),
  ]);
  const { Timezone, Country, Region, BillingPlan, BillingMethod, OpenSince, CancelDate, Holidays } = organization;
  const { Branding, BookingOrigins, Calendar, ClientCancelReasons, ApplyCredit } = organization;
  const logo = Branding?.Logo ? await findLogo(store, organization.Id, Branding.Logo) : undefined;
  const customFields = fields.map(({ Value }) => Value);
  const toText = (at: number | null) => (at === null ? null : formatMoment(at, Timezone));
  return organizationFormat.toEntry({
    ...organizationToForm(organization, { agents: [], services: [], users: [], customFields }),
    Country,
    Region,
    BillingPlan,
    BillingMethod,
    Holidays,
    ArrivalWindows: organization.ArrivalWindows.map(({ From, Through }) => ({
      From: formatMinute(From),
      Through: formatMinute(Through),
    })),
    Branding: Branding && { ...Branding, Logo: logo ? toDataUri(logo) : '' },
    Booking: { Origins: BookingOrigins, CancelReasons: ClientCancelReasons, ...pick(organization, ...PLAIN_SETTINGS) },
    Calendar,
    ApplyCredit,
    InvoiceNumbers: Next === null ? null : { Prefix, Next },
    Messages,
    Forecasts,
    OpenSince: toText(OpenSince),
    Canceled: toText(CancelDate),
    ServiceAgents: agents.map((agent) => ({
      ...serviceAgentToResource(agent, { reader: { role: 'Owner' } }),
      TimeOff: agent.TimeOff.map((each) => describeTimeOff(each, Timezone)),
    })),
    Users: users.map((user) => ({
      ...userToResource(user),
      MobilePhone: user.MobilePhone,
      Agent: agents.find(({ Id }) => Id === user.ServiceAgentId)?.Name ?? '',
    })),
    AccountingClasses: classes,
    OwnServices: book['services'],
    OwnTemplates: book['proposalTemplates'],
  });
}

const section: Section = {
  key: 'organizations',
  noun: 'organization',
  format: organizationFormat,
  async exportEntries(context) {
    const getBook = await loadOrganizationBooks(context);
    const organizations = await listOrganizations(context.store);
    return Promise.all(
      organizations.map((organization) => exportOrganization(context, organization, getBook(organization))),
    );
  },
};

/** Organizations with everything except their own services and proposal templates, which need the price book. */
export const organizationGroup: SectionGroup = {
  sections: [section],
  async importEntries(context, run) {
    const { store, now } = context;
    const input = () => run.entries.get(section.key) ?? [];
    let stored = await listOrganizations(store);
    const [{ Timezone, Country } = blankOrganization({ Id: 1, PublicName: '' })] = stored;
    const untouched = input().some(({ name }) => findByPublicName(stored, name)) ? undefined : findUntouched(stored);
    // Sequential: the first of two organizations that want the same postal code gets it.
    for (let index = 0; index < input().length;) {
      const entry = input()[index] ?? {};
      let before = findByPublicName(stored, entry['name']) ?? (index === 0 ? untouched : undefined);
      if (!before) {
        const [Id = 0] = await reserveIds(store, 'Organization', 1);
        before = blankOrganization({ Id, PublicName: '', Timezone, Country, Created: now.getTime() });
      }
      const own = await writeImportedOrganization(before, organizationFormat.toInput(entry) as ImportedOrganization, {
        ...context,
        calendars: { allowsLoopback: isLocalTarget, readKey: openCallbackKey },
      });
      if (own.length) {
        run.reject(toPathErrors([section.key, index], organizationFormat, own).map(nameCustomField(entry)));
        // A part of it is planned already.
        stored = await listOrganizations(store);
      } else index++;
    }
  },
};

/** Custom fields are a mapping in the file: `customFields[2].Value` is `customFields.Trucks`. */
const nameCustomField =
  (entry: Entry) =>
  (error: PathError): PathError => {
    const [list, index, field, place] = error.path;
    if (field !== 'customFields' || typeof place !== 'number') return error;
    const name = Object.keys(entry[field] as object)[place] ?? '';
    return { ...error, path: [list ?? '', index ?? 0, field, name] };
  };
